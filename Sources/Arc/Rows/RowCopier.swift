import ArcFormat
import ArcRuntime

/// Makes shallow copies: an object writes itself as a row, of which another one is made at once.
///
/// It knows the classes of the objects that it copied; for one copy at a time.
package final class RowCopier: @unchecked Sendable {  // Whoever took it out of the pool owns it.
  private let encoder = RowEncoder(userInfo: [:])
  private let decoder = GraphDecoder(nestingLimit: ArchiveLimits.default.nesting, userInfo: [:])
  private var codersByClass: [ObjectIdentifier: Coders?] = [:]
  /// Whether some of the classes belong to an actor.
  private var isIsolated = false
  private static let pool = IdlePool<RowCopier>()

  /// How objects of a class are written, and made again.
  private struct Coders {
    let writer: RowWriter
    let reader: RowReader
  }

  private init() {}

  /// A shallow copy of an object; nil if its class has more to do with copying than its properties: hooks,
  /// code by hand, references that keep nothing or lead to what no class is declared for.
  ///
  /// - Throws: `ArchiveError` for what cannot be archived, or what the object's own code throws.
  /// - Complexity: O(values of the object).
  package static func copy<Object: Archivable>(_ object: Object) throws -> Object? {
    if let copy = try ObjectFields.withFields(of: object, { try $0.copy(of: object) }) {
      return unsafe unsafeDowncast(copy, to: Object.self)
    }
    let copier = pool.take { _ in true } ?? RowCopier()
    // What an error left behind is not used again.
    let copy = try copier.copy(object)
    if !copier.isIsolated { pool.put(copier) }
    return copy as? Object
  }

  private func copy(_ object: any Archivable) throws -> AnyObject? {
    guard let coders = try coders(of: object) else { return nil }
    try coders.writer.begin(object)
    let count = encoder.objectCount
    defer {
      // It was read otherwise than value by value.
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
        decoder.place(referenced, inRow: row + 1)
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
    guard !reader.isCodedByHand, reader.columns.leadsToKnownClassesOnly else { return nil }
    return Coders(writer: try encoder.writer(of: object) { _ in true }, reader: reader)
  }
}
