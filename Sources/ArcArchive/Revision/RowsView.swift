package import ArcFormat

/// The rows of an archive as a program reads them: the rows of a file, of a revision of the file, or of a
/// part of either.
///
///     let view = RowsView(of: file)
///     for segment in view.segments {
///       for run in try view.rows(inSegment: segment).runs { print(run.classIndex, run.rows) }
///     }
///
/// A revision omits rows of the file, adds new rows, and redirects references. Rows of the file keep their
/// numbers. New rows replace rows of the file, or have higher numbers. A part contains copies of rows, which
/// have numbers of their own. The classes and segments of new rows have higher indices than the classes and
/// segments of the file.
///
/// A view of an unrevised file allocates no memory. If another archive is opened in the `ArchiveFile`, the
/// view contains the rows of the other archive.
package struct RowsView {
  package let file: ArchiveFile
  /// The rows to read instead of the rows of the file; nil if the view is the file itself.
  private let revision: RowRevision?

  /// Creates a view of the rows of a file.
  package init(of file: ArchiveFile) { (self.file, revision) = (file, nil) }

  /// Creates a view of a file with changed rows. The rows of the file were verified.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - omitted: the indices of the classes whose rows are omitted, except rows that new rows replace.
  ///   - new: the new rows, which replace rows of the file or have higher numbers.
  ///   - redirected: for each redirected row, the row to which references to the redirected row refer
  ///     instead; 0 if such references become nil. Redirected rows are omitted.
  /// - Throws: the code of the damage if a segment is damaged.
  /// - Complexity: O(rows) if rows are omitted or references redirected, otherwise O(new rows).
  package init(
    of file: ArchiveFile, omitting omitted: Set<Int>, new: [NewRows], redirected: [Int: Int] = [:]
  ) throws(ArchiveError) {
    self.file = file
    revision = try RowRevision(of: file, omitting: omitted, new: new, redirected: redirected)
  }

  /// Creates a view of a part of a file. The part contains only copies of rows, which have new numbers.
  ///
  /// - Parameters:
  ///   - segments: the rows, in order.
  ///   - file: the file.
  ///   - classes: the classes by index.
  ///   - layouts: the columns of each class.
  ///   - fileRows: the number in the file of each row. The rows of the part come first. The rows to which the
  ///     part refers, but which it does not contain, follow.
  init(
    part segments: [RowsSegment], of file: ArchiveFile, classes: [ClassDescription], layouts: [ColumnLayout],
    fileRows: [Int]
  ) {
    self.file = file
    revision = RowRevision(part: segments, of: file, classes: classes, layouts: layouts, fileRows: fileRows)
  }

  // MARK: Contents

  /// Whether the rows may differ from the rows of the file.
  package var isRevised: Bool { revision != nil }
  /// Whether the view is a part of a file: its rows have other numbers than in the file.
  package var isPart: Bool { revision?.fileRows != nil }
  /// The classes by index.
  package var classes: [ClassDescription] { revision?.classes ?? file.classes }
  /// The columns of each class.
  package var layouts: [ColumnLayout] { revision?.layouts ?? file.layouts }
  /// The number of rows, including rows that are omitted.
  package var rowCount: Int { revision?.rowCount ?? file.rowCount }
  /// The number of rows of each class. Zeros before the file is verified, and empty for a part.
  package var rowCounts: [Int] { revision?.rowCounts ?? file.checkedRowCounts }
  /// The indices of the segments: first the segments of the file in the order of its rows, then the segments
  /// of new rows.
  package var segments: [Int] { revision?.segments ?? file.rowsSegments }

  // MARK: Segments

  /// Returns the rows of a segment.
  package func rows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    if let revision { return try revision.rows(inSegment: index, of: file) }
    return try file.rows(inSegment: index)
  }

  /// Returns the rows of a segment. In a view of an unrevised file, the first call verifies the segment.
  func checkedRows(inSegment index: Int) throws(ArchiveError) -> RowsSegment {
    if isRevised { return try rows(inSegment: index) }
    do throws(ArchiveError) { return try file.checkedRows(inSegment: index) } catch {
      throw error.located(byteOffset: file.segments[index].byteOffset)
    }
  }

  /// Returns the index of the segment that contains a row. Nil if no segment contains the row.
  ///
  /// - Complexity: O(log segments), and O(1) for a new row.
  package func segment(ofRow row: Int) -> Int? {
    guard let revision else { return file.rowsSegment(ofRow: row) }
    if let position = revision.newSegment(ofRow: row) { return file.segments.count + position }
    return revision.fileRows == nil ? file.rowsSegment(ofRow: row) : nil
  }

  /// Calls a closure with each segment that contains rows of a class, and with the columns of these rows.
  package func forEachSegment(
    ofClass index: Int, _ body: (RowsSegment, RowsSegment.ClassRows) throws -> Void
  ) throws {
    for segment in segments {
      let segment = try rows(inSegment: segment)
      if let rows = segment.rows(ofClass: index) { try body(segment, rows) }
    }
  }

  /// Returns the columns of row 0, which contains the roots. Nil if there are no rows.
  package func rootRow() throws(ArchiveError) -> RowsSegment.ClassRows? {
    guard let first = segments.first else { return nil }
    return try rows(inSegment: first).classes.first
  }

  // MARK: Groups of rows

  /// Returns the group that contains a row, and the index of the row in the group. Nil if no segment contains
  /// the row.
  ///
  /// - Complexity: O(log segments + log runs), once the segment was read.
  package func location(ofRow row: Int) throws(ArchiveError) -> (group: RowGroup, rowInClass: Int)? {
    guard let segment = segment(ofRow: row),
      let (classIndex, rowInClass) = try rows(inSegment: segment).rowIndex[row]
    else { return nil }
    return (RowGroup(segment: segment, classIndex: classIndex), rowInClass)
  }

  /// Returns the columns of a group. Nil if the segment of the group contains no row of the group's class.
  package func rows(of group: RowGroup) throws(ArchiveError) -> RowsSegment.ClassRows? {
    try rows(inSegment: group.segment).rows(ofClass: group.classIndex)
  }

  // MARK: Classes of rows

  /// Returns the coded name of the class of a row. Nil if there is no such row, or if its segment cannot be
  /// read.
  package func className(ofRow row: Int) -> String? {
    guard let segment = segment(ofRow: row) else { return nil }
    return (try? rows(inSegment: segment))?.classIndex(ofRow: row).map { classes[$0].name }
  }

  /// Returns the class of each row. Omitted rows get the class of the roots.
  ///
  /// - Complexity: O(rows) time, and 4 bytes of memory per row.
  package func rowClasses() throws(ArchiveError) -> RowClasses {
    var rowClasses = RowClasses(ofRows: 0..<rowCount)
    for segment in segments { rowClasses.add(try rows(inSegment: segment)) }
    return rowClasses
  }

  // MARK: Rows

  /// Returns the number that a row has in the file.
  package func fileRow(_ row: Int) -> Int {
    guard let rows = revision?.fileRows, rows.indices.contains(row) else { return row }
    return rows[row]
  }

  /// Returns the identifier of a row for errors. It contains the number that the row has in the file.
  package func id(ofRow row: Int) -> ObjectID { ObjectID(rawValue: UInt32(truncatingIfNeeded: fileRow(row))) }

  /// Whether a row is new: it replaces a row of the file, or has a higher number, or belongs to a part.
  package func isNew(_ row: Int) -> Bool { revision?.newSegment(ofRow: row) != nil }

  /// Returns the row to which references to a row are redirected, or the row itself. 0 if such references
  /// become nil.
  package func target(ofRow row: Int) -> Int {
    guard let targets = revision?.targets else { return row }
    return row < targets.count ? Int(targets[row]) : 0
  }

  /// Calls a closure with each row to which no reference refers, because the row is omitted or its references
  /// were redirected to another row.
  package func forEachUnreferencedRow(_ body: (Int) -> Void) {
    guard let targets = revision?.targets else { return }
    for row in targets.indices.dropFirst() where Int(targets[row]) != row { body(row) }
  }

  /// Redirects the references in rows outside the view to the new targets that the view determines.
  func redirectingReferences(of rows: RowsSegment, _ layouts: [ColumnLayout]) -> RowsSegment {
    revision?.targets.map { rows.redirectingReferences(to: $0, layouts) } ?? rows
  }
}
