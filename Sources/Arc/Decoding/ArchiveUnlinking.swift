import ArcArchive
import ArcFormat

/// Undoes the links of objects, so that cycles cannot retain them. Used for all objects of an archive that
/// could not be read, and for objects that no root retains.
struct ArchiveUnlinking {
  let rows: GraphRows

  /// Whether the object in a row is the object that was built from this row. False if the row has no object,
  /// or if a replacement replaced the object.
  func hasObject(_ row: Int) -> Bool {
    let objects = rows.references.value.objects
    return row < objects.count && objects.object(at: row) != nil && !rows.references.value.isReplaced(row)
  }

  /// Whether objects of hand-written classes are in rows for which `isUnlinked` returns true. Their links are
  /// undone by a call of `link(from:)`, which needs placeholders.
  func needsStandIns(where isUnlinked: (Int) -> Bool) -> Bool {
    let readers = rows.schema.readers
    guard readers.contains(where: { $0?.programClass.isKeyed ?? false }) else { return false }
    // The rows of a segment that cannot be read have no objects.
    return rows.view.segments.contains { segment in
      (try? rows.view.rows(inSegment: segment).runs)?.contains { run in
        readers[run.classIndex]?.programClass.isKeyed ?? false
          && run.rows.contains { isUnlinked($0) && hasObject($0) }
      } ?? false
    }
  }

  /// Undoes the links of the built objects in all rows for which `isUnlinked` returns true.
  func run(where isUnlinked: (Int) -> Bool) {
    rows.decoder.unlink { visit in
      // The error is ignored, because the caller throws the first error, if there was one. Objects of rows
      // that cannot be read again keep their links.
      try? rows.forEachRun(in: .unlinking) { reader, _, range in
        for row in range {
          if isUnlinked(row) { visit(row, reader) }
          reader.keys?.row += 1
        }
      }
    }
  }
}
