import ArcArchive
import ArcFormat

/// Undoes what was linked, so that cycles cannot keep objects alive: those of an archive that could not be
/// read, or those that no root holds.
struct ArchiveUnlinking {
  let rows: GraphRows

  /// Whether a row has an object that was built for it.
  func hasObject(_ row: Int) -> Bool {
    let objects = rows.references.value.objects
    return row < objects.count && objects.object(at: row) != nil && !rows.references.value.isReplaced(row)
  }

  /// Whether hand-written coders undo links of objects in certain rows: then placeholders are needed.
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

  /// Undoes the links of built objects in certain rows.
  func run(where isUnlinked: (Int) -> Bool) {
    rows.decoder.unlink { visit in
      // The objects of rows that cannot be read again keep their links: the caller gets the first error.
      try? rows.forEachRun(in: .unlinking) { reader, _, range in
        for row in range {
          if isUnlinked(row) { visit(row, reader) }
          reader.keys?.row += 1
        }
      }
    }
  }
}
