import Arc

/// One relation of a package. It is satisfied if one of its alternatives is.
@Archivable
final class Dependency {
  /// The field that contains the relation (Debian Policy 7.2).
  @Archivable
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case preDepends = "pre-depends"
    case depends
    case recommends
    case suggests
    case enhances
    case breaks
    case conflicts
    case replaces
    case provides

    /// Whether the target lists the owner of the relation as a dependent.
    var createsDependent: Bool {
      switch self {
      case .preDepends, .depends, .recommends, .suggests, .enhances: true
      case .breaks, .conflicts, .replaces, .provides: false
      }
    }

    /// Whether the owner cannot be configured without the target. Only such relations form dependency cycles.
    var isRequired: Bool { self == .preDepends || self == .depends }
  }

  let kind: Kind
  /// The package that has the relation. The package owns this object, so this object never outlives the
  /// package.
  unowned let owner: Package
  /// The targets, in order of preference. This is a `var` with an initial value because packages depend on
  /// each other in cycles: Arc sets it after all objects exist.
  var alternatives: [Alternative] = []

  init(kind: Kind, owner: Package) {
    self.kind = kind
    self.owner = owner
  }
}

/// A package that would satisfy a dependency.
@Archivable
struct Alternative {
  let package: Package
  var constraint: VersionConstraint?
  /// The text after the colon of the name: `any`, or an architecture.
  var qualifier: String?
}

/// A weak reference to a package.
@Archivable
struct WeakPackage {
  weak var package: Package?
}
