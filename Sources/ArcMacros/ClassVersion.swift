import SwiftSyntax

/// What a class says of its versions: `static let archiveVersion`, and `migrate(_:from:)` for what older ones
/// wrote.
struct ClassVersion {
  /// Whether the class states a version.
  private let isStated: Bool
  /// Whether it changes what older versions wrote.
  private let migrates: Bool

  init(of declaration: ClassDeclSyntax, findings: inout Findings) {
    let members = declaration.memberBlock.members.map(\.decl)
    isStated = members.contains { $0.as(VariableDeclSyntax.self)?.isTypeProperty("archiveVersion") ?? false }
    let migration = members.first { $0.as(FunctionDeclSyntax.self)?.isMigration ?? false }
    migrates = migration != nil
    if let migration, !isStated {
      findings.report(.migrationWithoutVersion(declaration.name.text), at: migration)
    }
  }

  /// The arguments of the class's schema.
  func arguments(for name: String) -> [String] {
    (isStated ? ["version: \(name).archiveVersion"] : [])
      + (isStated && migrates ? ["migration: { try \(name).migrate(&$0, from: $1) }"] : [])
  }
}

extension VariableDeclSyntax {
  fileprivate func isTypeProperty(_ name: String) -> Bool {
    (modifiers.contains(.static) || modifiers.contains(.class))
      && bindings.contains { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName == name }
  }
}

extension FunctionDeclSyntax {
  /// Whether it is `static func migrate(_:from:)`.
  fileprivate var isMigration: Bool {
    (modifiers.contains(.static) || modifiers.contains(.class)) && name.plainName == "migrate"
      && signature.parameterClause.parameters.map(\.firstName.text) == ["_", "from"]
  }
}
