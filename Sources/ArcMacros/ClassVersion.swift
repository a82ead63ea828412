import SwiftSyntax

/// What a class says of its versions: `static let archiveVersion`, and `migrate(_:from:)` for what older ones
/// wrote.
struct ClassVersion {
  /// Whether the class states a version.
  private let isStated: Bool
  /// What changes that which older versions wrote; nil if nothing does.
  private let migration: FunctionDeclSyntax?

  init(of declaration: ClassDeclSyntax, findings: inout Findings) {
    let members = declaration.memberBlock.members.map(\.decl)
    isStated = members.contains { $0.as(VariableDeclSyntax.self)?.isTypeProperty("archiveVersion") ?? false }
    migration = members.lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first(where: \.isMigration)
    if let migration, !isStated {
      findings.report(.migrationWithoutVersion(declaration.name.text), at: migration)
    }
  }

  /// The check that no extension of the class declares what its body does not.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - superclass: the superclass if that is archivable; what it declares is inherited.
  ///   - place: where the class is declared.
  /// - Returns: the statements; none for a class that declares both.
  func check(
    of name: String, superclass: String?, at place: SourcePosition?
  ) -> [DeclarationCheck.Statement] {
    func statements(_ variable: String, _ member: String, effect: String = "") -> [DeclarationCheck.Statement]
    {
      func found(in type: String) -> String { "\(arc)__VersionCheck.\(variable)(\(type).\(member))" }
      // Variables of their own: within one call the compiler prefers a default to what is unavailable.
      let inherited = superclass.map { ", \(variable)OfSuperclass = \(effect)\(found(in: $0))" } ?? ""
      let argument = superclass == nil ? "" : ", inherited: \(variable)OfSuperclass"
      return [
        .init(call: "let \(variable) = \(effect)\(found(in: name))\(inherited)", place: nil),
        .init(call: "\(arc)__VersionCheck.check(\(variable)\(argument))", place: place),
      ]
    }
    return (isStated ? [] : statements("version", "archiveVersion"))
      + (migration == nil
        ? statements("migration", "migrate(&migrated, from: 0)", effect: "try ") : [])
  }

  /// The arguments of the class's schema.
  func arguments(for name: String) -> [String] {
    guard isStated else { return [] }
    let version = "version: \(name).archiveVersion"
    guard let migration else { return [version] }
    // A `try` before what does not throw is a warning.
    let effect = migration.signature.effectSpecifiers?.throwsClause == nil ? "" : "try "
    return [version, "migration: { \(effect)\(name).migrate(&$0, from: $1) }"]
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
