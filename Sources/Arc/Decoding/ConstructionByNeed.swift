import ArcFormat

/// Builds objects in the order in which they need each other, where that of the rows is another one: a
/// property that is a `let` now was set late when the file was written, or a class coded by hand asks for an
/// object in `init(from:)` that it did not encode for that. Spec: 05-graph, section 3.
///
/// Used for the classes whose objects need others, when those of all other classes are built. An object whose
/// `init(from:)` fails for want of another is built again when that exists.
struct ConstructionByNeed {
  private let rows: GraphRows
  private let construct: (_ row: Int, _ reader: ClassReader) throws -> Void
  /// Readers by segment and class, each with its columns at some row of that segment.
  private var cursors: [Place: Cursor] = [:]
  private var places: [Int: RowPlaces] = [:]

  private struct Place: Hashable {
    let segment: Int
    let classIndex: Int
  }

  /// A class's columns in one segment.
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

  /// An object that waits for others.
  private struct Waiting {
    let row: Int
    /// The rows that it needs, as far as that is known.
    var needs: [Int]
  }

  /// `construct` builds the object of the row that the columns of a reader are at.
  init(rows: GraphRows, construct: @escaping (_ row: Int, _ reader: ClassReader) throws -> Void) {
    self.rows = rows
    self.construct = construct
  }

  /// Builds the objects of all classes that need others. Throws `constructionCycle` for objects that need
  /// each other.
  mutating func run() throws {
    for segment in rows.segments {
      for run in try rows.rows(inSegment: segment).runs
      where rows.schema.readers[run.classIndex]?.readsReferencesEarly ?? false {
        for row in run.rows where !isBuilt(row) { try build(row) }
      }
    }
  }

  private func isBuilt(_ row: Int) -> Bool { rows.references.value.objects[row] != nil }

  /// Whether a row has an object that is still to be built: to those outside of a part nothing waits.
  private func isMissing(_ row: Int) -> Bool { !isBuilt(row) && rows.segment(ofRow: row) != nil }

  /// Builds the object of a row, and before it those that it needs, with an explicit stack.
  private mutating func build(_ row: Int) throws {
    var path = [Waiting(row: row, needs: [])]
    var isOnPath: Set = [row]
    while let waiting = path.last?.row {
      if let needed = path[path.count - 1].needs.popLast() {
        if isBuilt(needed) { continue }
        guard isOnPath.insert(needed).inserted else { throw cycle(path.map(\.row), to: needed) }
        path.append(Waiting(row: needed, needs: []))
        continue
      }
      let needs = try attempt(waiting)
      if needs.isEmpty {
        isOnPath.remove(waiting)
        path.removeLast()
      } else {
        path[path.count - 1].needs = needs.reversed()
      }
    }
  }

  /// Builds the object of a row, or returns the rows that must be built before, of which there is one.
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
    rows.references.value.source?.neededRow = nil
    do {
      try construct(row, reader)
      rows.references.value.objects.noteBuiltByNeed(row)
      cursor.positions.finishRow()
      return []
    } catch {
      guard let needed = rows.references.value.source?.neededRow else { throw error }
      let targets = try reader.keys?.targetsOfFailedValue() ?? []
      return [needed] + targets.filter { $0 > 0 && $0 != needed && isMissing($0) }
    }
  }

  /// The columns of the class of a row, and the row's index among those of the class in its segment.
  private mutating func cursor(ofRow row: Int) throws -> (Cursor, rowInClass: Int)? {
    guard let segment = rows.segment(ofRow: row) else { return nil }
    let rowsOfSegment = try rows.rows(inSegment: segment)
    let known = places[segment] ?? RowPlaces(of: rowsOfSegment)
    places[segment] = known
    guard let (classIndex, rowInClass) = known[row] else { return nil }
    let place = Place(segment: segment, classIndex: classIndex)
    if let cursor = cursors[place] { return (cursor, rowInClass) }
    guard let reader = rows.schema.readers[classIndex],
      let bound = rowsOfSegment.classes.first(where: { $0.classIndex == classIndex })
    else { return nil }
    let cursor = Cursor(try reader.copy(), bound)
    rows.schema.readersByNeed.append(cursor.reader)
    cursors[place] = cursor
    return (cursor, rowInClass)
  }

  /// The error for objects that need each other: the last of `path` needs one that waits for it.
  private func cycle(_ path: [Int], to row: Int) -> any Error {
    let cycle = path.drop { $0 != row }
    let names = (cycle + [row]).map {
      "#\(rows.fileRow($0))\(rows.className(ofRow: $0).map { " \($0)" } ?? "")"
    }
    let shown = names.count > 12 ? names.prefix(6) + ["…"] + names.suffix(5) : names[...]
    let error = ArchiveError(
      .constructionCycle,
      found: "objects whose initializers need each other: " + shown.joined(separator: " → "),
      expected: "objects that can be built one after another",
      remedy:
        "declare one property of the cycle as 'var', with an optional type, a collection type or an initial value",
      className: rows.className(ofRow: row),
      objectID: rows.id(ofRow: row))
    return rows.withPath(error)
  }
}
