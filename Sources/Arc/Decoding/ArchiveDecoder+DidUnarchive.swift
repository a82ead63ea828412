import ArcArchive
import ArcFormat

extension ArchiveDecoder {
  /// Calls `didUnarchive(in:)` of each object that has this hook, when the graph is complete. The hook of an
  /// object is called after the hooks of the objects that it retains. The hooks of replacements are not
  /// called. Spec: 05-graph, section 9.
  func callDidUnarchive() throws {
    guard schema.readers.contains(where: { $0?.hooks.contains(.finishing) ?? false }) else { return }
    for row in schema.decoder.rowsFromTheLeaves() {
      guard !references.value.isReplaced(row),
        let object = references.value.objects[row] as? any UnarchiveFinishing
      else { continue }
      do { try object.didUnarchive(in: schema.decoder.context) } catch let error as ArchiveError {
        throw error.located(
          className: type(of: object).archiveSchema.name, objectID: rows.view.id(ofRow: row))
      }
    }
  }
}
