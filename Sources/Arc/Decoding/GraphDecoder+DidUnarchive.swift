import ArcFormat

extension GraphDecoder {
  /// Tells objects that ask for it that the graph around them is complete, in the order of rows. Spec:
  /// 05-graph, section 3.
  func callDidUnarchive() throws {
    guard schema.readers.contains(where: { $0?.awakes ?? false }) else { return }
    for row in 1..<file.rowCount {
      guard let object = references.value.objects[row] as? any ArchiveAwakening else { continue }
      do { try object.didUnarchive() } catch {
        throw (error as? ArchiveError)?.located(objectID: ObjectID(rawValue: UInt32(row))) ?? error
      }
    }
  }
}
