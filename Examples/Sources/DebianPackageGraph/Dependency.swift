import Arc

/// One relation of a package: it holds when any of its alternatives does.
@Archivable
final class Dependency {
  /// The field in which the relation stands (Debian Policy 7.2).
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

    /// Whether the relation asks for its target, so that the target lists its owner as a dependent.
    var wantsTarget: Bool {
      switch self {
      case .preDepends, .depends, .recommends, .suggests, .enhances: true
      case .breaks, .conflicts, .replaces, .provides: false
      }
    }

    /// Whether the owner cannot be configured without the target: only these make a dependency cycle.
    var isRequired: Bool { self == .preDepends || self == .depends }
  }

  let kind: Kind
  /// The package whose relation this is. It owns this object, which therefore never outlives it.
  unowned let owner: Package
  /// The targets, in order of preference. Packages depend on each other in cycles, so this is a `var` with an
  /// empty value: Arc links it after every object exists.
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
  /// What the relation says after the name's colon: `any`, or an architecture.
  var qualifier: String?
}

/// A package that is pointed at but not kept alive.
@Archivable
struct WeakPackage {
  weak var package: Package?
}
