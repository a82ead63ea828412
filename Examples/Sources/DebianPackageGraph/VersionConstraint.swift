import Arc

/// The comparison that a version must satisfy.
@Archivable
enum VersionOperator: String, CaseIterable, Hashable, Sendable {
  case earlier = "<<"
  case earlierOrEqual = "<="
  case equal = "="
  case laterOrEqual = ">="
  case later = ">>"

  /// Parses an operator. `<` and `>` are obsolete spellings of `<=` and `>=` (deb-control(5)).
  init?(parsing text: String) {
    switch text {
    case "<": self = .earlierOrEqual
    case ">": self = .laterOrEqual
    default: self.init(rawValue: text)
    }
  }
}

/// A condition on a version, such as `>= 2.36`.
@Archivable
struct VersionConstraint: Hashable, Sendable, CustomStringConvertible {
  let comparison: VersionOperator
  let version: String

  init(_ comparison: VersionOperator, _ version: String) {
    self.comparison = comparison
    self.version = version
  }

  var description: String { "\(comparison.rawValue) \(version)" }
}
