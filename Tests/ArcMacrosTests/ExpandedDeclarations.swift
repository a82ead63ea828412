import SwiftParser
import SwiftSyntax

/// The functions, initializers, properties and extensions of a source, wherever they stand in it.
struct ExpandedDeclarations {
  /// Each as it is written, without what it is indented by.
  let texts: [String]
  /// Each in short: `public required init(from:)`, `class var archiveSchema`, `extension Point: Hashable`;
  /// without attributes, with a `where` clause.
  let heads: [String]

  init(in source: String) {
    let collector = Collector(viewMode: .sourceAccurate)
    collector.walk(Parser.parse(source: source))
    texts = collector.declarations.map(Self.text)
    heads = collector.declarations.map { Self.words(Self.head($0)) }
  }

  private static func text(_ declaration: DeclSyntax) -> String {
    let lines = declaration.trimmedDescription.split(separator: "\n", omittingEmptySubsequences: false)
    let indentation = lines.last?.prefix { $0 == " " } ?? ""
    return lines.map { $0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0 }
      .joined(separator: "\n")
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
      // What is in a body is no member.
      return node.kind == .extensionDecl ? .visitChildren : .skipChildren
    }
  }
}
