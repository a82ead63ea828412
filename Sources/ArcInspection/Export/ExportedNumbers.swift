import ArcArchive
import ArcFormat

/// Which objects are exported where classes are left out, by their numbers: for formats that may refer to no
/// other. Read when it is first asked; a byte for each object of the file.
final class ExportedNumbers {
  private let file: ArchiveFile
  private let isWanted: [Bool]
  private var isExported: [Bool] = []

  /// The objects of some classes: `isWanted` says for each class of the file whether they are exported.
  init(_ file: ArchiveFile, isWanted: [Bool]) {
    self.file = file
    self.isWanted = isWanted
  }

  /// Whether an object is exported.
  ///
  /// - Throws: what is wrong with a segment.
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
