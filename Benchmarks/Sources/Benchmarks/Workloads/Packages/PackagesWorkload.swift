/// A graph with the shape of Debian's package graph, generated from a fixed seed so that it does not depend
/// on the machine. It contains packages in a dictionary, dependencies with alternatives and cycles, weak and
/// unowned back references, sets, URLs and data.
struct PackagesWorkload: Workload {
  static let name = "packages"
  static let fullCount = 500_000
  let contenders: [Contender]

  init(count: Int) {
    let columns = Lazily { PackageColumns(count: count) }
    let database = Lazily(dismantle: Self.dismantle) { try columns.value().rebuild() }
    let subject = ArcSubject(
      root: database, objectCount: count, classes: [BinaryPackage.self, VirtualPackage.self],
      digest: { PackageWalkMemory(capacity: count).digest($0, comparesLinks: true) },
      dismantle: Self.dismantle)
    let fewer = min(count, 50_000)
    let records = Lazily { PackageDatabaseRecord(PackageColumns(count: fewer)) }
    contenders =
      subject.contenders + subject.valueContenders + [
        subject.canonicalContender,
        .walk(database, objectCount: count) { database in
          let memory = PackageWalkMemory(capacity: count)
          return { memory.digest(database) }
        },
        .rebuild(columns, objectCount: count, dismantle: Self.dismantle) { $0.rebuild() },
      ] + Contender.codable(records, objectCount: fewer, remark: "packages as indices, no references back")
  }

  /// Breaks the cycles.
  private static func dismantle(_ database: PackageDatabase) {
    for package in database.packages.values {
      package.dependencies = []
      package.dependents = []
    }
  }
}
