import ArcArchive
import ArcFormat

/// The placeholders for the objects of an archive: one additional object of each class, without links. Used
/// when Arc removes the references between objects, so that the objects can be released. To remove
/// references, Arc calls a hand-written `link(from:)` with empty values. If this function decodes a reference
/// that cannot be nil, it gets a placeholder.
///
/// The type is a class, because `build` adds placeholders while an `init(from:)`, which `build` calls, reads
/// the placeholders that were added before.
final class PlaceholderObjects {
  private var objects: [ObjectIdentifier: AnyObject] = [:]

  /// Returns the placeholder for an object. Nil if the class of the object has no placeholder.
  func object(like object: AnyObject) -> AnyObject? { objects[ObjectIdentifier(type(of: object))] }

  /// Builds the placeholders, in the order of rows. If a placeholder needs other objects for its
  /// construction, it gets placeholders. Therefore, no placeholder refers to an object of the archive.
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
    // The loop is repeated, because a placeholder may need a placeholder of a later row.
    while count < objects.count {
      count = objects.count
      waiting.removeAll { row, bound in
        guard let reader = rows.schema.readers[bound.classIndex] else { return true }
        reader.bind(bound, in: .initializer, .fill)
        rows.references.value.currentRow = row
        // If an initializer throws, it is called again when more placeholders exist.
        return (try? build(reader.type, reader)) != nil
      }
    }
  }

  private func build<Object: Archivable>(_ type: Object.Type, _ reader: ClassReader) throws {
    try reader.readEarlyPresence()
    objects[ObjectIdentifier(type)] = try reader.construct(type)
  }
}
