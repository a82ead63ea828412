/// The rows of an archive as a program reads them, where these are not those of the file: rows of some
/// classes are left out, others were made in their place or in addition, and references to some rows lead
/// elsewhere.
///
/// The numbers of rows stay, and those of rows that were made in addition follow them. Classes of rows that
/// were made have indices after those of the file, and so have their segments. A part of a file is a revision
/// too, of rows that were all made: copied from the file, with numbers of their own.
package final class ArchiveRevision {
  package let file: ArchiveFile
  /// The classes of the file, and those of the rows that were made, each group with a class of its own.
  package let classes: [ClassDescription]
  /// The columns of these classes.
  package let layouts: [ColumnLayout]
  /// The number of rows, with those that were made in addition.
  package let rowCount: Int
  /// The number of rows of each of the classes.
  package let rowCounts: [Int]
  /// Indices of segments, for `rows(inSegment:)`.
  package let segments: [Int]
  /// The rows that no reference leads to, in ascending order: they are left out.
  private let leftOutRows: [Int]
  /// For each class of the file whether its rows are left out.
  private let isLeftOut: [Bool]
  private let made: [RowsSegment]
  /// Where references to each row lead, 0 for nowhere; nil if all lead to the rows that they name.
  private let targets: [UInt32]?
  private var known: [Int: RowsSegment] = [:]
  /// For each row the segment of rows that were made with it, counted from 1; 0 for none.
  private let madeSegmentOfRow: [UInt32]
  /// Of a part of a file, the number that each row has in it; nil where rows have their numbers.
  private let fileRows: [Int]?

  /// Makes a revision of a file whose rows were verified.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - leftOut: the indices of classes whose rows are left out, but for those that were made in their
  ///     place.
  ///   - made: rows that were made, in place of others or with numbers after those of the file.
  ///   - redirected: where references to a row lead instead, so that the row is left out; 0 for nowhere.
  ///     References to rows without an object lead nowhere in any case.
  /// - Throws: what is wrong with a segment.
  /// - Complexity: O(rows) if some rows have no object or other targets, otherwise O(rows that were made).
  package init(
    of file: ArchiveFile, leavingOut leftOut: Set<Int>, made: [MadeRows], redirected: [Int: Int] = [:]
  ) throws(ArchiveError) {
    self.file = file
    let made = made.filter { !$0.ids.isEmpty }
    isLeftOut = file.classes.indices.map(leftOut.contains)
    classes = file.classes + made.map(\.description)
    layouts = file.layouts + made.map(\.layout)
    rowCount = made.reduce(file.rowCount) { max($0, Int($1.ids.max() ?? 0) + 1) }
    leftOutRows = redirected.keys.sorted()
    let left = isLeftOut
    var segments: [RowsSegment] = []
    for rows in made { segments.append(try rows.segment(classIndex: file.classes.count + segments.count)) }
    var madeSegmentOfRow = [UInt32](repeating: 0, count: made.isEmpty ? 0 : rowCount)
    for (position, rows) in made.enumerated() {
      for id in rows.ids { madeSegmentOfRow[Int(id)] = UInt32(truncatingIfNeeded: position + 1) }
    }
    self.madeSegmentOfRow = madeSegmentOfRow
    self.made = segments
    self.segments = file.rowsSegments + made.indices.map { file.segments.count + $0 }
    fileRows = nil
    targets = try Self.targets(
      in: file, leavingOut: isLeftOut, made: made, redirected: redirected, rowCount: rowCount)
    let counts = file.checkedRowCounts
    rowCounts = counts.indices.map { left[$0] ? 0 : counts[$0] } + made.map(\.ids.count)
  }

  /// Makes a part of a file: nothing but rows that were copied from it, with numbers of their own.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - segments: the rows, in order.
  ///   - classes: the classes by index.
  ///   - layouts: the columns of each class.
  ///   - fileRows: for each row its number in the file; after those of the part, rows that it refers to and
  ///     does not have.
  init(
    of file: ArchiveFile, part segments: [RowsSegment], classes: [ClassDescription],
    layouts: [ColumnLayout], fileRows: [Int]
  ) {
    self.file = file
    self.classes = classes
    self.layouts = layouts
    self.fileRows = fileRows
    rowCount = fileRows.count
    rowCounts = []
    (isLeftOut, leftOutRows) = ([], [])
    targets = nil
    var madeSegmentOfRow = [UInt32](repeating: 0, count: fileRows.count)
    for (position, rows) in segments.enumerated() {
      for row in rows.firstRow..<rows.firstRow + rows.rowCount {
        madeSegmentOfRow[row] = UInt32(truncatingIfNeeded: position + 1)
      }
    }
    self.madeSegmentOfRow = madeSegmentOfRow
    // Rows of others have a segment too, without a run: objects that are there already are placed by segment.
    let end = segments.last.map { $0.firstRow + $0.rowCount } ?? 0
    let others = RowsSegment(
      firstRow: end, rowCount: fileRows.count - end, runs: [], classes: [], owner: file)
    made = segments + [others]
    self.segments = made.indices.map { file.segments.count + $0 }
  }

  /// Where references to each row lead; nil if all rows have an object and no reference leads elsewhere.
  private static func targets(
    in file: ArchiveFile, leavingOut isLeftOut: [Bool], made: [MadeRows], redirected: [Int: Int],
    rowCount: Int
  ) throws(ArchiveError) -> [UInt32]? {
    guard isLeftOut.contains(true) || !redirected.isEmpty else { return nil }
    var targets = (0..<rowCount).map { UInt32(truncatingIfNeeded: $0) }
    for segment in file.rowsSegments {
      for run in try file.rows(inSegment: segment).runs where isLeftOut[run.classIndex] {
        for row in run.rows { targets[row] = 0 }
      }
    }
    for rows in made { for id in rows.ids { targets[Int(id)] = id } }
    var isFollowed = false
    for (row, target) in redirected where row < rowCount && target < rowCount {
      targets[row] = UInt32(truncatingIfNeeded: target)
      isFollowed = isFollowed || redirected[target] != nil
    }
    if isFollowed { try follow(redirected, in: &targets) }
    return targets.indices.allSatisfy({ targets[$0] == UInt32($0) }) ? nil : targets
  }

  /// Follows references that lead from one to the next. Throws `danglingReference` where that has no end.
  private static func follow(_ redirected: [Int: Int], in targets: inout [UInt32]) throws(ArchiveError) {
    for row in redirected.keys where row < targets.count {
      var (target, count) = (Int(targets[row]), 0)
      while let next = redirected[target] {
        (target, count) = (next, count + 1)
        guard count <= redirected.count else {
          throw ArchiveError(
            .danglingReference, found: "objects that are merged into each other in a cycle",
            expected: "merges that end at an object which is not merged into another object",
            objectID: ObjectID(rawValue: UInt32(truncatingIfNeeded: row)))
        }
      }
      targets[row] = target < targets.count ? targets[target] : 0
    }
  }

  // MARK: Rows

  /// Whether it is a part of a file: rows have other numbers than in the file.
  package var isPart: Bool { fileRows != nil }

  /// The number of a row in the file.
  package func fileRow(_ row: Int) -> Int {
    guard let fileRows, fileRows.indices.contains(row) else { return row }
    return fileRows[row]
  }

  /// The row that references to a row lead to; 0 for none.
  package func target(ofRow row: Int) -> Int { targets.map { row < $0.count ? Int($0[row]) : 0 } ?? row }

  /// A segment that is none of the revision's, with references to where the revision has them lead.
  func leading(_ rows: RowsSegment, _ layouts: [ColumnLayout]) -> RowsSegment {
    targets.map { rows.leadingReferences(to: $0, layouts) } ?? rows
  }

  /// Calls `body` with each row that references cannot lead to.
  package func forEachRowWithoutObject(_ body: (Int) -> Void) {
    guard let targets else { return }
    for row in targets.indices.dropFirst() where Int(targets[row]) != row { body(row) }
  }

  /// The rows of a segment, by one of `segments`.
  package func rows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    if let rows = known[index] { return rows }
    let isMade = index >= file.segments.count
    var rows = try isMade ? made[index - file.segments.count] : file.rows(inSegment: index)
    if !isMade { rows = rows.leavingOut(isLeftOut) }
    rows = try rows.leavingOut(rows: leftOutRows, layouts)
    if let targets { rows = rows.leadingReferences(to: targets, layouts) }
    known[index] = rows
    return rows
  }

  /// Whether a row was made in place of one of the file, or in addition.
  package func isMade(_ row: Int) -> Bool {
    row < madeSegmentOfRow.count && madeSegmentOfRow[row] > 0
  }

  /// The segment that contains a row; nil if none does.
  ///
  /// - Complexity: O(log segments).
  package func segment(ofRow row: Int) -> Int? {
    guard isMade(row) else { return fileRows == nil ? file.rowsSegment(ofRow: row) : nil }
    return file.segments.count + Int(madeSegmentOfRow[row]) - 1
  }
}

