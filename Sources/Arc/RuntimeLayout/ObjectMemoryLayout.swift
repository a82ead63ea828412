import CArc

/// A class of which objects are made field by field, as the structure of all of its fields.
@safe struct ObjectMemoryLayout {
  private let type: AnyClass
  private let byteCount: Int
  /// That of the field that is aligned most, and at least that of a word, as the compiler has it.
  private let alignment: Int
  /// Where fields begin.
  private let offsets: [Int]
  /// Where there are texts, and references to single objects.
  private let texts: [Int]
  private let references: [Int]
  /// The fields whose values are copied as their types say.
  private let others: [FieldMemory]

  /// The layout of a class whose fields, those of superclasses too, are given; nil where it is not known how
  /// the runtime makes objects.
  init?(of type: AnyClass, _ fields: [FieldMemory]) {
    guard Self.isKnown else { return nil }
    self.init(trying: type, fields)
  }

  private init?(trying type: AnyClass, _ fields: [FieldMemory]) {
    byteCount = InstanceSizes.byteCount(of: type)
    var end = Self.headerByteCount
    // Nothing is between them but what aligns the next one.
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

  /// A new object with the values of another one of exactly that class.
  func copy(of object: AnyObject, _ check: ExclusivityCheck) -> AnyObject {
    let source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    if check.isNeeded {
      for offset in offsets { unsafe ExclusivityCheck.trapIfChanging(source + offset) }
    }
    let target = unsafe allocate()
    // All bytes at once; then what has more to it has a value of its own where its bytes are already.
    let header = Self.headerByteCount
    unsafe (target + header).copyMemory(from: source + header, byteCount: byteCount - header)
    // By index: going through an array itself would count a reference to it.
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

  /// Memory of a new object, whose fields have no values yet.
  @unsafe func allocate() -> UnsafeMutableRawPointer {
    // The metadata of a class is where the class is.
    unsafe arc_allocate_object(unsafe unsafeBitCast(type, to: UnsafeRawPointer.self), byteCount, alignment)
  }

  /// Memory for the fields of an object, where they are in one; freed with `deallocate()`.
  @unsafe func allocateFields() -> UnsafeMutableRawPointer {
    .allocate(byteCount: byteCount, alignment: alignment)
  }

  /// The class.
  var identity: ObjectIdentifier { ObjectIdentifier(type) }

  /// Frees the memory of an object whose fields have no values.
  @unsafe func deallocate(_ object: UnsafeMutableRawPointer) {
    unsafe arc_free_object(object, byteCount, alignment)
  }

  /// How objects are aligned.
  private static var maximumAlignment: Int { 16 }

  /// The metadata of an object and its counts.
  private static var headerByteCount: Int { 2 * MemoryLayout<UInt>.size }

  /// Whether an object of ours that is made so is as it should be, and is freed as it should be.
  private static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      // Objects can have parts there that no field tells of.
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
      guard let made = copy, made !== specimen, made.isEqual(to: specimen) else { return false }
      made.text += "!"
      guard specimen.text == Specimen().text, made.text != specimen.text else { return false }
      weak let trace = made
      copy = nil
      _ = consume made
      guard trace == nil, specimen.other != nil else { return false }
      return frees(specimen, fields.map { FieldMemory(of: $0.type, at: $0.offset) }, layout)
    #endif
  }()

  /// Whether what an object holds that was made of another one's values is let go with these, and its memory
  /// is freed then.
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
