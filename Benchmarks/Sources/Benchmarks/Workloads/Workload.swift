import Arc

/// A kind of graph, at some size, with all that is measured of it.
protocol Workload {
  /// The name in tables and options.
  static var name: String { get }
  /// The number of objects in the main table.
  static var fullCount: Int { get }
  /// Makes a workload of about that many objects; expensive parts only when they are needed.
  init(count: Int)
  /// Arc first, then floors, then peers.
  var contenders: [Contender] { get }
}

/// The workloads in the order of the README's tables.
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
