import SwiftParser
import SwiftSyntax

/// The keys that the properties of a type, or the cases of an enum, have claimed so far. Spec: 05-graph, rule
/// W4.
struct KeyLedger {
  /// The owner of each key, by the key's bytes. Files distinguish `é` as one scalar from `é` as two.
  private var owners: [[UInt8]: String] = [:]

  /// Reads `@Key("current", "older")` and claims its keys. Without the attribute, claims the name of the
  /// property or case.
  ///
  /// - Returns: the keys as string literals, in order. Nil if the key is the name of the property or case.
  mutating func claim(
    _ mark: AttributeSyntax?, for name: String, at node: some SyntaxProtocol, findings: inout Findings
  ) -> [String]? {
    guard let mark else {
      claim(name, for: name, at: node, findings: &findings)
      return nil
    }
    // If the arguments are missing, the compiler has reported an error.
    guard case .argumentList(let all) = mark.arguments else { return nil }
    // ArcModel reads the arguments after the label `json`.
    let arguments = all.prefix { $0.label?.text != "json" }
    if arguments.isEmpty, !all.isEmpty { return claim(nil, for: name, at: node, findings: &findings) }
    var keys: Set<[UInt8]> = []
    for argument in arguments {
      guard let key = argument.expression.plainStringValue else {
        findings.report(.keyNotLiteral, at: argument.expression)
        continue
      }
      if key.isEmpty {
        findings.report(.emptyKey, at: argument.expression)
      } else if !keys.insert(Array(key.utf8)).inserted {
        findings.report(.repeatedKey(key), at: argument.expression)
      } else {
        claim(key, for: name, at: argument.expression, findings: &findings)
      }
    }
    return arguments.map(\.expression.trimmedDescription)
  }

  private mutating func claim(
    _ key: String, for name: String, at node: some SyntaxProtocol, findings: inout Findings
  ) {
    if let owner = owners[Array(key.utf8)] {
      findings.report(.duplicateKey(key, of: name, owner: owner), at: node)
    } else {
      owners[Array(key.utf8)] = name
    }
  }
}

extension ExprSyntax {
  /// The value of a string literal without interpolation. Nil for other expressions.
  var plainStringValue: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}
