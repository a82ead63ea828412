import ArcRuntime

/// The rows of an archive, class by class: the roots, then each class behind those with whose objects its own
/// are built, otherwise as the class table has them. Classes whose objects are built with each other's stay
/// mixed, as they were. Spec: 05-graph, rule G4.
struct RowOrder {
  /// Where rows of a class are: a segment, by its number among those of rows, and the class.
  struct Place: Hashable {
    let segment: Int
    let classIndex: Int
  }

  /// Rows that follow each other before and after, by their indices among those of the class in the segment.
  struct Piece {
    let place: Place
    var rowsInClass: Range<Int>
  }

  /// For each row the one that it becomes.
  let newRow: [UInt32]
  /// Whether places are needed again after others.
  let returnsToPlaces: Bool
  /// The rows in their new order.
  private let rows: [UInt32]
  private let segments: [RowsSegment]

  /// The order of the rows of a file that is kept in memory; `sortKey` is a class and a key.
  init(of file: ArchiveFile, sortKey: String?) throws {
    segments = try file.rowsSegments.map { index throws(ArchiveError) in try file.rows(inSegment: index) }
    var rowsOfClass: [[UInt32]] = Array(repeating: [], count: file.classes.count)
    for segment in segments {
      for run in segment.runs {
        rowsOfClass[run.classIndex] += run.rows.lazy.map { UInt32(truncatingIfNeeded: $0) }
      }
    }
    let needs = try ConstructionNeeds(of: segments, file)
    let sorting = try sortKey.flatMap { try RowSorting($0, file) }
    var order: [UInt32] = []
    order.reserveCapacity(file.rowCount)
    var isMixed = false
    for group in needs.groups {
      let isSorted = group.contains { sorting?.sorts($0) ?? false }
      if group.count == 1 {
        let rows = rowsOfClass[group[0]]
        if let sorting, isSorted {
          order += try sorting.sorted(rows, ofClass: group[0])
        } else {
          order += rows
        }
      } else {
        isMixed = true
        order += group.flatMap { rowsOfClass[$0] }.sorted()
      }
    }
    var newRow = [UInt32](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { newRow[Int(old)] = UInt32(truncatingIfNeeded: new) }
    // Only sorting can bring a row before one that it is built with.
    if let sorting { try needs.check(newRow, sortedBy: sorting) }
    (rows, self.newRow, returnsToPlaces) = (order, newRow, isMixed || sorting != nil)
  }

  /// Calls a closure with all rows in their new order.
  func forEachPiece(_ body: (Piece) throws -> Void) throws {
    var open: Piece?
    for row in rows {
      let row = Int(row)
      let segment = segments.partitioningIndex { $0.firstRow > row } - 1
      guard let place = segments[segment].places[row] else { continue }
      let here = Place(segment: segment, classIndex: place.classIndex)
      if let piece = open, piece.place == here, piece.rowsInClass.upperBound == place.rowInClass {
        open?.rowsInClass = piece.rowsInClass.lowerBound..<place.rowInClass + 1
      } else {
        if let open { try body(open) }
        open = Piece(place: here, rowsInClass: place.rowInClass..<place.rowInClass + 1)
      }
    }
    if let open { try body(open) }
  }
}
