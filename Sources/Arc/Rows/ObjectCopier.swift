import ArcFormat
import ArcRuntime

/// Creates shallow copies of objects. An object that consists of its archived properties is copied in memory.
/// Any other object writes its values to a row, and the copy is built from the row.
///
/// Both methods have the same result: the copy has the values that it would have after archiving and reading.
/// Invariant: a copier creates one copy at a time. It caches the coders of the objects' classes.
final class ObjectCopier: @unchecked Sendable {  // The code that took it from the pool owns it.
  private let encoder = RowEncoder(userInfo: [:])
  private let decoder = GraphDecoder(nestingLimit: ArchiveLimits.default.nesting, userInfo: [:])
  private var codersByClass: [ObjectIdentifier: Coders?] = [:]
  /// Whether a class of the copied objects belongs to an actor.
  private var isIsolated = false
  private static let pool = IdlePool<ObjectCopier>()

  /// The writer and the reader of the rows of a class.
  private struct Coders {
    let writer: RowWriter
    let reader: RowReader
  }

  private init() {}

  /// Creates a shallow copy of an object. Returns nil if the caller must archive the object to copy it. This
  /// is the case if the class has hooks or hand-written coders, if a reference does not retain its target, or
  /// if no declaration names the class of a reference.
  ///
  /// - Throws: `ArchiveError` if the object cannot be archived or unarchived, or an error of the object's own
  ///   code.
  /// - Complexity: O(values of the object).
  static func copy<Object: Archivable>(_ object: Object) throws -> Object? {
    let copy = try ObjectFields.withFields(of: object) { fields in
      guard let copying = fields.copying else { return nil as AnyObject? }
      try fields.isolation.check()
      return copying.copy(of: object)
    }
    if let copy { return unsafe unsafeDowncast(copy, to: Object.self) }
    return try copyByRows(object) as? Object
  }

  private static func copyByRows(_ object: any Archivable) throws -> AnyObject? {
    let copier = pool.take { _ in true } ?? ObjectCopier()
    // If this throws, the copier is not returned to the pool, because it may contain an incomplete row.
    let copy = try copier.copy(object)
    if !copier.isIsolated { pool.put(copier) }
    return copy
  }

  private func copy(_ object: any Archivable) throws -> AnyObject? {
    guard let coders = try coders(of: object) else { return nil }
    try coders.writer.begin(object)
    let count = encoder.objectCount
    defer {
      // The row was not read value by value, so it is removed as a whole.
      coders.writer.rows.removeAll()
      encoder.forgetObjects(after: 0)
      decoder.end()
    }
    try decoder.begin(rowCount: count + 2)
    var ownRows: [Int] = []
    for row in 0..<count {
      encoder.withObject(row + 1) { referenced in
        guard let referenced else { return }
        if referenced === object { ownRows.append(row + 1) }
        decoder.setObject(referenced, inRow: row + 1)
      }
    }
    return try decoder.build(coders.reader, row: count + 1, from: coders.writer.rows, alsoInRows: ownRows)
  }

  private func coders(of object: any Archivable) throws -> Coders? {
    let type = type(of: object)
    if let known = codersByClass[ObjectIdentifier(type)] { return known }
    let coders = try makeCoders(of: object, type)
    codersByClass[ObjectIdentifier(type)] = coders
    return coders
  }

  private func makeCoders(of object: any Archivable, _ type: any Archivable.Type) throws -> Coders? {
    guard !(type is any __ArchiveHook.Type) else { return nil }
    let reader = try RowReader(of: type, for: decoder)
    if reader.columns.isIsolated { isIsolated = true }
    guard !reader.isCodedByHand, reader.columns.reachesOnlyDeclaredClasses else { return nil }
    return Coders(writer: try encoder.writer(of: object) { _ in true }, reader: reader)
  }
}
