/// One alternative of a relation field, as written: `libc6:any (>= 2.36) [amd64] <!nocheck>`.
struct PackageRelation: Hashable, CustomStringConvertible {
  let name: String
  /// The text after the colon of the name: `any`, or an architecture.
  var qualifier: String?
  var constraint: VersionConstraint?
  /// The architectures to which the relation is restricted, each with its `!` if it has one.
  var architectures: [String] = []
  /// The build profiles, one string per pair of angle brackets.
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

/// A relation field such as `Depends` (Debian Policy 7.1). One alternative of each group must be satisfied.
struct RelationField: Hashable, CustomStringConvertible {
  let groups: [[PackageRelation]]

  /// Parses the whole text. As in dpkg, empty groups are omitted, for example after a trailing comma.
  ///
  /// - Throws: `RelationError` with the index of the first wrong byte.
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

/// An error in a relation field, with its location.
struct RelationError: Error, Hashable, CustomStringConvertible {
  /// A kind of error in a relation field.
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
  /// The offset of the error in `text`, in UTF-8 bytes.
  let index: Int

  var description: String { "\(code.rawValue) at byte \(index) of \(text.debugDescription)" }
}
