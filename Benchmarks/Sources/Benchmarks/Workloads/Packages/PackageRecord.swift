import Foundation

/// A package graph for coders of values. Packages and maintainers are indices, and there are no back
/// references.
struct PackageDatabaseRecord: Codable, Equatable {
  /// A person or team that maintains packages.
  struct Maintainer: Codable, Equatable {
    var name: String
    var address: String?
    var packageCount: Int
  }

  /// A package with its dependencies.
  struct Package: Codable, Equatable {
    var name: String
    var version: String?
    var section: String?
    var summary: String?
    var text: String?
    var homepage: URL?
    var tags: Set<String>
    var maintainer: Int?
    var dependencies: [Dependency]
    var architecture: String?
    var priority: String?
    var installedSizeInKiB: Int?
    var descriptionMD5: Data?
    var isEssential: Bool?
  }

  /// One relation.
  struct Dependency: Codable, Equatable {
    var kind: String
    var alternatives: [Alternative]
  }

  /// A package that would satisfy a dependency.
  struct Alternative: Codable, Equatable {
    var package: Int
    var comparison: String?
    var version: String?
    var qualifier: String?
  }

  var source: String
  var packages: [Package] = []
  var maintainers: [Maintainer] = []
}

extension PackageDatabaseRecord {
  /// Creates the records from the graph of the columns.
  init(_ columns: PackageColumns) {
    let database = columns.rebuild()
    defer { for package in database.packages.values { package.dependencies = [] } }
    source = database.source
    var indices: [ObjectIdentifier: Int] = [:]
    let ordered = database.names.compactMap { database.packages[$0] }
    for (index, package) in ordered.enumerated() { indices[ObjectIdentifier(package)] = index }
    for (index, maintainer) in database.maintainers.enumerated() {
      indices[ObjectIdentifier(maintainer)] = index
      maintainers.append(
        Maintainer(name: maintainer.name, address: maintainer.address, packageCount: maintainer.packageCount))
    }
    packages = ordered.map { Package($0, indices) }
  }
}

extension PackageDatabaseRecord.Package {
  fileprivate init(_ package: Package, _ indices: [ObjectIdentifier: Int]) {
    let binary = package as? BinaryPackage
    self.init(
      name: package.name, version: package.version, section: package.section, summary: package.summary,
      text: package.text, homepage: package.homepage, tags: package.tags,
      maintainer: package.maintainer.flatMap { indices[ObjectIdentifier($0)] },
      dependencies: package.dependencies.map { dependency in
        PackageDatabaseRecord.Dependency(
          kind: dependency.kind.rawValue,
          alternatives: dependency.alternatives.map {
            PackageDatabaseRecord.Alternative(
              package: indices[ObjectIdentifier($0.package)] ?? 0,
              comparison: $0.constraint?.comparison.rawValue,
              version: $0.constraint?.version, qualifier: $0.qualifier)
          })
      }, architecture: binary?.architecture, priority: binary?.priority?.rawValue,
      installedSizeInKiB: binary?.installedSizeInKiB, descriptionMD5: binary?.descriptionMD5,
      isEssential: binary?.isEssential)
  }
}
