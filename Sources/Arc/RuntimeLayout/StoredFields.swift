/// A stored property of a class or structure, as Swift's runtime describes it to mirrors.
@safe struct StoredField {
  let name: String
  let type: Any.Type
  /// Bytes from the beginning of the object or value.
  let offset: Int
  /// Whether it holds a value of `type`, and not a weak or unowned reference.
  let isStrong: Bool
  /// Whether it is declared with `var`.
  let isVariable: Bool
}

extension StoredField {
  /// The stored properties of a class, only its own, or of a structure; other types have none. Empty where
  /// the runtime does not know them, as in programs that were compiled without reflection metadata.
  static func all(of type: Any.Type) -> [StoredField] {
    // Of a type `any P` the runtime would ask for the fields of a value that is not there.
    guard areKnown, type is AnyClass || RuntimeLayout.kind(of: type) == RuntimeLayout.kind(of: Pair.self)
    else { return [] }
    return told(of: type)
  }

  /// Stores a value in a structure.
  ///
  /// Invariant: the structure has an initialized field of type `Value` at the offset. `all(of:)` returns
  /// both. The offset of a field in a nested structure is the sum of both offsets.
  static func store<Owner, Value>(_ value: Value, in owner: inout Owner, at offset: Int) {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= MemoryLayout<Owner>.size else { return }
    unsafe withUnsafeMutablePointer(to: &owner) { pointer in
      let field = unsafe UnsafeMutableRawPointer(pointer).advanced(by: offset)
      unsafe field.assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  private struct Pair { var first = 1, second = "" }

  /// Whether the runtime's functions give the right answers for a class of ours: they are not documented
  /// (`ReflectionMirror.swift` of the standard library calls them), so they are tried before they are relied
  /// on. Asked also where assumptions are turned off, since what is archived depends on the answers.
  private static let areKnown: Bool = {
    let fields = told(of: Specimen.self)
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

  private static func told(of type: Any.Type) -> [StoredField] {
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