extension RowsSegment {
  /// The segment without the rows of some classes; itself if it has none.
  fileprivate func leavingOut(_ isLeftOut: [Bool]) -> RowsSegment {
    guard classes.contains(where: { isLeftOut[$0.classIndex] }) else { return self }
    return RowsSegment(
      firstRow: firstRow, rowCount: rowCount, runs: runs.filter { !isLeftOut[$0.classIndex] },
      classes: classes.filter { !isLeftOut[$0.classIndex] }, owner: self)
  }

  /// The segment without some rows, given in ascending order; itself if it has none of them.
  fileprivate func leavingOut(rows all: [Int], _ layouts: [ColumnLayout]) throws(ArchiveError) -> RowsSegment
  {
    let start = all.partitioningIndex { $0 >= firstRow }
    guard start < all.count, let end = runs.map(\.rows.upperBound).max(), all[start] < end else {
      return self
    }
    let places = RowPlaces(of: self)
    var lost: [Int: Set<Int>] = [:]
    for row in all[start...].prefix(while: { $0 < end }) {
      if let (classIndex, rowInClass) = places[row] { lost[classIndex, default: []].insert(rowInClass) }
    }
    guard !lost.isEmpty else { return self }
    let memory = ChunkMemory(keeping: self)
    var kept: [ClassRows] = []
    for rows in classes {
      guard let ordinals = lost[rows.classIndex] else {
        kept.append(rows)
        continue
      }
      if ordinals.count == rows.rowCount { continue }
      kept.append(
        ClassRows(
          classIndex: rows.classIndex, rowCount: rows.rowCount - ordinals.count,
          columnCount: rows.columnCount,
          chunks: try memory.chunks(of: rows, layouts[rows.classIndex], withoutRows: ordinals)))
    }
    let isLost = Set(all[start...].prefix { $0 < end })
    return RowsSegment(
      firstRow: firstRow, rowCount: rowCount, runs: runs.flatMap { $0.parts(without: isLost) }, classes: kept,
      owner: memory)
  }

