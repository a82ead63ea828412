/// The numbers of objects and links of each kind in a package graph.
struct GraphStatistics: Hashable {
  var installed = 0
  var available = 0
  var virtual = 0
  var missing = 0
  var dependencies = 0
  var alternatives = 0
  var maintainers = 0
  var weakLinks = 0

  init() {}

  /// Counts the objects and links of a graph.
  ///
  /// - Complexity: O(packages + dependencies + weak links).
  init(of database: PackageDatabase) {
    maintainers = database.maintainers.count
    for package in database.packages.values {
      switch package {
      case is InstalledPackage: installed += 1
      case is AvailablePackage: available += 1
      case is MissingPackage: missing += 1
      case let package as VirtualPackage:
        virtual += 1
        weakLinks += package.providers.count + (package.onlyProvider == nil ? 0 : 1)
      default: break
      }
      dependencies += package.dependencies.count
      alternatives += package.dependencies.reduce(0) { $0 + $1.alternatives.count }
      weakLinks += package.dependents.count
    }
  }

  var packages: Int { installed + available + virtual + missing }
}
