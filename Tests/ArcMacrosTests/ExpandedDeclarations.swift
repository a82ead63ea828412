import SwiftParser
import SwiftSyntax

/// All functions, initializers, properties and extensions of a source, also in nested types.
struct ExpandedDeclarations {
  /// The head of each declaration without attributes, with a `where` clause: `public required init(from:)`,
  /// `class var archiveSchema`, `extension Point: Hashable`.
  let heads: [String]

  init(in source: String) {
    let collector = Collector(viewMode: .sourceAccurate)
    collector.walk(Parser.parse(source: source))
    heads = collector.declarations.map { Self.words(Self.head($0)) }
  }

  private static func head(_ declaration: DeclSyntax) -> String {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return "\(function.modifiers) func \(function.name.text)\(labels(function.signature)) "
        + "\(function.genericWhereClause?.description ?? "")"
    }
    if let initializer = declaration.as(InitializerDeclSyntax.self) {
      return "\(initializer.modifiers) init\(labels(initializer.signature))"
    }
    if let variable = declaration.as(VariableDeclSyntax.self) {
      let names = variable.bindings.map(\.pattern.trimmedDescription).joined(separator: ", ")
      return "\(variable.modifiers) \(variable.bindingSpecifier.text) \(names)"
    }
    // An extension.
    return String(declaration.trimmedDescription.prefix { $0 != "{" })
  }

  private static func labels(_ signature: FunctionSignatureSyntax) -> String {
    "(" + signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
  }

  private static func words(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  private final class Collector: SyntaxAnyVisitor {
    var declarations: [DeclSyntax] = []

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
      let kinds: [SyntaxKind] = [.functionDecl, .initializerDecl, .variableDecl, .extensionDecl]
      guard kinds.contains(node.kind), let declaration = node.as(DeclSyntax.self) else {
        return .visitChildren
      }
      declarations.append(declaration)
      // A declaration in a body is not a member.
      return node.kind == .extensionDecl ? .visitChildren : .skipChildren
    }
  }
}
