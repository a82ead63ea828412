import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ArchivableMacro {
  /// The protocol by which a type is archived in another way, too, judged by those that the compiler misses.
  static func otherForm(missing protocols: [TypeSyntax]) -> String? {
    ["ArchivableByConversion", "ArchivableByCoding"].first { form in
      !protocols.contains { $0.baseName == form }
    }
  }

  /// Whether archives can reach values of the type at all.
  static func isOpenToArchives(
    _ declaration: some TypeDeclaration.Nominal, findings: inout Findings
  ) -> Bool {
    let suppressed = declaration.inheritanceClause?.inheritedTypes.first {
      $0.type.as(SuppressedTypeSyntax.self)?.type.baseName == "Copyable"
    }
    if let suppressed {
      findings.report(.noncopyableType(declaration.name.plainName), at: suppressed)
      return false
    }
    if !hasModuleSelectors, let name = declaration.moduleName {
      findings.report(.moduleName, at: name)
      return false
    }
    return true
  }

  /// Checks that the extension with the conformance, which is at file scope, can name the type.
  static func checkReach(
    of declaration: any TypeDeclaration.Nominal, findings: inout Findings,
    in context: some MacroExpansionContext
  ) {
    // At file scope, `private` reaches as far as `fileprivate`.
    if context.lexicalContext.isEmpty { return }
    if declaration.modifiers.contains(.private) {
      let fixIts = [FixIt.makeFileprivate(declaration.modifiers)].compactMap { $0 }
      findings.report(.unreachable(declaration.name.plainName), at: declaration.name, fixIts: fixIts)
      return
    }
    let enclosing = context.lexicalContext.dropLast().compactMap(\.nominal)
    if let hidden = enclosing.first(where: { $0.modifiers.contains(.private) }) {
      findings.report(.unreachable(hidden.name.plainName), at: declaration.name)
    }
  }

  /// Checks that each type parameter of a class is constrained: values of an unconstrained one have no form.
  static func checkTypeParameters(of declaration: ClassDeclSyntax, findings: inout Findings) {
    let name = declaration.name.plainName
    for parameter in declaration.genericParameterClause?.parameters ?? [] {
      switch parameter.kind {
      case .value: continue
      case .pack: findings.report(.parameterPack(parameter.name.plainName, of: name), at: parameter)
      case .type:
        guard parameter.inheritedType == nil, declaration.genericWhereClause == nil else { continue }
        findings.report(
          .unconstrainedParameter(parameter.name.plainName, of: name), at: parameter,
          fixIts: [.constrain(parameter)])
      }
    }
  }

  /// Checks what is particular to structs and enums. Their type parameters are constrained in the extension.
  static func checkValueType(
    _ declaration: some TypeDeclaration.Nominal, arguments: ArchivableArguments, at node: AttributeSyntax,
    findings: inout Findings
  ) {
    let name = declaration.name.plainName
    if arguments.superclass != .automatic { findings.report(.superclassOfValue(name), at: node) }
    for parameter in declaration.genericParameterClause?.parameters ?? [] where parameter.kind == .pack {
      findings.report(.parameterPack(parameter.name.plainName, of: name), at: parameter)
    }
  }
}

extension DeclGroupSyntax where Self: NamedDeclSyntax & WithGenericParametersSyntax {
  /// Where the type, a parameter or a member of it has the name of the module, by which generated code calls
  /// it.
  fileprivate var moduleName: TokenSyntax? {
    let parameters = genericParameterClause?.parameters.map(\.name) ?? []
    let members = memberBlock.members.flatMap(\.decl.names)
    return ([name] + parameters + members).first { $0.plainName == "Arc" }
  }
}

extension DeclSyntax {
  /// The names that a member declares, as far as they can stand before a dot.
  fileprivate var names: [TokenSyntax] {
    switch self.as(DeclSyntaxEnum.self) {
    case .variableDecl(let variable):
      variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
    case .enumCaseDecl(let declaration): declaration.elements.map(\.name)
    default: self.asProtocol((any NamedDeclSyntax).self).map { [$0.name] } ?? []
    }
  }
}

extension DeclGroupSyntax {
  /// What to say of the type if it conforms to the protocol of another way to archive it.
  func otherForm(_ conformance: String) -> ArchivableDiagnostic {
    .otherForm(asProtocol((any NamedDeclSyntax).self)?.name.plainName ?? "", conformance: conformance)
  }
}

extension ArchivableDiagnostic {
  /// What to say of a declaration that is neither class, struct nor enum.
  static func unsupported(_ declaration: some DeclGroupSyntax) -> ArchivableDiagnostic {
    if let actor = declaration.as(ActorDeclSyntax.self) { return .actor(actor.name.plainName) }
    if let type = declaration.as(ProtocolDeclSyntax.self) { return .protocolType(type.name.plainName) }
    if let type = declaration.as(ExtensionDeclSyntax.self) {
      return .extensionType(type.extendedType.trimmedDescription)
    }
    return .unsupportedDeclaration
  }
}
