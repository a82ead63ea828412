import ArcArchive
import ArcFormat

/// The numbers of the exported objects, if some classes are not exported. Formats use this set to omit
/// references to objects that are not exported.
///
/// The set is read from the file at the first query. It uses one byte for each object of the file.
final class ExportedNumbers {
  private let file: ArchiveFile
  private let isWanted: [Bool]
  private var isExported: [Bool] = []

  /// Creates the set. `isWanted` states, for each class of the file, whether objects of this class are
  /// exported.
  init(_ file: ArchiveFile, isWanted: [Bool]) {
    self.file = file
    self.isWanted = isWanted
  }

  /// Whether an object is exported.
  ///
  /// - Throws: `ArchiveError` if a segment is damaged.
  func contains(_ id: ObjectID) throws -> Bool {
    if isExported.isEmpty { try read() }
    let row = Int(id.rawValue)
    return row < isExported.count && isExported[row]
  }

  private func read() throws {
    var found = [Bool](repeating: false, count: file.rowCount)
    for index in file.rowsSegments {
      for run in try file.rows(inSegment: index).runs where isWanted[run.classIndex] {
        for row in run.rows.clamped(to: found.indices) { found[row] = true }
      }
    }
    isExported = found
  }
}
