import ArcArchive
import ArcFormat

/// Paths from the roots to objects, as `arcdump get` reads them.
///
/// A way of more than `longestWay` objects begins with the number of one of them, and so does one with a step
/// that is too long to be written.
struct ObjectPaths {
  /// The number of objects on a way that is written from a root on.
  static let longestWay = 32
  /// Objects whose paths are found together: what leads to many of them is read once.
  private static let batchCount = 1 << 16

  let catalog: ObjectCatalog
  let shortest: ShortestPaths

  /// The paths in a file. `shortest` has the rows on the paths.
  init(_ catalog: ObjectCatalog, _ shortest: ShortestPaths) {
    self.catalog = catalog
    self.shortest = shortest
  }

  /// Calls `body` with each of some objects, and the way to it; of one that no root keeps, that is its
  /// number.
  ///
  /// - Complexity: O(objects · `longestWay`), and the values of all objects on these ways, for each 65,536 of
  ///   them once.
  func forEachPath(to ids: [ObjectID], _ body: (ObjectID, PathText) throws -> Void) throws {
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      let batch = ids[start..<min(start + Self.batchCount, ids.count)]
      let steps = try steps(on: batch.flatMap { way(to: Int($0.rawValue)) })
      for id in batch { try body(id, path(to: Int(id.rawValue), steps)) }
    }
  }

  /// The way to an object.
  func path(to id: ObjectID) throws -> PathText {
    var found = PathText(id)
    try forEachPath(to: [id]) { found = $1 }
    return found
  }

  /// The rows of a way that are written, the last one first, without row 0.
  private func way(to row: Int) -> [Int] {
    var rows: [Int] = []
    var next = row
    while next != 0, rows.count < Self.longestWay, let previous = shortest.predecessor(of: next) {
      rows.append(next)
      next = previous
    }
    return rows
  }

  /// For each row the step that leads to it from the one before it.
  private func steps(on rows: [Int]) throws -> [Int: String] {
    var targets: [Int: Set<Int>] = [:]
    for row in rows {
      if let previous = shortest.predecessor(of: row) { targets[previous, default: []].insert(row) }
    }
    var steps: [Int: String] = [:]
    for (row, targets) in targets.sorted(by: { $0.key < $1.key }) {
      let object = try catalog.file.object(ObjectID(rawValue: UInt32(row)))
      let places = ReferenceSearch.references(in: object, catalog) { targets.contains(Int($0.rawValue)) }
      for place in places where !place.isWeak {
        let row = Int(place.target.rawValue)
        if steps[row] == nil, let step = place.step { steps[row] = step }
      }
    }
    return steps
  }

  private func path(to row: Int, _ steps: [Int: String]) -> PathText {
    var texts: [String] = []
    var next = row
    while next != 0, texts.count < Self.longestWay, let step = steps[next],
      let previous = shortest.predecessor(of: next)
    {
      texts.append(step)
      next = previous
    }
    // The first step of a way from a root is its beginning.
    var path =
      next == 0 && !texts.isEmpty
      ? PathText(beginning: texts.removeLast()) : PathText(ObjectID(rawValue: UInt32(next)))
    for text in texts.reversed() { path.append(text) }
    return path
  }
}
