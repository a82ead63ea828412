import SwiftSyntax

/// Pieces of generated source. The compiler shows expansions to people, so they come with line breaks.

// Generated code names the modules by selectors, so that a type of the program named `Arc` does not hide the
// module. Both the compiler and swift-syntax must know selectors.
#if compiler(>=6.3) && canImport(SwiftSyntax603)
  let hasModuleSelectors = true
#else
  let hasModuleSelectors = false
#endif

/// The prefix of names that generated code takes from module Arc.
let arc = hasModuleSelectors ? "Arc::" : "Arc."

/// The prefix of names that generated code takes from module ArcModel.
let arcModel = hasModuleSelectors ? "ArcModel::" : "ArcModel."

extension DeclSyntax {
  /// A declaration from its source. The source is not parsed: the compiler parses what a macro returns, and
  /// parsing and formatting it here took two thirds of the time in which a class was compiled.
  init(unparsed source: String) {
    self.init(MissingDeclSyntax(placeholder: .identifier(source)))
  }
}

extension ExtensionDeclSyntax {
  /// An extension from the source after its keyword. The source is not parsed.
  init(modifiers: DeclModifierListSyntax, unparsed source: String) {
    self.init(
      modifiers: modifiers, extensionKeyword: .keyword(.extension, trailingTrivia: .space),
      extendedType: MissingTypeSyntax(placeholder: .identifier(source)),
      memberBlock: MemberBlockSyntax(
        leftBrace: .leftBraceToken(presence: .missing), members: [],
        rightBrace: .rightBraceToken(presence: .missing)))
  }
}

/// A function, accessor or initializer whose body is `statements`, each of one or more lines.
func source(_ head: String, _ statements: [String]) -> String {
  "\(head) {\n\(statements.map { "\(indented($0))\n" }.joined())}"
}

/// A closure that gives what is archived of a property of its parameter, which is of type `type`.
func accessor(of property: StoredProperty, parameter: String, type: String) -> String {
  "{ (\(parameter): \(type)) in\n  \(property.archived("\(parameter).\(property.name)"))\n}"
}

/// A closure that reads a property of its parameter, which is of type `type`.
func plainAccessor(of property: StoredProperty, parameter: String, type: String) -> String {
  "{ (\(parameter): \(type)) in\n  \(parameter).\(property.name)\n}"
}

/// A closure that sets a property of its first parameter to its second one.
func setter(of property: StoredProperty, parameter: String) -> String {
  "{ \(parameter), value in\n  \(parameter).\(property.name) = value\n}"
}

/// An expression as the result of a function, after its other statements.
func result(_ expression: String, after statements: [String]) -> String {
  statements.isEmpty ? expression : "return \(expression)"
}

/// An array literal with each element on lines of its own.
func list(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n\(elements.map(indented).joined(separator: ",\n"))\n]"
}

/// A call with each argument on lines of its own.
func call(_ function: String, _ arguments: [String]) -> String {
  "\(function)(\n\(arguments.map(indented).joined(separator: ",\n"))\n)"
}

/// `lines`, each two columns further to the right.
func indented(_ lines: String) -> String {
  lines.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
}

/// The source of a string literal with the value `text`.
func literal(_ text: String) -> String {
  "\"\(escaped(text))\""
}

/// `text` as it is written inside a string literal.
func escaped(_ text: String) -> String {
  text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined()
}
