import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ArchivableMacro {
  /// Returns the protocol through which a type is already archived without generated code. Nil if there is
  /// none.
  ///
  /// `protocols` lists the protocols to which the type does not conform yet.
  static func otherForm(missing protocols: [TypeSyntax]) -> String? {
    ["ArchivableByConversion", "ArchivableByCoding"].first { form in
      !protocols.contains { $0.baseName == form }
    }
  }

  /// Whether an archive can contain values of the type. Reports the reason if not.
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

  /// Reports a nested type that is private. The generated extension is at file scope, so it cannot name such
  /// a type.
  static func checkReach(
    of declaration: any TypeDeclaration.Nominal, findings: inout Findings,
    in context: some MacroExpansionContext
  ) {
    // At file scope, a `private` type is visible in the whole file, like a `fileprivate` type.
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

  /// Reports the type parameters of a class that have no constraint, because values of these types cannot be
  /// archived.
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

  /// Checks the rules for structs and enums. Their type parameters need no check, because the generated
  /// extension constrains them.
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
  /// The name of the type itself, a type parameter or a member, if this name is `Arc`. Such a name hides the
  /// module Arc in generated code. Nil if there is none.
  fileprivate var moduleName: TokenSyntax? {
    let parameters = genericParameterClause?.parameters.map(\.name) ?? []
    let members = memberBlock.members.flatMap(\.decl.names)
    return ([name] + parameters + members).first { $0.plainName == "Arc" }
  }
}

extension DeclSyntax {
  /// The names that a member declares and that code can write before a dot, such as `Arc` in `Arc.value`.
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
  /// Returns the error for a type that already conforms to a protocol for archiving. `conformance` is the
  /// name of this protocol.
  func otherForm(_ conformance: String) -> ArchivableDiagnostic {
    .otherForm(asProtocol((any NamedDeclSyntax).self)?.name.plainName ?? "", conformance: conformance)
  }
}

extension ArchivableDiagnostic {
  /// Returns the error for a declaration that is not a class, struct or enum.
  static func unsupported(_ declaration: some DeclGroupSyntax) -> ArchivableDiagnostic {
    if let actor = declaration.as(ActorDeclSyntax.self) { return .actor(actor.name.plainName) }
    if let type = declaration.as(ProtocolDeclSyntax.self) { return .protocolType(type.name.plainName) }
    if let type = declaration.as(ExtensionDeclSyntax.self) {
      return .extensionType(type.extendedType.trimmedDescription)
    }
    return .unsupportedDeclaration
  }
}
