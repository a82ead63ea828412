import Arc
import Foundation

/// The root of the graph: every package, by name.
///
/// It owns its packages; apart from that, dependencies keep their targets alive, and they form cycles. Call
/// `dismantle()` to let go of a database before the program ends.
@Archivable
final class PackageDatabase {
  /// The name of the file that was read, without its folder.
  let source: String
  /// When that file was last changed, where that is known.
  let modified: Date?
  /// The keys of `packages` in order: the file's paragraphs, then names that are provided, then the missing.
  var names: [String] = []
  /// Every package. The key is its name; a further one of that name is under `name:architecture` or
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

  /// Cuts every dependency, so that no cycle keeps a package alive.
  func dismantle() {
    for package in packages.values {
      package.dependencies = []
      package.dependents = []
    }
  }
}
