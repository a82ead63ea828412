import ArcArchive
import ArcFormat

/// Builds objects in the order in which they need each other, if the rows have another order. This happens if
/// a property that is now a `let` was set in `link(from:)` when the file was written. It also happens if the
/// `init(from:)` of a hand-written class decodes an object that was not encoded during `.construction`. Spec:
/// 05-graph, section 3.
///
/// Used for the classes whose objects need other objects, after the objects of all other classes are built.
/// If `init(from:)` fails because an object is not built yet, it is called again when that object exists.
struct ConstructionByNeed {
  private let rows: GraphRows
  private let construct: (_ row: Int, _ reader: ClassReader) throws -> Void
  /// For each class in each segment: a reader with its columns. The columns are positioned at a row of the
  /// class in the segment.
  private var cursors: [RowGroup: Cursor] = [:]

  /// The columns of a class in one segment.
  private final class Cursor {
    let reader: ClassReader
    var positions: RowPositions

    init(_ reader: ClassReader, _ rows: RowsSegment.ClassRows) {
      self.reader = reader
      reader.bind(rows, in: .initializer, .fill)
      positions = RowPositions(of: reader.set, roots: reader.earlySlots)
    }

    func seek(_ row: Int) throws {
      try positions.seek(row)
      reader.keys?.row = row
    }
  }

  /// Creates a builder. `construct` builds the object of a row. The columns of the reader are at this row.
  init(rows: GraphRows, construct: @escaping (_ row: Int, _ reader: ClassReader) throws -> Void) {
    self.rows = rows
    self.construct = construct
  }

  /// Builds the objects of all classes whose objects need other objects. Throws `constructionCycle` if
  /// objects need each other.
  mutating func run() throws {
    for segment in rows.view.segments {
      for run in try rows.view.rows(inSegment: segment).runs
      where rows.schema.readers[run.classIndex]?.readsReferencesEarly ?? false {
        for row in run.rows where !isBuilt(row) { try build(row) }
      }
    }
  }

  private func isBuilt(_ row: Int) -> Bool { rows.references.value.objects[row] != nil }

  /// Whether the object of a row must still be built. False for rows outside a part, because their objects
  /// are not built with the part.
  private func isMissing(_ row: Int) -> Bool { !isBuilt(row) && rows.view.segment(ofRow: row) != nil }

  /// Builds the object of a row, after the objects that it needs. Only an attempt to build an object shows
  /// which objects it needs.
  private mutating func build(_ row: Int) throws {
    var order = DependencyOrder(row, needs: [Int]().makeIterator())
    var waiting: Set = [row]
    while let step = order.next() {
      switch step {
      case .need(let needed):
        if isBuilt(needed) { continue }
        guard waiting.insert(needed).inserted else { throw cycle(order.cycle(from: { $0 == needed })) }
        order.begin(needed, needs: [Int]().makeIterator())
      case .ready(let row):
        let needs = try attempt(row)
        if needs.isEmpty { waiting.remove(row) } else { order.begin(row, needs: needs.makeIterator()) }
      }
    }
  }

  /// Tries to build the object of a row. If it needs objects that are not built yet, returns the rows of
  /// these objects. Empty if the object was built.
  private mutating func attempt(_ row: Int) throws -> [Int] {
    guard let (cursor, rowInClass) = try cursor(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "a reference to object #\(row), which the file does not have",
        expected: "a reference to an object of the file")
    }
    let reader = cursor.reader
    try cursor.seek(rowInClass)
    var needs: [Int] = []
    for slot in reader.earlySlots where reader.set.holdsReference(ofRoot: slot) {
      needs += try reader.set.targets(ofRoot: slot).filter { $0 > 0 && isMissing($0) }
    }
    guard needs.isEmpty else { return needs }
    rows.decoder.state.neededRow = nil
    do {
      try construct(row, reader)
      rows.references.value.objects.noteBuiltByNeed(row)
      cursor.positions.finishRow()
      return []
    } catch {
      guard let needed = rows.decoder.state.neededRow else { throw error }
      let targets = try reader.keys?.targetsOfFailedValue() ?? []
      return [needed] + targets.filter { $0 > 0 && $0 != needed && isMissing($0) }
    }
  }

  /// Returns the columns of a row's class, bound to the segment of the row. Also returns the index of the row
  /// among the rows of this class in the segment. Nil if the row does not exist or its class has no reader.
  private mutating func cursor(ofRow row: Int) throws -> (Cursor, rowInClass: Int)? {
    guard let (group, rowInClass) = try rows.view.location(ofRow: row) else { return nil }
    if let cursor = cursors[group] { return (cursor, rowInClass) }
    guard let reader = rows.schema.readers[group.classIndex], let bound = try rows.view.rows(of: group) else {
      return nil
    }
    let cursor = Cursor(try reader.copy(), bound)
    rows.schema.segmentReaders.value.append(cursor.reader)
    cursors[group] = cursor
    return (cursor, rowInClass)
  }

  /// Returns the error for a cycle of objects: each object needs the next object, and the last needs the
  /// first.
  private func cycle(_ cycle: [Int]) -> any Error {
    let first = cycle[0]
    let error = ArchiveError.constructionCycle(
      cycle + [first], expected: "objects that can be built one after another",
      className: rows.view.className(ofRow: first), objectID: rows.view.id(ofRow: first)
    ) { row in
      "#\(rows.view.fileRow(row))\(rows.view.className(ofRow: row).map { " \($0)" } ?? "")"
    }
    return rows.withPath(error)
  }
}
