import Foundation

/// The table of the article "Supported types".
package enum TypesTable {
  /// Returns the names of the types in the rows of a module.
  package static func names(of module: String) throws -> [String] {
    let article = try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/Arc/Arc.docc/SupportedTypes.md"),
      encoding: .utf8)
    return article.split(separator: "\n").flatMap { line -> [String] in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, cells[3].trimmingCharacters(in: .whitespaces) == "`\(module)`" else {
        return []
      }
      return cells[1].matches(of: /`([\w.]+)`/).map { String($0.1) }
    }
  }
}
