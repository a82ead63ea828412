import ArcArchive
import ArcFormat
import ArcRuntime

// Walks a graph without writing an archive, for checks, comparisons and copies.

extension GraphEncoder {
  /// Returns all objects that a value reaches, without calling hooks. Each object comes after the objects
  /// that its initializer needs.
  static func objects(reachedFrom root: some ArchivableValue) throws -> ContiguousArray<any Archivable> {
    let encoder = GraphEncoder(options: ArchiveOptions())
    encoder.hooks.areCalled = false
    do { return try encoder.walk([root]) } catch let error as ArchiveError {
      throw encoder.located(error, roots: [root])
    }
  }

  /// Assigns rows to all objects that roots reach, without writing them. Returns the objects. Each object
  /// comes after the objects that its initializer needs.
  func walk(_ roots: [any ArchivableValue]) throws -> ContiguousArray<any Archivable> {
    checksKeys = false
    let columns = try beginRoots(
      roots.enumerated().map { (ArchiveFile.defaultRoot + ($0 > 0 ? "\($0)" : ""), $1) })
    references.value.listAll()
    for (index, root) in roots.enumerated() { try root.__write(to: columns.column(index)) }
    var scratch: [ObjectIdentifier: ScratchColumns] = [:]
    var walked: ContiguousArray<any Archivable> = []
    while walked.count < objectCount {
      guard let object = unsafe object(at: walked.count).takeUnretainedValue() as? any Archivable else {
        break
      }
      walked.append(object)
      if isShared(object) { continue }
      let writer = unsafe try classes.value.writer(of: object)
      unsafe currentWriter.value = unsafe writer
      let type = ObjectIdentifier(type(of: object))
      let columns = unsafe scratch[type] ?? makeColumns(of: writer.takeUnretainedValue())
      scratch[type] = columns
      try columns.encode(object)
      columns.removeAllIfLarge()
    }
    return walked
  }

  private func makeColumns(of writer: ClassWriter) -> ScratchColumns {
    let omittedKeys = keysLeftOut(of: writer.shape)
    return ScratchColumns(of: writer, context: references) { key, _ in !omittedKeys.contains(ExactName(key)) }
  }
}
