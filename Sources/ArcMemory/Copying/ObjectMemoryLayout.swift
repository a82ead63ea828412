import CArc

/// The memory layout of the objects of a class, which consist of a header and the fields. Objects are copied
/// and allocated without an initializer.
@safe package struct ObjectMemoryLayout {
  private let type: AnyClass
  private let byteCount: Int
  /// The alignment of an object, as the compiler computes it: the maximum alignment of its fields, but at
  /// least the alignment of a word.
  private let alignment: Int
  /// The offsets of all fields.
  private let offsets: [Int]
  /// The offsets of the fields that contain strings.
  private let texts: [Int]
  private let references: [Int]
  /// The fields whose values are copied by the functions of their types.
  private let others: [FieldMemory]

  /// Creates the layout of a class. `fields` includes the fields of superclasses. Nil if objects contain
  /// anything besides these fields, or if a test of the runtime failed.
  package init?(of type: AnyClass, _ fields: [FieldMemory]) {
    guard Self.isKnown else { return nil }
    self.init(trying: type, fields)
  }

  private init?(trying type: AnyClass, _ fields: [FieldMemory]) {
    byteCount = InstanceSize.byteCount(of: type)
    var end = Self.headerByteCount
    // Only padding for alignment may be between two fields.
    for field in fields.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard field.alignment <= Self.maximumAlignment, field.range.lowerBound >= end,
        field.range.lowerBound - end < field.alignment
      else { return nil }
      end = field.range.upperBound
    }
    guard end <= byteCount, byteCount - end < Self.maximumAlignment else { return nil }
    self.type = type
    alignment = fields.map(\.alignment).reduce(MemoryLayout<UInt>.alignment, max)
    offsets = fields.map(\.range.lowerBound)
    texts = fields.filter { $0.form == .text }.map(\.range.lowerBound)
    references = fields.filter { $0.form == .reference }.map(\.range.lowerBound)
    others = fields.filter { $0.form == .other }
  }

  /// Creates a shallow copy of an object of exactly the class.
  package func copy(of object: AnyObject, _ check: ExclusivityCheck) -> AnyObject {
    let source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    if check.isNeeded {
      for offset in offsets { unsafe ExclusivityCheck.trapIfChanging(source + offset) }
    }
    let target = unsafe allocate()
    // All bytes at once. Then each value that is more than its bytes is copied over its bytes.
    let header = Self.headerByteCount
    unsafe (target + header).copyMemory(from: source + header, byteCount: byteCount - header)
    // By index, because iterating over an array would count a reference to it.
    for index in texts.indices { unsafe Self.copy(String?.self, texts[index], from: source, to: target) }
    for index in references.indices {
      unsafe Self.copy(AnyObject?.self, references[index], from: source, to: target)
    }
    for field in others { unsafe field.copy(from: source, to: target) }
    return unsafe Unmanaged<AnyObject>.fromOpaque(target).takeRetainedValue()
  }

  @inline(__always) private static func copy<Value>(
    _ type: Value.Type, _ offset: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    unsafe (target + offset).initializeMemory(
      as: type, to: (source + offset).assumingMemoryBound(to: type).pointee)
  }

  /// Allocates an object whose fields have no values.
  @unsafe func allocate() -> UnsafeMutableRawPointer {
    // A class is the address of its metadata.
    unsafe arc_allocate_object(unsafe unsafeBitCast(type, to: UnsafeRawPointer.self), byteCount, alignment)
  }

  /// Allocates memory in which fields have the same offsets as in an object. The caller frees it with
  /// `deallocate()`.
  @unsafe func allocateFields() -> UnsafeMutableRawPointer {
    .allocate(byteCount: byteCount, alignment: alignment)
  }

  var identity: ObjectIdentifier { ObjectIdentifier(type) }

  /// Frees the memory of an object whose fields have no values.
  @unsafe func deallocate(_ object: UnsafeMutableRawPointer) {
    unsafe arc_free_object(object, byteCount, alignment)
  }

  /// The alignment of the memory that the runtime allocates for objects.
  private static var maximumAlignment: Int { 16 }

  /// The size of the header: the address of the metadata and the reference counts.
  private static var headerByteCount: Int { 2 * MemoryLayout<UInt>.size }

  /// Whether a test of the layout succeeded. The test copies a specimen. The copy must have equal values,
  /// must share no memory with the specimen, and must be freed together with its values.
  private static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      // Objects can have parts that no field describes.
      return false
    #else
      guard RuntimeLayout.isTrusted else { return false }
      let fields = StoredField.all(of: Ancestor.self) + StoredField.all(of: Specimen.self)
      guard fields.map(\.name) == ["number", "text", "flag", "other"],
        let layout = ObjectMemoryLayout(
          trying: Specimen.self, fields.map { field in FieldMemory(of: field.type, at: field.offset) })
      else { return false }
      let specimen = Specimen()
      specimen.other = Specimen()
      var copy = layout.copy(of: specimen, .now()) as? Specimen
      guard let duplicate = copy, duplicate !== specimen, duplicate.isEqual(to: specimen) else {
        return false
      }
      duplicate.text += "!"
      guard specimen.text == Specimen().text, duplicate.text != specimen.text else { return false }
      weak let trace = duplicate
      copy = nil
      _ = consume duplicate
      guard trace == nil, specimen.other != nil else { return false }
      return frees(specimen, fields.map { FieldMemory(of: $0.type, at: $0.offset) }, layout)
    #endif
  }()

  /// Whether destroying the fields of a copy releases the objects that only the copy retains.
  private static func frees(
    _ specimen: Specimen, _ fields: [FieldMemory], _ layout: ObjectMemoryLayout
  ) -> Bool {
    weak let held = specimen.other
    let target = unsafe layout.allocate()
    for field in fields {
      unsafe field.copy(from: UnsafeRawPointer(Unmanaged.passUnretained(specimen).toOpaque()), to: target)
    }
    specimen.other = nil
    guard held != nil else { return false }
    for field in fields { unsafe field.destroy(in: target) }
    unsafe layout.deallocate(target)
    return held == nil
  }

  private class Ancestor {
    var number = 7
    var text = "a text that is too long to be stored in a word"
  }

  private final class Specimen: Ancestor {
    var flag = true
    var other: Specimen?

    func isEqual(to other: Specimen) -> Bool {
      number == other.number && text == other.text && flag == other.flag && self.other === other.other
    }
  }
}
