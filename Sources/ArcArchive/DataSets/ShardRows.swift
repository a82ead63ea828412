package import ArcFormat
import ArcRuntime

/// The classes of the rows of a shard. They are needed to check links that refer to the shard.
package struct ShardRows {
  private let rowCount: Int
  /// The first row of each run.
  private let firstRows: [Int]
  /// The index of the class of each run.
  private let runClasses: [Int]
  // The names are stored instead of the schema, because the schema would keep the file open.
  private let classNames: [String]
  private let classIndices: ShortMap<ExactName, Int>
  private let hierarchy: ClassHierarchy

  /// Reads the runs of a shard.
  ///
  /// - Throws: the code of the damage if a segment of rows is damaged.
  /// - Complexity: O(bytes of the segments) time, and memory for the runs and the names of classes.
  package init(_ file: ArchiveFile) throws(ArchiveError) {
    rowCount = file.rowCount
    classNames = file.schema.classes.map(\.name)
    classIndices = file.schema.classIndices
    hierarchy = file.schema.hierarchy
    var firstRows: [Int] = []
    var classes: [Int] = []
    for index in file.rowsSegments {
      for run in try file.rows(inSegment: index).runs where classes.last != run.classIndex {
        firstRows.append(run.rows.lowerBound)
        classes.append(run.classIndex)
      }
      file.discardPages(ofSegment: index)
    }
    (self.firstRows, runClasses) = (firstRows, classes)
  }

  /// Returns the name of the class of a row. Nil if there is no such row.
  ///
  /// - Complexity: O(log runs).
  fileprivate func className(ofRow row: Int) -> String? {
    guard row < rowCount else { return nil }
    let run = firstRows.partitioningIndex { $0 > row } - 1
    return run >= 0 ? classNames[runClasses[run]] : nil
  }

  /// Whether the class `name` of the shard is the class `other` of the shard or a subclass of `other`.
  fileprivate func isClass(_ name: String, orSubclassOf other: String) -> Bool {
    guard let one = classIndices[ExactName(name)], let other = classIndices[ExactName(other)] else {
      return false
    }
    return hierarchy.isClass(one, orSubclassOf: other)
  }
}

extension ShardManifest {
  /// Checks all shards, compares them with the manifest, and checks the targets of all links.
  ///
  /// - Parameter withFile: opens the shard with a number, and calls its second argument with the file. Called
  ///   twice for each shard, because links may refer to later shards.
  /// - Throws: the code of the damage if a shard is damaged, or what `withFile` throws. Spec: 14-data-sets,
  ///   rules Q1 to Q4.
  /// - Complexity: O(bytes of all shards) time; memory for one shard and for the runs of classes of all
  ///   shards.
  package func verify(_ withFile: (_ number: Int, (ArchiveFile) throws -> Void) throws -> Void) throws {
    var rows: [ShardRows] = []
    for (number, shard) in shards.enumerated() {
      try withFile(number) { file in
        try check(file, isShard: number)
        try shard.check(file, countsRows: true)
        try file.verify()
        if let sortedBy { try shard.checkExtent(file, sortedBy: sortedBy) }
        rows.append(try ShardRows(file))
      }
    }
    for number in shards.indices {
      try withFile(number) { file in
        // The file may have been replaced since its first check.
        try check(file, isShard: number)
        try file.verifyLinks(to: rows)
      }
    }
  }
}

extension ArchiveFile {
  /// The nodes of a column of links in the layout of a class: the node of shard numbers and the node of row
  /// numbers.
  private struct LinkNodes {
    let column: Int
    let target: String
    let shard: Int
    let row: Int
  }

  /// Checks the targets of all links of the file. `shards` are all shards of the data set. Precondition: the
  /// file is verified.
  ///
  /// Spec: 14-data-sets, rules Q3 and Q4.
  ///
  /// - Complexity: O(bytes of rows + links · log runs).
  package func verifyLinks(to shards: [ShardRows]) throws(ArchiveError) {
    let links = layouts.map(Self.links)
    guard links.contains(where: { !$0.isEmpty }) else { return }
    for index in rowsSegments {
      for rows in try self.rows(inSegment: index).classes where !links[rows.classIndex].isEmpty {
        let set = schema.columns(ofClass: rows.classIndex)
        set.bind(rows.chunks)
        for link in links[rows.classIndex] where link.column < rows.columnCount {
          let (numbers, targets) = (set.chunk(ofNode: link.shard), set.chunk(ofNode: link.row))
          for position in 0..<min(numbers.count, targets.count) {
            do throws(ArchiveError) {
              try Self.check(numbers.unsigned(position), targets.unsigned(position), link.target, shards)
            } catch {
              let description = classes[rows.classIndex]
              throw error.located(
                className: description.name, key: description.columns[link.column].key)
            }
          }
        }
      }
      discardPages(ofSegment: index)
    }
  }

  private static func check(
    _ shard: UInt64, _ row: UInt64, _ target: String, _ shards: [ShardRows]
  ) throws(ArchiveError) {
    guard row > 0 || shard > 0 else { return }
    guard row > 0, shard < UInt64(shards.count),
      let name = shards[Int(shard)].className(ofRow: Int(truncatingIfNeeded: row))
    else {
      throw ArchiveError(
        .danglingReference, found: "a link to row \(row) of shard \(shard)",
        expected: "a link to an object: a shard number below \(shards.count), and a row number of at least 1 "
          + "that exists in this shard")
    }
    guard shards[Int(shard)].isClass(name, orSubclassOf: target) else {
      throw ArchiveError(
        .wrongClass, found: "a link to row \(row) of shard \(shard), an object of class '\(name)'",
        expected: "a link to an object of class '\(target)' or a subclass")
    }
  }

  /// Returns the links in the columns of a class, including links that are nested in other values.
  private static func links(_ layout: ColumnLayout) -> [LinkNodes] {
    layout.roots.indices.flatMap { column in
      layout.nodes(ofRoot: column).compactMap { index -> LinkNodes? in
        let node = layout.nodes[index]
        guard node.kind == .structure, let name = node.name, name.utf8.starts(with: "ArcLink<".utf8),
          name.utf8.last == UInt8(ascii: ">"), node.labels == ["shard", "row"], node.children.count == 2,
          node.children.allSatisfy({ layout.nodes[$0].kind == .uint32 })
        else { return nil }
        return LinkNodes(
          column: column, target: String(Substring(name.utf8.dropFirst(8).dropLast())),
          shard: node.children[0], row: node.children[1])
      }
    }
  }
}
