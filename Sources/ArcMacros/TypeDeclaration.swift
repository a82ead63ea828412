import SwiftSyntax
import SwiftSyntaxMacros

/// What every expansion needs to know of the type that carries `@Archivable`.
struct TypeDeclaration {
  /// A class, struct or enum declaration.
  typealias Nominal = DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax

  /// The name as the program spells it.
  var name: String
  /// The access modifier of generated members, followed by a blank; empty where the default is right. In an
  /// extension, where the members of a struct are, the default does not know that a type around the struct is
  /// private.
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

  /// One component of the nesting path, for use inside a string literal; nil for functions and the like.
  private static func component(of enclosing: Syntax) -> String? {
    if let type = enclosing.as(ExtensionDeclSyntax.self) {
      return escaped(type.extendedType.trimmedDescription) + arguments(ofExtension: type)
    }
    return enclosing.nominal.map {
      escaped($0.name.plainName) + argumentList(of: [$0.genericParameterClause])
    }
  }

  /// The arguments of an extended type, which only the running program knows, as an interpolation; nothing if
  /// they are spelled.
  private static func arguments(ofExtension type: ExtensionDeclSyntax) -> String {
    if type.extendedType.trimmedDescription.contains("<") { return "" }
    return "\\(argumentsOf: \(type.extendedType.trimmedDescription).self)"
  }

  /// The arguments for the parameters, as interpolations inside a string literal: `<\(…), \(…)>`.
  private static func argumentList(of clauses: [GenericParameterClauseSyntax?]) -> String {
    let arguments = clauses.flatMap { $0?.parameters.map(\.nameInterpolation) ?? [] }
    return arguments.isEmpty ? "" : "<\(arguments.joined(separator: ", "))>"
  }

  /// The access that the declaration has by its own modifier or by that of the extension around it.
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

  /// The access of what cannot be open: initializers and static members.
  var closedAccess: String { access == "open " ? "public " : access }
}

extension Syntax {
  /// The node as a declaration of a type with a name of its own, which an extension is not.
  var nominal: (any TypeDeclaration.Nominal)? {
    if let type = self.as(ClassDeclSyntax.self) { return type }
    if let type = self.as(StructDeclSyntax.self) { return type }
    if let type = self.as(EnumDeclSyntax.self) { return type }
    return self.as(ActorDeclSyntax.self)
  }

  /// Whether the node is around declarations of a function, an accessor or a closure.
  var isCode: Bool {
    !self.is(ExtensionDeclSyntax.self) && !self.is(ProtocolDeclSyntax.self) && nominal == nil
  }
}

extension GenericParameterSyntax {
  enum Kind: Equatable { case type, pack, value }

  // By token, because the name of this child differs between the releases of swift-syntax that we accept.
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
