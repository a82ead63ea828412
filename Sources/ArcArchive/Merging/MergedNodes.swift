import ArcFormat
import ArcRuntime

/// The objects of the archive of a graph and of the archives that the graph was read from, called sources.
/// All objects have one numbering: an object of the graph has the number of its row, and the rows of the
/// sources follow.
struct MergedNodes {
  /// The archive of the graph.
  let graph: ArchiveFile
  /// The indices of the classes whose objects are boxes of the graph.
  let boxClasses: Set<Int>
  private(set) var sources: [Source]
  /// For each row of the graph, the index of the source from which the row's object was read, plus 1. 0 if
  /// the object was not read.
  private var originSources: [UInt32]
  /// For each row of the graph, the row of the source from which the row's object was read.
  private var originRows: [UInt32]

  /// An archive that the graph was read from.
  struct Source {
    let archive: ReadArchive
    let file: ArchiveFile
    /// The archive that the program would have written directly after reading. Nil if the program read the
    /// complete source.
    let unchanged: ArchiveFile?
    /// For each row, the object's row in the graph. 0 if the graph does not have the object.
    fileprivate(set) var rowsInGraph: [UInt32]
    /// For each row, the object's row in `unchanged`. 0 if there is no such row.
    fileprivate(set) var rowsInUnchanged: [UInt32]
    /// The number that the source's first row has in the numbering of all objects.
    let firstNode: Int
    /// For each row of `unchanged`, the object's row in the source.
    fileprivate(set) var rowsOfUnchanged: [UInt32]
    /// For objects that were not read from the source and are still in the graph: the row in the graph, by
    /// the row in `unchanged`.
    fileprivate var ownRowsOfUnchanged: [UInt32: UInt32] = [:]
  }

  /// The rows that contain the values of an object.
  enum Origin: Hashable {
    /// A row of the graph, and the row of the source from which the object was read. `origin` is nil if the
    /// object was not read.
    case graph(row: Int, origin: Row?)
    /// A row of a source. The graph does not contain the object.
    case kept(Row)
  }

  /// A row of a source.
  struct Row: Hashable {
    let source: Int
    let row: Int
  }

  /// The number for an object of an unchanged graph that has no counterpart in the graph or the source. No
  /// object has this number.
  private static let goneNode = UInt32.max

  /// Opens the archive of a graph and the sources. For each row of a source, `rowsInGraph` contains the row
  /// of the same object in the graph.
  init(_ written: WrittenGraph, _ archives: [(archive: ReadArchive, rowsInGraph: [UInt32])]) throws {
    graph = try ArchiveFile(bytes: written.bytes, limits: .ofOwnArchives)
    boxClasses = written.boxClasses
    originSources = Array(repeating: 0, count: graph.rowCount)
    originRows = originSources
    var sources: [Source] = []
    var next = graph.rowCount
    for (archive, rows) in archives {
      let file = try ArchiveFile(bytes: archive.bytes, limits: archive.limits)
      let unchanged = try archive.unchanged.map {
        try ArchiveFile(bytes: $0.graph.bytes, limits: .ofOwnArchives)
      }
      let rowsInUnchanged = archive.unchanged?.rows ?? []
      var rowsOfUnchanged = [UInt32](repeating: 0, count: unchanged?.rowCount ?? 0)
      for (row, other) in rowsInUnchanged.enumerated() where other > 0 {
        rowsOfUnchanged[Int(other)] = UInt32(truncatingIfNeeded: row)
      }
      for (row, inGraph) in rows.enumerated()
      where inGraph > 0 && originSources[Int(inGraph)] == 0 && archive.replacedRows[row] == nil {
        originSources[Int(inGraph)] = UInt32(truncatingIfNeeded: sources.count + 1)
        originRows[Int(inGraph)] = UInt32(truncatingIfNeeded: row)
      }
      sources.append(
        Source(
          archive: archive, file: file, unchanged: unchanged, rowsInGraph: rows,
          rowsInUnchanged: rowsInUnchanged, firstNode: next, rowsOfUnchanged: rowsOfUnchanged))
      next += file.rowCount
      guard next < Int(Self.goneNode) else {
        throw ArchiveError(
          .limitExceeded, found: plural(next, "object"),
          expected: "at most \(Self.goneNode - 1) objects in one archive")
      }
    }
    self.sources = sources
    try findOriginOfRoots()
  }

  /// Finds the source from which the named roots of the graph were read. The source has a root with the same
  /// name and type as a root of the graph. In addition, one of these conditions holds:
  /// - Both roots refer to a common object.
  /// - The root is a value that refers to any object of the source.
  /// - The graph has no object of the source. The caller has then chosen the source because of its roots.
  private mutating func findOriginOfRoots() throws {
    for (index, source) in sources.enumerated() where originSources[0] == 0 {
      guard let unchanged = source.unchanged else { continue }
      let isChosenByRoots = source.rowsInGraph.allSatisfy { $0 == 0 }
      for column in graph.classes[0].columns.indices {
        guard let position = unchanged.indexOfRoot(like: column, of: graph) else { continue }
        let boxes = source.archive.unchanged?.graph.boxClasses ?? []
        let before = try Self.objects(ofRoot: position, in: unchanged, boxes).map {
          node(ofUnchanged: Int($0), inSource: index)
        }
        let now = try Self.objects(ofRoot: column, in: graph, boxClasses)
        let number = UInt32(truncatingIfNeeded: index + 1)
        let isValue = graph.layouts[0].nodes[graph.layouts[0].roots[column]].kind != .reference
        if isChosenByRoots || !now.isDisjoint(with: before)
          || isValue && now.contains(where: { originSources[Int($0)] == number })
        {
          originSources[0] = number
        }
      }
    }
  }

