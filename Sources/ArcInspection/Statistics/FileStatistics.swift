import ArcArchive
import ArcFormat
import ArcRuntime

/// The sizes of a file's classes and columns, and statistics on their values.
struct FileStatistics {
  /// The statistics of each class, in the order of the class table. Index 0 is the class of the roots. All
  /// counts of a class without rows are 0.
  private(set) var classes: [ClassStatistics] = []
  /// The number of strings in the file's string table.
  private(set) var stringCount = 0

  private let file: ArchiveFile
  private var sets: [Int: ColumnReaderSet] = [:]
  private var room = DistinctValues.Room()
  /// A cache of the lengths in bytes and the hashes of strings in the table, by string number.
  private var texts: [Int: (length: Int, hash: Int)] = [:]

  /// Verifies and reads the whole file, one segment at a time.
  ///
  /// - Throws: An `ArchiveError` if the file is damaged.
  /// - Complexity: O(values).
  init(_ catalog: ObjectCatalog) throws {
    file = catalog.file
    try file.verify()
    file.loadStringsWhenNeeded()
    stringCount = file.segments.reduce(0) { $0 + ($1.kind == .strings ? $1.count : 0) }
    classes = file.classes.indices.map {
      ClassStatistics(
        name: file.classes[$0].name, file.layouts[$0], columnNames: catalog.names(ofClass: $0))
    }
    for index in file.rowsSegments { try read(file.rows(inSegment: index)) }
  }

  private mutating func read(_ segment: RowsSegment) throws(ArchiveError) {
    for rows in segment.classes {
      let set = sets[rows.classIndex] ?? ColumnReaderSet(reading: file.layouts[rows.classIndex])
      sets[rows.classIndex] = set
      set.bind(rows.chunks)
      classes[rows.classIndex].objectCount += rows.rowCount
      for (node, chunk) in rows.chunks.enumerated() {
        guard let chunk else { continue }
        let index = classes[rows.classIndex].statisticsIndices[node]
        // The statistics are moved out of the array, because changing a copy would copy the set of distinct
        // values.
        var counts = classes[rows.classIndex].nodes[index]
        classes[rows.classIndex].nodes[index].distinct = DistinctValues()
        counts.storedByteCount += chunk.storedByteCount
        counts.plainByteCount += chunk.plainStoredByteCount
        counts.chunkCounts[chunk.encodingName, default: 0] += 1
        try count(set.chunk(ofNode: node), set.layout.nodes[node].kind, in: &counts)
        classes[rows.classIndex].nodes[index] = counts
      }
      set.prepareForReuse()
    }
  }

  /// Counts the values of a plain chunk.
  private mutating func count(
    _ chunk: Chunk, _ kind: ColumnKind, in counts: inout NodeStatistics
  ) throws(ArchiveError) {
    if kind == .optional {
      counts.nilCount += (0..<chunk.count).count { !chunk.bit($0) }
      // The wrapped values are counted in their own chunk. Structures and URLs have no chunk, so they are
      // counted here.
      counts.valueCount += counts.kind == .structure || counts.kind == .url ? chunk.count : 0
      if counts.kind != .structure, counts.kind != .url {
        counts.valueCount += (0..<chunk.count).count { !chunk.bit($0) }
      }
      return
    }
    counts.valueCount += chunk.count
    switch kind {
    case .array, .set, .dictionary:
      for index in 0..<chunk.count {
        NodeStatistics.Lengths.add(Int(truncatingIfNeeded: chunk.unsigned(index)), to: &counts.lengths)
      }
    case .string, .data, .decimal: try countTexts(chunk, in: &counts)
    default:
      for index in 0..<chunk.count {
        if kind == .reference || kind == .weak, chunk.unsigned(index) == 0 {
          counts.nilCount += 1
        } else if !counts.distinct.isIncomplete {
          counts.distinct.add(Self.hash(chunk, index), &room)
        }
      }
    }
  }

  private static func hash(_ chunk: Chunk, _ index: Int) -> Int {
    switch chunk.width {
    case 0: chunk.bit(index) ? 1 : 0
    case 16: chunk.values.integer(at: index * 16, as: UInt128.self).hashValue
    case 2: Int(chunk.values.integer(at: index * 2, as: UInt16.self))
    default: Int(truncatingIfNeeded: chunk.unsigned(index))
    }
  }

  private mutating func countTexts(_ chunk: Chunk, in counts: inout NodeStatistics) throws(ArchiveError) {
    var start = 0
    for index in 0..<chunk.count {
      let number = Int(truncatingIfNeeded: chunk.unsigned(index))
      let text: (length: Int, hash: Int)
      if chunk.usesStringTable {
        text = try self.text(number)
      } else {
        // Another process can change a mapped file after `verify` checked the lengths.
        let end = start + min(max(number, 0), chunk.text.count - start)
        text = (end - start, Array(chunk.text[start..<end]).hashValue)
        start = end
      }
      NodeStatistics.Lengths.add(text.length, to: &counts.lengths)
      counts.distinct.add(text.hash, &room)
    }
  }

  private mutating func text(_ number: Int) throws(ArchiveError) -> (length: Int, hash: Int) {
    if let known = texts[number] { return known }
    let bytes = Array(try file.schema.strings.string(UInt64(max(number, 0))).utf8)
    let text = (bytes.count, bytes.hashValue)
    texts[number] = text
    return text
  }
}
