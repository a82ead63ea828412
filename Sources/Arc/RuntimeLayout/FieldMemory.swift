import CArc

/// A stored property in the memory of objects: how its value is copied to a new object, and let go.
///
/// Invariant: objects are of the class whose field it is, and the addresses that it is given are those of
/// their beginnings; what it is copied to has no value there yet.
@safe struct FieldMemory {
  /// Where its bytes are in an object.
  let range: Range<Int>
  let alignment: Int
  /// Whether a copy of the bytes is a copy of the value.
  let isPlain: Bool
  private let copyValue: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  private let destroyValue: (UnsafeMutableRawPointer) -> Void

  /// The memory of a field of a type that only the runtime knows.
  init(of type: Any.Type, at offset: Int) {
    func memory<Value>(_ type: Value.Type) -> FieldMemory { FieldMemory(type, at: offset) }
    self = _openExistential(type, do: memory)
  }

  private init<Value>(_ type: Value.Type, at offset: Int) {
    range = offset..<offset + MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    isPlain = _isPOD(type)
    unsafe copyValue = { source, target in
      unsafe (target + offset).initializeMemory(
        as: Value.self, from: (source + offset).assumingMemoryBound(to: Value.self), count: 1)
    }
    unsafe destroyValue = { object in
      unsafe (object + offset).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
  }

  /// Copies the value of one object to another one.
  @unsafe func copy(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    unsafe copyValue(source, target)
  }

  /// Lets go of the value of an object, which has none then.
  @unsafe func destroy(in object: UnsafeMutableRawPointer) { unsafe destroyValue(object) }
}

/// Where a stored property is in the memory of objects of a class, for those who read many of them.
///
/// Invariant: objects are of the class that has the field there, or of a subclass.
@usableFromInline @safe package struct FieldPlace {
  /// The type of the property.
  package let type: Any.Type
  @usableFromInline let offset: Int

  init(of field: StoredField) { (type, offset) = (field.type, field.offset) }

  /// The value of an object, as the property's type or one with the same layout: integers of as many bytes,
  /// and `AnyObject` for any class, in an optional and in an array too.
  @unsafe @inlinable @inline(__always) package func value<Value>(
    _ type: Value.Type, of object: AnyObject
  ) -> Value {
    let field = unsafe Unmanaged.passUnretained(object).toOpaque() + offset
    unsafe Self.checkNoChange(of: field)
    return unsafe field.assumingMemoryBound(to: Value.self).pointee
  }
}

extension FieldPlace {
  /// Traps, as Swift does, if a property is being changed whose address is given.
  @usableFromInline static func checkNoChange(of property: UnsafeRawPointer) {
    unsafe arc_check_no_change(property)
  }
}

/// Compares the values of a field of two objects, of a type that is known here.
///
/// Invariant: objects are of the class whose field is there and of that type.
@safe struct FieldComparison {
  private let offset: Int
  private let areSame: (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  /// The comparison of fields of a type; nil for a type that is not known here.
  init?(of type: Any.Type, at offset: Int) {
    guard let comparison = unsafe PlainTypes.comparison(of: type) else { return nil }
    self.offset = offset
    unsafe areSame = comparison
  }

  /// Whether two objects have the same value, floating-point numbers and text byte for byte.
  func isSame(in one: AnyObject, _ other: AnyObject) -> Bool {
    let one = unsafe UnsafeRawPointer(Unmanaged.passUnretained(one).toOpaque()) + offset
    let other = unsafe UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque()) + offset
    unsafe arc_check_no_change(one)
    unsafe arc_check_no_change(other)
    return unsafe areSame(one, other)
  }
}

/// A class of which objects are made field by field, as the structure of all of its fields.
@safe struct ObjectMemoryLayout {
  private let type: AnyClass
  private let byteCount: Int
  /// Where fields begin.
  private let offsets: [Int]
  /// The bytes of values of which copies of bytes are copies.
  private let plain: [Range<Int>]
  /// The other fields.
  private let fields: [FieldMemory]

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
    offsets = fields.map(\.range.lowerBound)
    self.fields = fields.filter { !$0.isPlain }
    var plain: [Range<Int>] = []
    for range in fields.filter(\.isPlain).map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      // Between two of them there may be others.
      if let last = plain.last, last.upperBound == range.lowerBound {
        plain[plain.count - 1] = last.lowerBound..<range.upperBound
      } else {
        plain.append(range)
      }
    }
    self.plain = plain
  }

  /// A new object with the values of another one of exactly that class.
  func copy(of object: AnyObject) -> AnyObject {
    let source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    for offset in offsets { unsafe arc_check_no_change(source + offset) }
    let target = unsafe allocate()
    for range in plain {
      unsafe (target + range.lowerBound).copyMemory(
        from: source + range.lowerBound, byteCount: range.count)
    }
    for field in fields { unsafe field.copy(from: source, to: target) }
    return unsafe Unmanaged<AnyObject>.fromOpaque(target).takeRetainedValue()
  }

  /// Memory of a new object, whose fields have no values yet.
  @unsafe func allocate() -> UnsafeMutableRawPointer {
    // The metadata of a class is where the class is.
    unsafe arc_allocate_object(unsafe unsafeBitCast(type, to: UnsafeRawPointer.self), byteCount)
  }

  /// Frees the memory of an object whose fields have no values.
  @unsafe func deallocate(_ object: UnsafeMutableRawPointer) { unsafe arc_free_object(object, byteCount) }

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
      var copy = layout.copy(of: specimen) as? Specimen
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
