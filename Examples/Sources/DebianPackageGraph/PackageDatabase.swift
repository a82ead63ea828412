import Arc
import Foundation

/// The root of the graph: all packages, by name.
///
/// The database owns its packages. Dependencies also retain their targets, and form cycles. Call
/// `dismantle()` to release a database before the program ends.
@Archivable
final class PackageDatabase {
  /// The name of the package list without its folder.
  let source: String
  /// The modification date of the package list. Nil if unknown.
  let modified: Date?
  /// The keys of `packages` in order: the file's paragraphs, then names that packages provide, then missing
  /// names.
  var names: [String] = []
  /// All packages. The key is the name; another package with the same name has the key `name:architecture` or
  /// `name:architecture=version`.
  var packages: [String: Package] = [:]
  /// The maintainers in the order of their first mention.
  var maintainers: [Maintainer] = []

  init(source: String, modified: Date? = nil) {
    self.source = source
    self.modified = modified
  }

  /// The packages in the order of `names`.
  ///
  /// - Complexity: O(number of packages).
  var orderedPackages: [Package] { names.compactMap { packages[$0] } }

  /// Removes every dependency, so that no cycle retains a package.
  func dismantle() {
    for package in packages.values {
      package.dependencies = []
      package.dependents = []
    }
  }
}
