/// A stored property of a class or structure, as Swift's runtime describes it to mirrors.
@safe package struct StoredField {
  /// The name of the property. A property wrapper adds an underscore.
  package let name: String
  /// The type of the field.
  package let type: Any.Type
  /// The number of bytes between the beginning of the object or value and the field.
  package let offset: Int
  /// Whether the field contains a value of `type`, and not a weak or unowned reference.
  package let isStrong: Bool
  /// Whether the property is declared with `var`.
  package let isVariable: Bool
}

extension StoredField {
  /// Returns the stored properties that a class itself declares, or the stored properties of a structure.
  /// Returns an empty array for other types, and if the program was compiled without reflection metadata.
  package static func all(of type: Any.Type) -> [StoredField] {
    // For a type `any P`, the runtime would read the fields of a value that does not exist.
    guard areKnown, type is AnyClass || TypeKind(of: type) == TypeKind(of: Pair.self) else { return [] }
    return reflected(of: type)
  }

  /// Stores a value in a structure.
  ///
  /// Invariant: the structure has an initialized field of type `Value` at the offset. `all(of:)` returns the
  /// type and the offset. The offset of a field in a nested structure is the sum of both offsets.
  package static func store<Owner, Value>(_ value: Value, in owner: inout Owner, at offset: Int) {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= MemoryLayout<Owner>.size else { return }
    unsafe withUnsafeMutablePointer(to: &owner) { pointer in
      let field = unsafe UnsafeMutableRawPointer(pointer).advanced(by: offset)
      unsafe field.assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  /// Creates a field that represents a whole value of a type. The field has no name.
  init(type: Any.Type) { self.init(name: "", type: type, offset: 0, isStrong: true, isVariable: true) }

  private struct Pair { var first = 1, second = "" }

  /// Whether the runtime's functions describe a class of this file correctly. The functions are not
  /// documented (`ReflectionMirror.swift` of the standard library calls them). `ARC_RUNTIME_LAYOUT=off` does
  /// not disable them, because the content of archives depends on the descriptions.
  private static let areKnown: Bool = {
    let fields = reflected(of: Specimen.self)
    guard fields.map(\.name) == ["first", "second", "third"], fields.map(\.isStrong) == [true, true, false],
      fields[0].type == Int.self, fields[1].type == String?.self
    else { return false }
    let specimen = Specimen()
    guard specimen.load(fields[0].offset, as: Int.self) == specimen.first,
      specimen.load(fields[1].offset, as: String?.self) == specimen.second
    else { return false }
    unsafe specimen.pointer(fields[0].offset, to: Int.self).pointee = 7
    return specimen.first == 7
  }()

  private static func reflected(of type: Any.Type) -> [StoredField] {
    let inherited = (type as? AnyClass).flatMap { _getSuperclass($0) }.map { recursiveCount($0) } ?? 0
    var fields: [StoredField] = []
    for index in inherited..<max(inherited, recursiveCount(type)) {
      var metadata = FieldMetadata()
      let fieldType = unsafe childMetadata(type, index: index, fieldMetadata: &metadata)
      guard let name = unsafe metadata.name else { return [] }
      defer { unsafe metadata.freeName?(name) }
      unsafe fields.append(
        StoredField(
          name: String(cString: name), type: fieldType, offset: childOffset(type, index: index),
          isStrong: metadata.isStrong, isVariable: metadata.isVariable))
    }
    return fields
  }

  private class Ancestor { var zeroth = 0 }

  private final class Specimen: Ancestor {
    var first = 41
    var second: String? = "two"
    weak var third: Specimen?

    func pointer<Value>(_ offset: Int, to type: Value.Type) -> UnsafeMutablePointer<Value> {
      unsafe Unmanaged.passUnretained(self).toOpaque().advanced(by: offset).assumingMemoryBound(to: type)
    }

    func load<Value>(_ offset: Int, as type: Value.Type) -> Value { unsafe pointer(offset, to: type).pointee }
  }
}

@safe private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false

  init() { unsafe (name, freeName) = (nil, nil) }
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(
  _ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func childOffset(_ type: Any.Type, index: Int) -> Int
