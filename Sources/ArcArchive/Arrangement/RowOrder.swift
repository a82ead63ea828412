import ArcFormat
import ArcRuntime

/// The rows of an archive, class by class: the roots, then each class behind those with whose objects its own
/// are built, otherwise as the class table has them. Classes whose objects are built with each other's stay
/// mixed, as they were. Spec: 05-graph, rule G4.
struct RowOrder {
  /// Rows that are consecutive in the file and in the new order, by their indices in a group.
  struct Piece {
    let group: RowGroup
    var rowsInClass: Range<Int>
  }

  /// For each row the one that it becomes.
  let newRow: [UInt32]
  /// Whether the order may return to a group after rows of other groups.
  let returnsToGroups: Bool
  /// The rows in their new order.
  private let rows: [UInt32]
  private let view: RowsView

  /// The order of the rows of a file that is kept in memory; `sortKey` is a class and a key.
  init(of file: ArchiveFile, sortKey: String?) throws {
    view = RowsView(of: file)
    var rowsOfClass: [[UInt32]] = Array(repeating: [], count: file.classes.count)
    for segment in view.segments {
      for run in try view.rows(inSegment: segment).runs {
        rowsOfClass[run.classIndex] += run.rows.lazy.map { UInt32(truncatingIfNeeded: $0) }
      }
    }
    let needs = try ConstructionNeeds(in: view)
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
    (rows, self.newRow, returnsToGroups) = (order, newRow, isMixed || sorting != nil)
  }

  /// Calls a closure with all rows in their new order.
  func forEachPiece(_ body: (Piece) throws -> Void) throws {
    var open: Piece?
    for row in rows {
      let row = Int(row)
      guard let (group, rowInClass) = try view.location(ofRow: row) else { continue }
      if let piece = open, piece.group == group, piece.rowsInClass.upperBound == rowInClass {
        open?.rowsInClass = piece.rowsInClass.lowerBound..<rowInClass + 1
      } else {
        if let open { try body(open) }
        open = Piece(group: group, rowsInClass: rowInClass..<rowInClass + 1)
      }
    }
    if let open { try body(open) }
  }
}
