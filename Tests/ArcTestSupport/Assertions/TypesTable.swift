import Foundation

/// The table of supported types in the README.
package enum TypesTable {
  /// The names of the types in the rows of a module.
  package static func names(of module: String) throws -> [String] {
    let readme = try String(
      contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
    return readme.split(separator: "\n").flatMap { line -> [String] in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, cells[3].trimmingCharacters(in: .whitespaces) == "`\(module)`" else {
        return []
      }
      return cells[1].matches(of: /`([\w.]+)`/).map { String($0.1) }
    }
  }
}
