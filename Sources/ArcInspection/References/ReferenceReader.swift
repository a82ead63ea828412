import ArcFormat
import ArcRuntime

/// Finds the references in the columns of a segment, and how many bits each row takes.
struct ReferenceReader {
  /// What was found in a segment: references in no order, by the indices of their rows in the segment.
  struct Found {
    var owners: [UInt32] = []
    var targets: [UInt32] = []
    var kinds: [UInt8] = []
    var bitCounts: [Int]
  }

  private let file: ArchiveFile
  /// The columns of each class that was met.
  private var sets: [Int: ColumnReaderSet] = [:]

  init(_ file: ArchiveFile) { self.file = file }

  /// Reads a segment of a file that was verified.
  mutating func read(
    _ segment: RowsSegment, _ charge: inout MemoryCharge
  ) throws(ArchiveError) -> Found {
    var found = Found(bitCounts: Array(repeating: 0, count: segment.rowCount))
    // One pass for all classes: a file may have as many runs as rows.
    var rowsOfClass: [Int: [Range<Int>]] = [:]
    for run in segment.runs {
      let start = run.rows.lowerBound - segment.firstRow
      rowsOfClass[run.classIndex, default: []].append(start..<start + run.rows.count)
    }
    for rows in segment.classes {
      let set = sets[rows.classIndex] ?? ColumnReaderSet(reading: file.layouts[rows.classIndex])
      sets[rows.classIndex] = set
      set.bind(rows.chunks)
      let columns = file.classes[rows.classIndex].columns
      let runs = rowsOfClass[rows.classIndex] ?? []
      for root in 0..<rows.columnCount {
        let isUnowned = rows.classIndex > 0 && columns[root].isUnowned
        let count = found.owners.count
        try read(set, root: root, of: runs, isUnowned, into: &found)
        // With the reverse.
        try charge.add(found.owners.count - count, of: 10)
      }
      // Keeps no memory for values that were expanded.
      set.prepareForReuse()
    }
    return found
  }

  private func read(
    _ set: ColumnReaderSet, root: Int, of runs: [Range<Int>], _ isUnowned: Bool, into found: inout Found
  ) throws(ArchiveError) {
    let nodes = set.layout.nodes(ofRoot: root).map { NodeValues(set, node: $0, isUnowned: isUnowned) }
    if nodes.count == 1, let only = nodes.first {
      var position = 0
      for run in runs {
        for row in run {
          only.add(position..<position + 1, of: row, to: &found, file.rowCount)
          position += 1
        }
      }
      return
    }
    var positions = [Int](repeating: 0, count: nodes.count)
    for run in runs {
      for row in run {
        try set.skip(root: root, count: 1)
        for (index, node) in nodes.enumerated() {
          let end = set.position(ofNode: node.node)
          if end > positions[index] { node.add(positions[index]..<end, of: row, to: &found, file.rowCount) }
          positions[index] = end
        }
      }
    }
  }
}

extension ColumnDescription {
  /// Whether the column has references that do not keep their targets and are never nil: of the references
  /// that are a property of their own, those without `&`. What no property stands for has no `V` either.
  var isUnowned: Bool {
    let isStored = attributes.flags.contains(.stored)
    return isStored && !attributes.isRetained && !attributes.isWeak && !flags.contains(.keyed)
  }
}

/// The values of one node in a segment.
private struct NodeValues {
  let node: Int
  private let chunk: Chunk
  /// What references in the node do; nil if it has none.
  private let kind: ReferenceGraph.Kind?
  /// Bits of a value, and whether texts follow.
  private let bitCount: Int
  private let hasText: Bool

  init(_ set: ColumnReaderSet, node: Int, isUnowned: Bool) {
    self.node = node
    chunk = set.chunk(ofNode: node)
    let type = set.layout.nodes[node].kind
    // Only a whole property is unowned: a reference inside of a value is kept by it.
    let isProperty = set.layout.roots.contains(node)
    kind =
      type == .weak ? .weak : type == .reference ? isUnowned && isProperty ? .unowned : .strong : nil
    bitCount = chunk.width == 0 ? 1 : chunk.width * 8
    hasText = [.string, .data, .decimal].contains(type) && !chunk.usesStringTable
  }

  /// Adds the bits of some values to those of a row, and their references.
  func add(_ range: Range<Int>, of row: Int, to found: inout ReferenceReader.Found, _ rowCount: Int) {
    let range = range.clamped(to: 0..<chunk.count)
    found.bitCounts[row] &+= bitCount &* range.count
    guard kind != nil || hasText else { return }
    for position in range {
      let value = Int(truncatingIfNeeded: chunk.unsigned(position))
      if let kind, value > 0, value < rowCount {
        found.owners.append(UInt32(truncatingIfNeeded: row))
        found.targets.append(UInt32(truncatingIfNeeded: value))
        found.kinds.append(kind.rawValue)
      } else if hasText {
        found.bitCounts[row] &+= value &* 8
      }
    }
  }
}
