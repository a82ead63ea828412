import SwiftParser
import SwiftSyntax

/// The keys that the properties of a type, or the cases of an enum, have claimed so far. Spec: 05-graph, rule
/// W4.
struct KeyLedger {
  /// By the bytes of the key: files tell `é` as one scalar from `é` as two.
  private var owners: [[UInt8]: String] = [:]

  /// Reads `@Key("current", "older")` and claims its keys, or without it the name itself.
  ///
  /// - Returns: The keys as string literals in the order written; nil where the name is the key.
  mutating func claim(
    _ mark: AttributeSyntax?, for name: String, at node: some SyntaxProtocol, findings: inout Findings
  ) -> [String]? {
    guard let mark else {
      claim(name, for: name, at: node, findings: &findings)
      return nil
    }
    // Without arguments the compiler has already objected.
    guard case .argumentList(let all) = mark.arguments else { return nil }
    // What follows is for models.
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
  /// The text of a string literal without interpolation; nil for every other expression.
  var plainStringValue: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }
}