  /// The segment with references to other rows; itself if none of its references has another target.
  fileprivate func leadingReferences(to targets: [UInt32], _ layouts: [ColumnLayout]) -> RowsSegment {
    let memory = ChunkMemory(keeping: self)
    var classes = classes
    for position in classes.indices {
      let nodes = layouts[classes[position].classIndex].nodes
      for (node, chunk) in classes[position].chunks.enumerated() {
        guard let chunk, nodes[node].kind == .reference || nodes[node].kind == .weak else { continue }
        classes[position].chunks[node] = memory.leadingReferences(of: chunk, to: targets)
      }
    }
    guard memory.isUsed else { return self }
    return RowsSegment(firstRow: firstRow, rowCount: rowCount, runs: runs, classes: classes, owner: memory)
  }
}

extension RowsSegment.Run {
  /// The ranges of the run without some rows.
  fileprivate func parts(without isLost: Set<Int>) -> [RowsSegment.Run] {
    guard rows.contains(where: isLost.contains) else { return [self] }
    return rows.split(whereSeparator: isLost.contains).compactMap { part in
      guard let first = part.first else { return nil }
      return RowsSegment.Run(classIndex: classIndex, rows: first..<first + part.count)
    }
  }
}

/// Memory of chunks that a revision made, and the segment that has the others.
private final class ChunkMemory {
  private let segment: RowsSegment
  private var buffers: [ByteBuffer] = []
  /// Whether some chunk has other references.
  private(set) var isUsed = false