  /// Returns the rows of the objects to which the value of a root refers. Boxes are replaced by the objects
  /// in them.
  private static func objects(
    ofRoot column: Int, in file: ArchiveFile, _ boxClasses: Set<Int>
  ) throws -> Set<UInt32> {
    var (found, seen): (Set<UInt32>, Set<UInt32>) = ([], [])
    var boxes: [ObjectID] = []
    func add(_ value: ArchiveValue?, _ layout: ColumnLayout, _ column: Int) {
      value?.forEachReference(layout, node: layout.roots[column]) { id, _ in
        if !file.isRow(Int(id.rawValue), ofOneOf: boxClasses) {
          found.insert(id.rawValue)
        } else if seen.insert(id.rawValue).inserted {
          boxes.append(id)
        }
      }
    }
    add(try file.roots().value(inColumn: column), file.layouts[0], column)
    while let box = boxes.popLast() {
      let object = try file.object(box)
      for property in object.properties {
        add(property.value, file.layouts[object.classIndex], property.columnIndex)
      }
    }
    return found
  }

  /// Applies the matches of boxes. If a match has a stored row, the box is then an object that was read from
  /// this row. Otherwise, it is an object that exists in the unchanged graph and in the graph.
  mutating func identify(_ boxes: [BoxMatches.Match]) {
    for box in boxes {
      let unchanged = Int(box.unchanged)
      if let stored = box.stored {
        sources[box.source].rowsOfUnchanged[unchanged] = stored
        sources[box.source].rowsInUnchanged[Int(stored)] = box.unchanged
        guard let row = box.graph else { continue }
        sources[box.source].rowsInGraph[Int(stored)] = row
        originSources[Int(row)] = UInt32(truncatingIfNeeded: box.source + 1)
        originRows[Int(row)] = stored
      } else {
        sources[box.source].ownRowsOfUnchanged[box.unchanged] = box.graph
      }
    }
  }

  /// The number of objects in the graph and all sources.
  var count: Int { sources.last.map { $0.firstNode + $0.file.rowCount } ?? graph.rowCount }

  /// Returns the rows that contain the values of an object.
  func origin(of node: Int) -> Origin {
    guard node >= graph.rowCount else {
      let source = Int(originSources[node])
      let origin = source > 0 ? Row(source: source - 1, row: Int(originRows[node])) : nil
      return .graph(row: node, origin: origin)
    }
    let source = sources.lastIndex { $0.firstNode <= node } ?? 0
    return .kept(Row(source: source, row: node - sources[source].firstNode))
  }

  /// Returns the number of the object in a row of a source. 0 if the object is not preserved.
  func node(of row: Int, inSource index: Int) -> UInt32 {
    let source = sources[index]
    guard row > 0, row < source.rowsInGraph.count else { return 0 }
    if source.rowsInGraph[row] > 0 { return source.rowsInGraph[row] }
    if let other = source.archive.replacedRows[row] { return node(of: other, inSource: index) }
    if row < source.rowsInUnchanged.count, source.rowsInUnchanged[row] > 0,
      let classIndex = source.file.classIndex(ofRow: row), source.archive.classes[classIndex].isMigrated
    {
      return 0
    }
    return UInt32(truncatingIfNeeded: source.firstNode + row)
  }

  /// Returns the number of the object in a row of a source's unchanged graph. If neither the source nor the
  /// program's graph contains the object, returns `goneNode`, which is the number of no object.
  func node(ofUnchanged row: Int, inSource source: Int) -> UInt32 {
    let rows = sources[source].rowsOfUnchanged
    guard row > 0, row < rows.count, rows[row] > 0 else {
      return sources[source].ownRowsOfUnchanged[UInt32(truncatingIfNeeded: row)] ?? Self.goneNode
    }
    return node(of: Int(rows[row]), inSource: source)
  }
}

extension ReadArchive {
  /// Whether a graph has a root with the same name and type as a root that the program read from this
  /// archive.
  ///
  /// - Throws: `ArchiveError`, which cannot occur for archives that this program has just written.
  package func hasRoot(of graph: WrittenGraph) throws -> Bool {
    guard let unchanged else { return false }
    let limits = ArchiveLimits.ofOwnArchives
    let (before, now) = try (
      ArchiveFile(bytes: unchanged.graph.bytes, limits: limits),
      ArchiveFile(bytes: graph.bytes, limits: limits)
    )
    return now.classes[0].columns.indices.contains { before.indexOfRoot(like: $0, of: now) != nil }
  }
}

extension ArchiveFile {
  /// Returns the index of the root with the name and type of a root of another archive. Nil if there is no
  /// such root.
  fileprivate func indexOfRoot(like column: Int, of other: ArchiveFile) -> Int? {
    let wanted = other.classes[0].columns[column]
    return classes[0].columns.firstIndex {
      $0.key.hasSameBytes(as: wanted.key) && $0.attributes == wanted.attributes
    }
  }

  /// Whether the object of a row belongs to one of `classes`.
  fileprivate func isRow(_ row: Int, ofOneOf classes: Set<Int>) -> Bool {
    !classes.isEmpty && (classIndex(ofRow: row).map(classes.contains) ?? false)
  }
}

/// The objects of sources that the program did not read, because it does not have the classes of the objects.
struct UnreadObjects {
  let nodes: MergedNodes

  /// Returns whether an object is one of these objects. `id` is the number of the object in `MergedNodes`.
  func contains(_ id: ObjectID) -> Bool {
    guard case .kept(let row) = nodes.origin(of: Int(id.rawValue)) else { return false }
    let rows = nodes.sources[row.source].rowsInUnchanged
    return row.row >= rows.count || rows[row.row] == 0
  }
}
