import Arc
import ArcJSON
import ArcMemory

/// Reads a text in one pass over its bytes, without an index of the whole text.
///
/// If the text is not as a strict reader requires, reading throws, and all objects that were read are
/// released. A `ReadingSession` then reads the text, and reports what is wrong or converts it.
struct OnePassReader {
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
      let plan = try? plans.plan(of: target), plan.isReadInOnePass
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
    unsafe ObjectArray.array(of: try plan.objects(from: &cursor, levels: levels), as: Element.self)
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
