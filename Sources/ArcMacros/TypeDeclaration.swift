import SwiftSyntax
import SwiftSyntaxMacros

/// The facts about a type with `@Archivable` that every expansion needs.
struct TypeDeclaration {
  /// A class, struct or enum declaration.
  typealias Nominal = DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax

  /// The name as spelled in the program.
  var name: String
  /// The access modifier of generated members, followed by a space. Empty if the default access is right.
  ///
  /// The members of a struct are generated in an extension. Unlike the struct, the extension does not get its
  /// default access from a private enclosing type.
  var access: String
  /// The expression of the type's names in archives: a string literal, unless the type has former names.
  var archiveName: String
  /// The type parameters of the type and of the types around it, outermost first.
  var typeParameters: [String]

  init(
    _ declaration: some Nominal, arguments given: ArchivableArguments? = nil,
    in context: some MacroExpansionContext
  ) {
    let enclosing = Array(context.lexicalContext.reversed())
    let clauses =
      enclosing.map { $0.nominal?.genericParameterClause }
      + [declaration.genericParameterClause]
    name = declaration.name.text
    let isHidden = enclosing.contains { type in
      type.nominal.map { $0.modifiers.contains(.private) || $0.modifiers.contains(.fileprivate) } ?? false
    }
    access =
      isHidden && declaration.is(StructDeclSyntax.self)
      ? "fileprivate " : Self.access(of: declaration, in: context.lexicalContext.first)
    typeParameters = clauses.flatMap { $0.typeParameters }
    let extended = enclosing.compactMap { $0.as(ExtensionDeclSyntax.self) }
    let arguments = extended.map(Self.arguments(ofExtension:)).joined() + Self.argumentList(of: clauses)
    if let explicitName = given?.name {
      archiveName = "\"\(escaped(explicitName))\(arguments)\""
    } else {
      let components =
        enclosing.compactMap(Self.component(of:))
        + [escaped(declaration.name.plainName) + Self.argumentList(of: [declaration.genericParameterClause])]
      archiveName = "\"\(components.joined(separator: "."))\""
    }
    if let formerNames = given?.formerNames, !formerNames.isEmpty {
      let former = formerNames.map { "\"\(escaped($0))\(arguments)\"" }.joined(separator: ", ")
      archiveName = "\(arc)__ArchiveName(\(archiveName), formerly: \(former))"
    }
  }

  /// Returns the name of an enclosing type or extension, as a part of a nested type's archive name. The
  /// result is source for a string literal. Nil for functions and other code.
  private static func component(of enclosing: Syntax) -> String? {
    if let type = enclosing.as(ExtensionDeclSyntax.self) {
      return escaped(type.extendedType.trimmedDescription) + arguments(ofExtension: type)
    }
    return enclosing.nominal.map {
      escaped($0.name.plainName) + argumentList(of: [$0.genericParameterClause])
    }
  }

  /// Returns an interpolation that inserts the generic arguments of an extended type at run time. Empty if
  /// the extension spells the arguments.
  private static func arguments(ofExtension type: ExtensionDeclSyntax) -> String {
    if type.extendedType.trimmedDescription.contains("<") { return "" }
    return "\\(argumentsOf: \(type.extendedType.trimmedDescription).self)"
  }

  /// Returns the arguments for the parameters, as interpolations inside a string literal: `<\(…), \(…)>`.
  private static func argumentList(of clauses: [GenericParameterClauseSyntax?]) -> String {
    let arguments = clauses.flatMap { $0?.parameters.map(\.nameInterpolation) ?? [] }
    return arguments.isEmpty ? "" : "<\(arguments.joined(separator: ", "))>"
  }

  /// Returns the access modifier of the declaration. If the declaration has none, returns the modifier of the
  /// enclosing extension.
  private static func access(of declaration: some Nominal, in enclosing: Syntax?) -> String {
    let levels: [Keyword] = [.open, .public, .package, .internal, .fileprivate, .private]
    let own = levels.first { declaration.modifiers.contains($0) }
    let inherited = enclosing?.as(ExtensionDeclSyntax.self).flatMap { type in
      levels.first { type.modifiers.contains($0) }
    }
    switch own ?? inherited {
    case .open: return "open "
    case .public: return "public "
    case .package: return "package "
    default: return ""
    }
  }

  /// The access modifier for initializers and static members, which cannot be `open`.
  var closedAccess: String { access == "open " ? "public " : access }
}

extension Syntax {
  /// The node as a declaration of a named type. Nil for other nodes, such as extensions.
  var nominal: (any TypeDeclaration.Nominal)? {
    if let type = self.as(ClassDeclSyntax.self) { return type }
    if let type = self.as(StructDeclSyntax.self) { return type }
    if let type = self.as(EnumDeclSyntax.self) { return type }
    return self.as(ActorDeclSyntax.self)
  }

  /// Whether the node is a function, accessor or closure, which contains local declarations.
  var isCode: Bool {
    !self.is(ExtensionDeclSyntax.self) && !self.is(ProtocolDeclSyntax.self) && nominal == nil
  }
}

extension GenericParameterSyntax {
  enum Kind: Equatable { case type, pack, value }

  // Searches the tokens, because the name of this child differs between supported releases of swift-syntax.
  var kind: Kind {
    let words = tokens(viewMode: .sourceAccurate).map(\.tokenKind)
    if words.contains(.keyword(.each)) { return .pack }
    return words.contains(.keyword(.let)) ? .value : .type
  }

  fileprivate var nameInterpolation: String {
    kind == .value ? "\\(\(name.text))" : "\\(\(name.text).self)"
  }
}

extension GenericParameterClauseSyntax? {
  fileprivate var typeParameters: [String] {
    self?.parameters.filter { $0.kind == .type }.map(\.name.text) ?? []
  }
}
