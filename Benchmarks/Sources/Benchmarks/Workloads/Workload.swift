import Arc

/// A kind of graph of some size, with all contenders that are measured.
protocol Workload {
  /// The name in tables and options.
  static var name: String { get }
  /// The number of objects in the main table.
  static var fullCount: Int { get }
  /// Creates a workload of about `count` objects. Expensive parts are created at their first use.
  init(count: Int)
  /// The contenders: first Arc, then the floors, then the peers.
  var contenders: [Contender] { get }
}

/// All workloads, in the order of the README's tables.
enum WorkloadCatalog {
  static var all: [any Workload.Type] {
    [
      PeopleWorkload.self, DepthFirstTreeWorkload.self, LevelTreeWorkload.self, ChainWorkload.self,
      NumbersWorkload.self, StringsWorkload.self, UnsharedStringsWorkload.self, MixedWorkload.self,
      SmallWorkload.self, PackagesWorkload.self, EvolvedWorkload.self,
      GameWorkload.self,
    ]
  }
}
