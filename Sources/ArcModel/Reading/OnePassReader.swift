import Arc
import ArcJSON
import ArcMemory

/// Reads a text in one pass through its bytes, without an index of the whole text.
///
/// If the text is not valid for a strict reader, reading throws and all new objects are released. A
/// `ReadingSession` then reads the text, and reports its issues or converts its values.
struct OnePassReader {
  /// The plan of the class of the objects.
  private let plan: ClassPlan
  /// The type of the array or dictionary that contains the objects. Nil for a single object.
  private let collection: (any CollectionOfObjects.Type)?
  private let limits: (byteCount: Int, levels: Int)

  /// Creates a reader for a class, or for an array or dictionary of objects of a class. Nil for all other
  /// types. Also nil if the class cannot be read in one pass.
  init?(of type: any ArchivableValue.Type, _ plans: ReadingPlans) {
    collection = type as? any CollectionOfObjects.Type
    limits = plans.onePassLimits
    guard let target = collection?.target ?? type as? any Archivable.Type,
      let plan = try? plans.plan(of: target), plan.isReadInOnePass
    else { return nil }
    self.plan = plan
  }

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

/// An array of objects, or a dictionary of objects with strings as keys.
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
