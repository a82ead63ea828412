import ArcArchive
import ArcFormat

/// One more object of each class of an archive, linked to nothing: while links are undone, a `link(from:)` by
/// hand gets it where it asks for what cannot be nil.
///
/// A class, because `init(from:)` asks for those that were made before while others are made.
final class PlaceholderObjects {
  private var objects: [ObjectIdentifier: AnyObject] = [:]

  /// The object that stands in for those of its class.
  func object(like object: AnyObject) -> AnyObject? { objects[ObjectIdentifier(type(of: object))] }

  /// Builds the objects, in the order of rows, so that what they need for construction are such objects as
  /// well: afterwards, nothing leads back to an object of the archive.
  func build(_ rows: GraphRows) {
    rows.references.value.beginLogging()
    var first: [Int: (row: Int, rows: RowsSegment.ClassRows)] = [:]
    for segment in rows.view.segments {
      // A segment that cannot be read has no objects that need placeholders.
      guard let segment = try? rows.view.rows(inSegment: segment) else { continue }
      for (rows, ranges) in RowGroups(segment) where first[rows.classIndex] == nil {
        first[rows.classIndex] = (ranges[ranges.indices.lowerBound].lowerBound, rows)
      }
    }
    var waiting = first.values.sorted { $0.row < $1.row }
    var count = -1
    // Some may need those of later rows.
    while count < objects.count {
      count = objects.count
      waiting.removeAll { row, bound in
        guard let reader = rows.schema.readers[bound.classIndex] else { return true }
        reader.bind(bound, in: .initializer, .fill)
        rows.references.value.currentRow = row
        // An object that throws is tried again when more objects exist.
        return (try? build(reader.type, reader)) != nil
      }
    }
  }

  private func build<Object: Archivable>(_ type: Object.Type, _ reader: ClassReader) throws {
    try reader.readEarlyPresence()
    objects[ObjectIdentifier(type)] = try reader.construct(type)
  }
}
