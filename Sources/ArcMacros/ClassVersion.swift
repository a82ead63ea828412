import SwiftSyntax

/// The version of a class and its migration: the members `archiveVersion` and `migrate(_:from:)`.
struct ClassVersion {
  /// Whether the class declares a version.
  private let declaresVersion: Bool
  /// The function that migrates objects of older versions. Nil if the class declares none.
  private let migration: FunctionDeclSyntax?

  init(of declaration: ClassDeclSyntax, findings: inout Findings) {
    let members = declaration.memberBlock.members.map(\.decl)
    declaresVersion = members.contains {
      $0.as(VariableDeclSyntax.self)?.isTypeProperty("archiveVersion") ?? false
    }
    migration = members.lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first(where: \.isMigration)
    if let migration, !declaresVersion {
      findings.report(.migrationWithoutVersion(declaration.name.text), at: migration)
    }
  }

  /// Returns statements that check where the version and the migration are declared. Only the class itself
  /// may declare them. If an extension of the class declares one of them, the statements do not compile.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - superclass: the archivable superclass, whose declarations are inherited; nil if there is none.
  ///   - location: the location of the class's declaration.
  /// - Returns: the statements. Empty if the class declares both.
  func check(
    of name: String, superclass: String?, at location: SourcePosition?
  ) -> [DeclarationCheck.Statement] {
    func statements(_ variable: String, _ member: String, effect: String = "") -> [DeclarationCheck.Statement]
    {
      func found(in type: String) -> String { "\(arc)__VersionCheck.\(variable)(\(type).\(member))" }
      // Separate variables, because within one call the compiler prefers a default to an unavailable member.
      let inherited = superclass.map { ", \(variable)OfSuperclass = \(effect)\(found(in: $0))" } ?? ""
      let argument = superclass == nil ? "" : ", inherited: \(variable)OfSuperclass"
      return [
        .init(call: "let \(variable) = \(effect)\(found(in: name))\(inherited)", location: nil),
        .init(call: "\(arc)__VersionCheck.check(\(variable)\(argument))", location: location),
      ]
    }
    return (declaresVersion ? [] : statements("version", "archiveVersion"))
      + (migration == nil
        ? statements("migration", "migrate(&migrated, from: 0)", effect: "try ") : [])
  }

  /// Returns the arguments for the schema of the class: the version and the migration. Empty if the class
  /// declares no version.
  func arguments(for name: String) -> [String] {
    guard declaresVersion else { return [] }
    let version = "version: \(name).archiveVersion"
    guard let migration else { return [version] }
    // The compiler warns of a `try` before a call that does not throw.
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
  /// Whether the function is `static func migrate(_:from:)`.
  fileprivate var isMigration: Bool {
    (modifiers.contains(.static) || modifiers.contains(.class)) && name.plainName == "migrate"
      && signature.parameterClause.parameters.map(\.firstName.text) == ["_", "from"]
  }
}
