import ArcArchive
import ArcFormat

/// Archives graphs together with the unknown content of the archives from which they were read.
struct PreservingEncoder {
  let content: PreservedContent
  let options: ArchiveOptions
  let context: ArchiveContext
  let warn: (@Sendable (ArchiveError) -> Void)?

  /// Archives a graph.
  ///
  /// - Returns: the remaining work, which does not access objects. Nil if there is no unknown content for the
  ///   graph.
  func archive(_ roots: [(name: String, value: any ArchivableValue)]) throws -> PreservedGraph? {
    let archives = content.liveArchives
    if archives.isEmpty { return nil }
    let encoder = GraphEncoder(options: options.ofIntermediateArchive, in: context)
    encoder.onWarning = warn
    encoder.isForReading = true
    let graph = try ArchiveError.whileWriting { try encoder.writtenGraph(of: roots) }
    encoder.listObjects()
    let all = archives.map { archive in
      (archive: archive.archive, rowsInGraph: archive.rows { encoder.row(of: $0) })
    }
    // If no object was read from an archive, the archive belongs to another document. Equal values do not
    // prove otherwise.
    var used = all.filter { $0.rowsInGraph.contains { $0 > 0 } }
    if used.isEmpty, let position = archives.firstIndex(where: \.isWithoutObjects),
      try archives[position].archive.hasRoot(of: graph)
    {
      used = [all[position]]
    }
    return used.isEmpty ? nil : PreservedGraph(graph: graph, archives: used, options: options)
  }
}

/// The archive of the program's graph, and the read archives whose unknown content Arc adds to it.
struct PreservedGraph: Sendable {
  let graph: WrittenGraph
  let archives: [(archive: ReadArchive, rowsInGraph: [UInt32])]
  let options: ArchiveOptions

  /// Writes the archive with the unknown content. If there is a destination, passes the bytes to it and
  /// returns no bytes.
  func write(to destination: ArchiveDestination?) throws -> [UInt8] {
    let bytes = try ArchiveMerge.merge(
      graph, with: archives, compression: options.compression,
      hasChunkDirectory: options.layout.hasChunkDirectory)
    guard let destination else { return bytes }
    try destination(bytes)
    return []
  }
}

extension GraphEncoder {
  /// Archives the roots and everything that they reach. The result also contains the indices of the classes
  /// whose objects are boxes of values.
  func writtenGraph(of roots: [(name: String, value: any ArchivableValue)]) throws -> WrittenGraph {
    let bytes = try archive(roots: roots)
    let types = classes.value.liveClasses.types
    return WrittenGraph(
      bytes: bytes, boxClasses: Set(types.indices.filter { types[$0] is any AnyValueBox.Type }))
  }
}
