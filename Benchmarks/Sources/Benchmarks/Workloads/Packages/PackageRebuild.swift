import Foundation

extension PackageColumns {
  /// Allocates maintainers, packages and dependencies, then links them.
  func rebuild() -> PackageDatabase {
    let database = PackageDatabase(source: "status")
    database.maintainers = (0..<maintainerNames.count).map {
      Maintainer(name: maintainerNames[$0], address: maintainerAddresses[$0])
    }
    let packages = kinds.indices.map { package($0, database.maintainers) }
    database.names = packages.map(\.name)
    database.packages = Dictionary(minimumCapacity: packages.count)
    for package in packages { database.packages[package.name] = package }
    for (index, package) in packages.enumerated() {
      package.maintainer?.packageCount += 1
      package.dependencies = dependencies(of: package, at: index, packages)
      package.dependents = dependents.range(index).map { WeakPackage(package: packages[dependents[$0]]) }
    }
    return database
  }

  private func package(_ index: Int, _ people: [Maintainer]) -> Package {
    let isBinary = kinds[index] == .binary
    let values = PackageValues(
      name: names[index], version: isBinary ? versionPool[Int(versions[index])] : nil,
      section: isBinary ? sectionPool[Int(sections[index])] : nil, summary: summaries[index],
      text: texts[index],
      homepage: homepages[index].flatMap { URL(string: $0) }, tags: tags(at: index),
      maintainer: maintainers[index] < 0 ? nil : people[Int(maintainers[index])])
    switch kinds[index] {
    case .binary:
      let checksum = index * Self.checksumBytes
      return BinaryPackage(
        values, architecture: "amd64", priority: BinaryPackage.Priority.allCases[Int(priorities[index])],
        installedSizeInKiB: sizes[index],
        descriptionMD5: Data(checksums[checksum..<checksum + Self.checksumBytes]),
        isEssential: sizes[index] < 100)
    case .virtual:
      return VirtualPackage(values)
    case .missing:
      return Package(values)
    }
  }

  private func tags(at index: Int) -> Set<String> {
    let range = tags.range(index)
    return range.isEmpty ? [] : Set(range.map { tagPool[tags[$0]] })
  }

  private func dependencies(of package: Package, at index: Int, _ packages: [Package]) -> [Dependency] {
    dependencyKinds.range(index).map { position in
      let dependency = Dependency(kind: Dependency.Kind.allCases[dependencyKinds[position]], owner: package)
      dependency.alternatives = alternatives.range(position).map { alternative in
        let comparison = Int(comparisons[alternative])
        return Alternative(
          package: packages[alternatives[alternative]],
          constraint: comparison == 255
            ? nil
            : VersionConstraint(
              comparison: VersionConstraint.Comparison.allCases[comparison],
              version: versionPool[Int(constraintVersions[alternative])]),
          qualifier: nil)
      }
      return dependency
    }
  }
}
