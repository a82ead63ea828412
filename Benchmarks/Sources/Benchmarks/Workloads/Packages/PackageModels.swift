import Arc
import Foundation

// The classes of the example `package-graph` (Examples/Sources/DebianPackageGraph), which is not a product.

/// The root: all packages, by name.
@Archivable
final class PackageDatabase {
  let source: String
  var names: [String] = []
  var packages: [String: Package] = [:]
  var maintainers: [Maintainer] = []

  init(source: String) { self.source = source }
}

/// A name in the database, and its description.
@Archivable
class Package {
  let name: String
  let version: String?
  let section: String?
  let summary: String?
  let text: String?
  let homepage: URL?
  let tags: Set<String>
  let maintainer: Maintainer?
  var dependencies: [Dependency] = []
  var dependents: [WeakPackage] = []

  init(_ values: PackageValues) {
    name = values.name
    version = values.version
    section = values.section
    summary = values.summary
    text = values.text
    homepage = values.homepage
    tags = values.tags
    maintainer = values.maintainer
  }

  func visit(_ walk: inout PackageWalk) {
    walk.digest.fold(name)
    walk.digest.fold(version)
    walk.digest.fold(section)
    walk.digest.fold(summary)
    walk.digest.fold(text)
    walk.digest.fold(homepage?.absoluteString)
    walk.fold(unordered: tags)
    walk.reach(maintainer: Reference(maintainer))
    walk.reach(dependencies: dependencies)
    // Read in place, because copying a weak reference takes longer than reading it.
    dependents.withUnsafeBufferPointer { dependents in
      guard let first = dependents.baseAddress else { return }
      for index in dependents.indices { walk.reach(package: Reference(first[index].package)) }
    }
  }
}

/// A package that exists as a file.
@Archivable
final class BinaryPackage: Package {
  /// The importance of the package for the system.
  @Archivable
  enum Priority: String, CaseIterable {
    case required
    case important
    case standard
    case optional
    case extra
  }

  let architecture: String
  let priority: Priority?
  let installedSizeInKiB: Int?
  let descriptionMD5: Data?
  let isEssential: Bool

  init(
    _ values: PackageValues, architecture: String, priority: Priority?, installedSizeInKiB: Int?,
    descriptionMD5: Data?, isEssential: Bool
  ) {
    self.architecture = architecture
    self.priority = priority
    self.installedSizeInKiB = installedSizeInKiB
    self.descriptionMD5 = descriptionMD5
    self.isEssential = isEssential
    super.init(values)
  }

  override func visit(_ walk: inout PackageWalk) {
    super.visit(&walk)
    walk.digest.fold(architecture)
    if let priority { walk.digest.fold(choice: priority) }
    walk.digest.fold(installedSizeInKiB)
    if let descriptionMD5 { for byte in descriptionMD5 { walk.digest.fold(byte) } }
    walk.digest.fold(isEssential)
  }
}

/// A name that only other packages provide.
@Archivable
final class VirtualPackage: Package {
  weak var onlyProvider: Package?

  override func visit(_ walk: inout PackageWalk) {
    super.visit(&walk)
    walk.reach(package: Reference(onlyProvider))
  }
}

/// A person or team that maintains packages.
@Archivable
final class Maintainer {
  let name: String
  let address: String?
  var packageCount = 0

  init(name: String, address: String?) {
    self.name = name
    self.address = address
  }

  func visit(_ walk: inout PackageWalk) {
    walk.digest.fold(name)
    walk.digest.fold(address)
    walk.digest.fold(packageCount)
  }
}

/// One relation of a package.
@Archivable
final class Dependency {
  /// The field that contains the relation.
  @Archivable
  enum Kind: String, CaseIterable {
    case preDepends = "pre-depends"
    case depends
    case recommends
    case suggests
    case enhances
    case breaks
    case conflicts
    case replaces
    case provides
  }

  let kind: Kind
  unowned let owner: Package
  var alternatives: [Alternative] = []

  init(kind: Kind, owner: Package) {
    self.kind = kind
    self.owner = owner
  }

  func visit(_ walk: inout PackageWalk) {
    walk.digest.fold(choice: kind)
    walk.reach(package: Reference(owner))
    alternatives.withUnsafeBufferPointer { alternatives in
      guard let first = alternatives.baseAddress else { return }
      for index in alternatives.indices { first[index].visit(&walk) }
    }
  }
}

/// A package that would satisfy a dependency.
@Archivable
struct Alternative {
  let package: Package
  var constraint: VersionConstraint?
  var qualifier: String?

  @inline(__always) func visit(_ walk: inout PackageWalk) {
    walk.reach(package: Reference(package))
    if let constraint {
      walk.digest.fold(choice: constraint.comparison)
      walk.digest.fold(constraint.version)
    }
    walk.digest.fold(qualifier)
  }
}

/// A condition on a version.
@Archivable
struct VersionConstraint {
  /// The comparison that a version must satisfy.
  @Archivable
  enum Comparison: String, CaseIterable {
    case earlier = "<<"
    case earlierOrEqual = "<="
    case equal = "="
    case laterOrEqual = ">="
    case later = ">>"
  }

  let comparison: Comparison
  let version: String
}

/// A weak reference to a package.
@Archivable
struct WeakPackage {
  weak var package: Package?
}

/// The values of a package, without relations.
struct PackageValues {
  var name: String
  var version: String?
  var section: String?
  var summary: String?
  var text: String?
  var homepage: URL?
  var tags: Set<String>
  var maintainer: Maintainer?
}
