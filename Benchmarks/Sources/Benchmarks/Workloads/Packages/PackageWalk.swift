/// The walk over a package graph: packages breadth first, each with its dependencies and its maintainer.
///
/// It is like `Walk`, but its array of pending objects contains only packages, because all other objects are
/// reached from packages.
struct PackageWalk {
  var digest = Digest()
  private let table: VisitedTable
  private var packages: RetainedObjects
  private var others: RetainedObjects
  /// Not nil if the digest depends on the target of each reference.
  private var numbers: ObjectNumbers?

  fileprivate init(_ memory: PackageWalkMemory, comparesLinks: Bool) {
    table = memory.table
    packages = memory.packages
    others = memory.others
    numbers = comparesLinks ? ObjectNumbers() : nil
  }

  mutating func reach(package: Reference) {
    if isNew(package) { packages.append(package) }
  }

  mutating func reach(dependencies: [Dependency]) {
    dependencies.withUnsafeBytes { bytes in
      for address in bytes.assumingMemoryBound(to: UInt.self) {
        reach(dependency: Reference(address: address))
      }
    }
  }

  private mutating func reach(dependency: Reference) {
    guard isNew(dependency) else { return }
    others.append(dependency)
    dependency.unmanaged(Dependency.self)?._withUnsafeGuaranteedRef { $0.visit(&self) }
  }

  mutating func reach(maintainer: Reference) {
    guard isNew(maintainer) else { return }
    others.append(maintainer)
    maintainer.unmanaged(Maintainer.self)?._withUnsafeGuaranteedRef { $0.visit(&self) }
  }

  /// Folds strings whose order may differ in equal graphs.
  mutating func fold(unordered texts: some Sequence<String>) {
    var sum: UInt64 = 0
    for text in texts { sum &+= Digest.sum(of: text) }
    digest.fold(sum)
  }

  @inline(__always) private mutating func isNew(_ object: Reference) -> Bool {
    if object.address == 0 { return false }
    if numbers != nil { foldNumber(of: object) }
    return table.insert(object.address)
  }

  @inline(never) private mutating func foldNumber(of object: Reference) {
    if let number = numbers?.number(of: object) { digest.fold(number) }
  }

  fileprivate mutating func run(_ database: PackageDatabase) {
    digest.fold(database.source)
    for name in database.names { digest.fold(name) }
    for maintainer in database.maintainers { reach(maintainer: Reference(maintainer)) }
    fold(unordered: database.packages.keys)
    if numbers == nil {
      for package in database.packages.values { reach(package: Reference(package)) }
    } else {
      // Equal dictionaries may have their keys in different orders.
      for name in database.names { reach(package: Reference(database.packages[name])) }
    }
    var position = 0
    while position < packages.count {
      packages[position].unmanaged(Package.self)?._withUnsafeGuaranteedRef { $0.visit(&self) }
      position += 1
    }
    packages.removeAll()
    others.removeAll()
  }
}

/// The memory of walks over package graphs of up to `capacity` objects, allocated before a walk is timed.
final class PackageWalkMemory {
  fileprivate let table: VisitedTable
  fileprivate let packages: RetainedObjects
  fileprivate let others: RetainedObjects

  init(capacity: Int) {
    table = VisitedTable(capacity: capacity)
    packages = RetainedObjects(capacity: capacity)
    others = RetainedObjects(capacity: capacity)
  }

  deinit {
    table.deallocate()
    packages.deallocate()
    others.deallocate()
  }

  /// Returns the digest of all fields of a database.
  func digest(_ database: PackageDatabase, comparesLinks: Bool = false) -> UInt64 {
    table.removeAll()
    var walk = PackageWalk(self, comparesLinks: comparesLinks)
    walk.run(database)
    return walk.digest.value
  }
}
