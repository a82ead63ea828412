import ArcArchive
import ArcFormat

/// Archives graphs together with what their archives had that the program does not know.
struct KeepingEncoder {
  let content: PreservedContent
  let options: ArchiveOptions
  let context: ArchiveContext
  let warn: (@Sendable (ArchiveError) -> Void)?

  /// Archives a graph.
  ///
  /// - Returns: what is left to do, which needs no object; nil if nothing is to be kept for the graph.
  func archive(_ roots: [(name: String, value: any ArchivableValue)]) throws -> PreservedGraph? {
    let archives = content.keptArchives
    if archives.isEmpty { return nil }
    let encoder = GraphEncoder(options: options.ofIntermediateArchive, in: context)
    encoder.onWarning = warn
    encoder.isForReading = true
    let graph = try ArchiveError.whileWriting { try encoder.writtenGraph(of: roots) }
    encoder.listObjects()
    let all = archives.map { archive in
      (archive: archive.archive, rowsInGraph: archive.rows { encoder.row(of: $0) })
    }
    // Of another document is what none of the objects was read from; values do not tell.
    var kept = all.filter { $0.rowsInGraph.contains { $0 > 0 } }
    if kept.isEmpty, let position = archives.firstIndex(where: \.isWithoutObjects),
      try archives[position].archive.hasRoot(of: graph)
    {
      kept = [all[position]]
    }
    return kept.isEmpty ? nil : PreservedGraph(graph: graph, archives: kept, options: options)
  }
}

/// The archive of a graph, and what is to be put into it.
struct PreservedGraph: Sendable {
  let graph: WrittenGraph
  let archives: [(archive: ReadArchive, rowsInGraph: [UInt32])]
  let options: ArchiveOptions

  /// Makes the archive with what was not known; returns no bytes if there is a destination, which then has
  /// all.
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
  /// Writes the roots and all that they reach, and tells which classes are those of boxes.
  func writtenGraph(of roots: [(name: String, value: any ArchivableValue)]) throws -> WrittenGraph {
    let bytes = try archive(roots: roots)
    let types = classes.value.liveClasses.types
    return WrittenGraph(
      bytes: bytes, boxClasses: Set(types.indices.filter { types[$0] is any AnyValueBox.Type }))
  }
}
