import ArcArchive
import ArcFormat

/// Paths from the roots to objects, in the syntax of `arcdump get`.
///
/// A path begins with the number of an object if the path has more than `maximumObjectCount` objects, or if
/// one of its steps is too long to be printed.
struct ObjectPaths {
  /// The maximum number of objects on a path that begins at a root.
  static let maximumObjectCount = 32
  /// The number of objects whose paths are found together. An object on several of these paths is read once.
  private static let batchCount = 1 << 16

  let catalog: ObjectCatalog
  let shortest: ShortestPaths

  /// Creates the paths in a file. `shortest` contains the rows on the paths.
  init(_ catalog: ObjectCatalog, _ shortest: ShortestPaths) {
    self.catalog = catalog
    self.shortest = shortest
  }

  /// Calls `body` with each object and its path. The path of an object that no root retains is the object's
  /// number.
  ///
  /// - Complexity: O(objects · `maximumObjectCount` + values of all objects on these paths). An object on the
  ///   paths is read at most once per 65,536 elements of `ids`.
  func forEachPath(to ids: [ObjectID], _ body: (ObjectID, PathText) throws -> Void) throws {
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      let batch = ids[start..<min(start + Self.batchCount, ids.count)]
      let steps = try steps(on: batch.flatMap { printedRows(to: Int($0.rawValue)) })
      for id in batch { try body(id, path(to: Int(id.rawValue), steps)) }
    }
  }

  /// Returns the path to an object.
  func path(to id: ObjectID) throws -> PathText {
    var found = PathText(id)
    try forEachPath(to: [id]) { found = $1 }
    return found
  }

  /// Returns the rows on the printed part of a path, last row first, without row 0.
  private func printedRows(to row: Int) -> [Int] {
    var rows: [Int] = []
    var next = row
    while next != 0, rows.count < Self.maximumObjectCount, let previous = shortest.predecessor(of: next) {
      rows.append(next)
      next = previous
    }
    return rows
  }

  /// Returns the text of one step for each row: the step from the row's predecessor on the path to the row.
  /// The keys are the rows. A row is missing if its step cannot be printed.
  private func steps(on rows: [Int]) throws -> [Int: String] {
    var targets: [Int: Set<Int>] = [:]
    for row in rows {
      if let previous = shortest.predecessor(of: row) { targets[previous, default: []].insert(row) }
    }
    var steps: [Int: String] = [:]
    for (row, targets) in targets.sorted(by: { $0.key < $1.key }) {
      let object = try catalog.file.object(ObjectID(rawValue: UInt32(row)))
      let matches = ReferenceSearch.references(in: object, catalog) { targets.contains(Int($0.rawValue)) }
      for match in matches where !match.isWeak {
        let row = Int(match.target.rawValue)
        if steps[row] == nil, let step = match.step { steps[row] = step }
      }
    }
    return steps
  }

  private func path(to row: Int, _ steps: [Int: String]) -> PathText {
    var texts: [String] = []
    var next = row
    while next != 0, texts.count < Self.maximumObjectCount, let step = steps[next],
      let previous = shortest.predecessor(of: next)
    {
      texts.append(step)
      next = previous
    }
    // The first step from row 0 is the name of the root, with which the path begins.
    var path =
      next == 0 && !texts.isEmpty
      ? PathText(beginning: texts.removeLast()) : PathText(ObjectID(rawValue: UInt32(next)))
    for text in texts.reversed() { path.append(text) }
    return path
  }
}
