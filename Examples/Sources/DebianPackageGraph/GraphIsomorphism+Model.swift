import Foundation

/// The comparison of the classes of the model, with one line per property.
extension GraphIsomorphism {
  /// Compares the values of two corresponding objects, and follows their references.
  mutating func compare(_ pair: Pair) throws(GraphDifference) {
    switch pair {
    case .database(let original, let copy): try compare(original, copy)
    case .dependency(let original, let copy): try compare(original, copy)
    case .maintainer(let original, let copy): try compare(original, copy)
    case .package(let original, let copy):
      try compare(original, copy)
      // `match` has already compared the classes of the objects.
      if let original = original as? BinaryPackage, let copy = copy as? BinaryPackage {
        try compareBinary(original, copy)
      }
      switch (original, copy) {
      case (let original as InstalledPackage, let copy as InstalledPackage):
        try compareInstalled(original, copy)
      case (let original as AvailablePackage, let copy as AvailablePackage):
        try compareAvailable(original, copy)
      case (let original as VirtualPackage, let copy as VirtualPackage): try compareVirtual(original, copy)
      default: break
      }
    }
  }

  private mutating func compare(
    _ original: PackageDatabase, _ copy: PackageDatabase
  ) throws(GraphDifference) {
    try require(original.source, copy.source, .property("source"))
    try require(original.modified, copy.modified, .property("modified"))
    try require(original.names.count, copy.names.count, .count("names"))
    for (index, name) in original.names.enumerated() {
      try require(name, copy.names[index], .element("names", index))
    }
    try require(original.packages.count, copy.packages.count, .count("packages"))
    for name in original.names {
      try match(original.packages[name], copy.packages[name], .entry("packages", name), Pair.package)
    }
    try require(original.maintainers.count, copy.maintainers.count, .count("maintainers"))
    for (index, maintainer) in original.maintainers.enumerated() {
      try match(maintainer, copy.maintainers[index], .element("maintainers", index), Pair.maintainer)
    }
  }

  private func compare(_ original: Maintainer, _ copy: Maintainer) throws(GraphDifference) {
    try require(original.name, copy.name, .property("name"))
    try require(original.address, copy.address, .property("address"))
    try require(original.packageCount, copy.packageCount, .property("packageCount"))
  }

  private mutating func compare(_ original: Dependency, _ copy: Dependency) throws(GraphDifference) {
    try require(original.kind, copy.kind, .property("kind"))
    try match(original.owner, copy.owner, .property("owner"), Pair.package)
    try require(original.alternatives.count, copy.alternatives.count, .count("alternatives"))
    for (index, alternative) in original.alternatives.enumerated() {
      let other = copy.alternatives[index]
      try match(
        alternative.package, other.package, .element("alternatives", index, ".package"), Pair.package)
      try require(
        alternative.constraint?.comparison, other.constraint?.comparison,
        .element("alternatives", index, ".constraint.comparison"))
      try require(
        alternative.constraint?.version, other.constraint?.version,
        .element("alternatives", index, ".constraint.version"))
      try require(
        alternative.qualifier, other.qualifier, .element("alternatives", index, ".qualifier"))
    }
  }

  private mutating func compare(_ original: Package, _ copy: Package) throws(GraphDifference) {
    try require(original.name, copy.name, .property("name"))
    try require(original.version, copy.version, .property("version"))
    try require(original.section, copy.section, .property("section"))
    try require(original.summary, copy.summary, .property("summary"))
    try require(original.text, copy.text, .property("text"))
    try require(original.homepage?.absoluteString, copy.homepage?.absoluteString, .property("homepage"))
    try require(original.tags, copy.tags, "tags")
    try require(original.uninterpretedFields, copy.uninterpretedFields, "otherFields")
    try match(original.maintainer, copy.maintainer, .property("maintainer"), Pair.maintainer)
    try require(original.dependencies.count, copy.dependencies.count, .count("dependencies"))
    for (index, dependency) in original.dependencies.enumerated() {
      try match(dependency, copy.dependencies[index], .element("dependencies", index), Pair.dependency)
    }
    try compare(original.dependents, copy.dependents, "dependents")
  }

  private mutating func compare(
    _ original: [WeakPackage], _ copy: [WeakPackage], _ property: StaticString
  ) throws(GraphDifference) {
    try require(original.count, copy.count, .count(property))
    for (index, link) in original.enumerated() {
      try match(link.package, copy[index].package, .element(property, index, ".package"), Pair.package)
    }
  }
}

// MARK: - Subclasses of Package

extension GraphIsomorphism {
  private func compareBinary(_ original: BinaryPackage, _ copy: BinaryPackage) throws(GraphDifference) {
    try require(original.architecture, copy.architecture, .property("architecture"))
    try require(original.multiArch, copy.multiArch, .property("multiArch"))
    try require(original.priority, copy.priority, .property("priority"))
    try require(original.installedSizeInKiB, copy.installedSizeInKiB, .property("installedSizeInKiB"))
    try require(original.source, copy.source, .property("source"))
    try require(original.isEssential, copy.isEssential, .property("isEssential"))
  }

  private func compareInstalled(
    _ original: InstalledPackage, _ copy: InstalledPackage
  ) throws(GraphDifference) {
    try require(original.status, copy.status, .property("status"))
    try require(original.conffiles, copy.conffiles, "conffiles")
    try require(original.obsoleteConffiles, copy.obsoleteConffiles, "obsoleteConffiles")
  }

  private func compareAvailable(
    _ original: AvailablePackage, _ copy: AvailablePackage
  ) throws(GraphDifference) {
    try require(original.downloadSize, copy.downloadSize, .property("downloadSize"))
    try require(original.filename, copy.filename, .property("filename"))
    try require(original.checksums, copy.checksums, .property("checksums"))
    try require(original.descriptionMD5, copy.descriptionMD5, .property("descriptionMD5"))
  }

  private mutating func compareVirtual(
    _ original: VirtualPackage, _ copy: VirtualPackage
  ) throws(GraphDifference) {
    try compare(original.providers, copy.providers, "providers")
    try match(original.onlyProvider, copy.onlyProvider, .property("onlyProvider"), Pair.package)
  }
}