  init(keeping segment: RowsSegment) { self.segment = segment }

  deinit { for buffer in buffers { buffer.free() } }

  /// The chunks of a class without some of its rows. Throws `malformedColumn` if the rows cannot be told.
  func chunks(
    of rows: RowsSegment.ClassRows, _ layout: ColumnLayout, withoutRows lost: Set<Int>
  ) throws(ArchiveError) -> [Chunk?] {
    let set = ColumnReaderSet(reading: layout)
    set.bind(rows.chunks)
    var chunks = rows.chunks
    for root in 0..<rows.columnCount {
      let sieveLayout = SieveLayout(root: root, of: layout, sources: set.sources, file: layout)
      var sieve = ColumnSieve(
        sieveLayout,
        ColumnSieve.Context(chunk: { node in
          node.wanted.map(set.chunk(ofNode:)) ?? Chunk(count: 0, width: 0, values: ByteView())
        }))
      do throws(ColumnSieve.Unfit) { _ = try sieve.copy(withoutRows: lost) } catch {
        throw ArchiveError(
          .malformedColumn, found: "a column with missing, superfluous or invalid values",
          expected: "a column with a complete value for each object")
      }
      for (node, chunk) in sieve.changedChunks(&buffers) { chunks[node] = chunk }
    }
    return chunks
  }

  /// A chunk of references with other targets; itself if they stay the same. Where some lead nowhere now, it
  /// has the rows that they led to in place of a text.
  func leadingReferences(of chunk: Chunk, to targets: [UInt32]) -> Chunk {
    var plain = chunk
    if chunk.form != .plain {
      let buffer = ByteBuffer(count: chunk.plainByteCount)
      buffers.append(buffer)
      chunk.expand(into: buffer)
      plain = Chunk(count: chunk.count, width: chunk.width, values: buffer.view)
    }
    func target(_ index: Int) -> UInt32 {
      let row = Int(truncatingIfNeeded: plain.unsigned(index))
      return row < targets.count ? targets[row] : 0
    }
    guard (0..<plain.count).contains(where: { UInt64(target($0)) != plain.unsigned($0) }) else {
      return chunk
    }
    isUsed = true
    var result = Chunk(
      count: plain.count, width: MemoryLayout<UInt32>.size, values: rows(plain.count, target))
    if (0..<plain.count).contains(where: { target($0) == 0 && plain.unsigned($0) != 0 }) {
      result.text = rows(plain.count) { UInt32(truncatingIfNeeded: plain.unsigned($0)) }
    }
    return result
  }

  private func rows(_ count: Int, _ row: (_ index: Int) -> UInt32) -> ByteView {
    let buffer = ByteBuffer(count: count * MemoryLayout<UInt32>.size)
    buffers.append(buffer)
    for index in 0..<count { buffer.store(row(index).littleEndian, at: index * MemoryLayout<UInt32>.size) }
    return buffer.view
  }
}
