import Arc
import ArcJSON

/// One reading of a text in one pass over its bytes, without an index and without rows: of objects that are
/// made right in memory, all of whose members are as strict reading wants them.
///
/// Whatever is otherwise makes it throw, and nobody gets an object of it: then the text is read by its index,
/// which reports what is wrong, or converts it.
struct OnePassReading {
  /// How the objects of the root are made, and the collection that they are in; nil for one object.
  private let plan: ClassPlan
  private let collection: (any CollectionOfObjects.Type)?
  private let limits: (byteCount: Int, levels: Int)

  /// Nil for a type that is not read so: it is neither a class of such objects, nor an array or dictionary of
  /// these.
  init?(of type: any ArchivableValue.Type, _ plans: ReadingPlans) {
    collection = type as? any CollectionOfObjects.Type
    limits = plans.onePassLimits
    guard let target = collection?.target ?? type as? any Archivable.Type,
      !(target is any JSONClassChoosing.Type), let plan = try? plans.plan(of: target),
      plan.fields?.isReadInOnePass == true
    else { return nil }
    self.plan = plan
  }

  /// Reads a text.
  func value<Value: ArchivableValue>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    guard bytes.count <= limits.byteCount else { throw JSONCursor.Refusal() }
    var cursor = JSONCursor(bytes.span)
    cursor.skipSpace()
    let levels = limits.levels
    let value: Any
    if let collection {
      value = try collection.read(plan, from: &cursor, levels: levels)
    } else {
      value = try plan.object(from: &cursor, levels: levels)
    }
    guard cursor.isAtEnd, let value = value as? Value else { throw JSONCursor.Refusal() }
    return value
  }
}

/// An array of objects, or a dictionary of some by text.
protocol CollectionOfObjects {
  static var target: any Archivable.Type { get }
  static func read(_ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int) throws -> Self
}

extension Array: CollectionOfObjects where Element: Archivable {
  static var target: any Archivable.Type { Element.self }

  static func read(
    _ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int
  ) throws -> [Element] {
    // An array of references is one word each, whatever their class.
    unsafe unsafeBitCast(try plan.objects(from: &cursor, levels: levels), to: [Element].self)
  }
}

extension Dictionary: CollectionOfObjects where Key == String, Value: Archivable {
  static var target: any Archivable.Type { Value.self }

  static func read(
    _ plan: ClassPlan, from cursor: inout JSONCursor, levels: Int
  ) throws -> [Key: Value] {
    try cursor.dictionary(levels: levels) { cursor in
      unsafe unsafeDowncast(try plan.object(from: &cursor, levels: levels - 1), to: Value.self)
    }
  }
}

extension ClassPlan {
  /// Reads an object of exactly the class.
  func object(from cursor: inout JSONCursor, levels: Int) throws -> AnyObject {
    guard let fields else { throw JSONCursor.Refusal() }
    return try object(fields, from: &cursor, levels: levels)
  }

  private func object(
    _ fields: NewObjectPlan, from cursor: inout JSONCursor, levels: Int
  ) throws -> AnyObject {
    guard fields.isReadInOnePass, levels > 0 else { throw JSONCursor.Refusal() }
    return try fields.making.makeObject { object in
      try takeMembers(from: &cursor, levels: levels - 1) { slot, cursor in
        try fields.set(slot, of: &object, self, from: &cursor, levels: levels - 1)
      }
      for slot in 0..<slots.count where !object.isSet(slot) {
        try fields.setNil(slot, of: &object)
      }
    }
  }

  /// Reads an array of objects.
  func objects(from cursor: inout JSONCursor, levels: Int) throws -> [AnyObject] {
    guard let fields else { throw JSONCursor.Refusal() }
    return try cursor.array(levels: levels) { try object(fields, from: &$0, levels: levels - 1) }
  }

  /// Takes an object, the value of each member by a function that is given the member's slot; passes over
  /// members that no slot has. Of two members of one name, another reading decides.
  @inline(__always) func takeMembers(
    from cursor: inout JSONCursor, levels: Int, _ takeValue: (Int, inout JSONCursor) throws -> Void
  ) throws {
    try cursor.take(UInt8(ascii: "{"))
    if cursor.takeIfThere(UInt8(ascii: "}")) { return }
    // There are fewer slots than bits, as `ObjectMaking` has it.
    var (previous, seen) = (slots.count, UInt64(0))
    repeat {
      let likely = following[previous]
      guard let slot = try cursor.name(likely < slots.count ? likely : 0, of: keys) else {
        try cursor.skipValue(levels: levels)
        continue
      }
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: slot)
      guard seen & bit == 0 else { throw JSONCursor.Refusal() }
      seen |= bit
      if slot != likely { following[previous] = slot }
      previous = slot
      try takeValue(slot, &cursor)
      cursor.skipSpace()
    } while cursor.takeIfThere(UInt8(ascii: ","))
    try cursor.take(UInt8(ascii: "}"))
  }
}
