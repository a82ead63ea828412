/// One alternative of a relation field, as written: `libc6:any (>= 2.36) [amd64] <!nocheck>`.
struct PackageRelation: Hashable, CustomStringConvertible {
  let name: String
  /// What stands after the colon of the name: `any`, or an architecture.
  var qualifier: String?
  var constraint: VersionConstraint?
  /// The architectures in brackets to which the relation is limited, each with its `!` if it has one.
  var architectures: [String] = []
  /// The build profiles, one text for each pair of angle brackets.
  var profiles: [String] = []

  var description: String {
    var text = name
    if let qualifier { text += ":\(qualifier)" }
    if let constraint { text += " (\(constraint))" }
    if !architectures.isEmpty { text += " [\(architectures.joined(separator: " "))]" }
    for profile in profiles { text += " <\(profile)>" }
    return text
  }
}

/// A relation field such as `Depends` (Debian Policy 7.1): every group must hold, by any of its alternatives.
struct RelationField: Hashable, CustomStringConvertible {
  let groups: [[PackageRelation]]

  /// Reads the whole text; empty groups, as after a trailing comma, are left out as dpkg does.
  ///
  /// - Throws: `RelationError` with the index of the byte that does not fit.
  init(parsing text: String) throws(RelationError) {
    var scanner = RelationScanner(text)
    var groups: [[PackageRelation]] = []
    repeat {
      if scanner.isAtEnd || scanner.isNext(",") { continue }
      var alternatives = [try scanner.relation()]
      while scanner.skip("|") {
        alternatives.append(try scanner.relation())
      }
      groups.append(alternatives)
    } while scanner.skip(",")
    guard scanner.isAtEnd else { throw scanner.error(.unexpectedByte) }
    self.groups = groups
  }

  var description: String {
    groups.map { $0.map(\.description).joined(separator: " | ") }.joined(separator: ", ")
  }
}

/// What is wrong with a relation field, and at which byte.
struct RelationError: Error, Hashable, CustomStringConvertible {
  /// The ways in which a relation field can be broken.
  enum Code: String, CaseIterable {
    case missingName
    case missingQualifier
    case unknownOperator
    case missingVersion
    case unclosedBracket
    case unexpectedByte
  }

  let code: Code
  let text: String
  /// The UTF-8 offset in `text`.
  let index: Int

  var description: String { "\(code.rawValue) at byte \(index) of \(text.debugDescription)" }
}
