import ArcFormat
import ArcRuntime

/// A new order of the rows of an archive, grouped by class: first the roots, then the classes in the order of
/// the class table.
///
/// If objects of a class need objects of another class, the other class comes first. Classes whose objects
/// need each other are not separated: their rows stay mixed, in the order of the file. Spec: 05-graph, rule
/// G4.
struct RowOrder {
  /// Rows that are consecutive in the file and in the new order, as a range of indices in a group.
  struct Piece {
    let group: RowGroup
    var rowsInClass: Range<Int>
  }

  /// The new number of each row.
  let newRow: [UInt32]
  /// Whether `forEachPiece` may return to a group of rows after rows of other groups.
  let returnsToGroups: Bool
  /// The rows in their new order.
  private let rows: [UInt32]
  private let view: RowsView

  /// Computes the order of a file's rows. The caller has cached the file in memory. `sortKey` is a class and
  /// a key, `Class.key`; nil if rows are not sorted.
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
    // Without sorting, the order of the classes already fulfils the needs.
    if let sorting { try needs.check(newRow, sortedBy: sorting) }
    (rows, self.newRow, returnsToGroups) = (order, newRow, isMixed || sorting != nil)
  }

  /// Calls a closure with pieces that contain all rows in the new order.
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
