import SwiftSyntax

// The functions of this file build generated source. They add line breaks, because compilers and editors
// display expansions.

// Generated code uses module selectors, so that a type `Arc` of the program does not hide the module. The
// compiler and swift-syntax must both support selectors.
#if compiler(>=6.3) && canImport(SwiftSyntax603)
  let hasModuleSelectors = true
#else
  let hasModuleSelectors = false
#endif

/// The prefix of names from module Arc in generated code.
let arc = hasModuleSelectors ? "Arc::" : "Arc."

/// The prefix of names from module ArcModel in generated code.
let arcModel = hasModuleSelectors ? "ArcModel::" : "ArcModel."

extension DeclSyntax {
  /// Creates a declaration from its source, without parsing.
  ///
  /// The compiler parses the source that a macro returns. When the macro also parsed and formatted the
  /// source, this took two thirds of the time for compiling a class.
  init(unparsed source: String) {
    self.init(MissingDeclSyntax(placeholder: .identifier(source)))
  }
}

extension ExtensionDeclSyntax {
  /// Creates an extension from the source after its keyword, without parsing.
  init(modifiers: DeclModifierListSyntax, unparsed source: String) {
    self.init(
      modifiers: modifiers, extensionKeyword: .keyword(.extension, trailingTrivia: .space),
      extendedType: MissingTypeSyntax(placeholder: .identifier(source)),
      memberBlock: MemberBlockSyntax(
        leftBrace: .leftBraceToken(presence: .missing), members: [],
        rightBrace: .rightBraceToken(presence: .missing)))
  }
}

/// Returns a function, accessor or initializer with a body of `statements`, which may have several lines
/// each.
func source(_ head: String, _ statements: [String]) -> String {
  "\(head) {\n\(statements.map { "\(indented($0))\n" }.joined())}"
}

/// Returns the source of a closure with one parameter of type `type`. The closure returns the property of its
/// argument, in the archived form.
func accessor(of property: StoredProperty, parameter: String, type: String) -> String {
  "{ (\(parameter): \(type)) in\n  \(property.archived("\(parameter).\(property.name)"))\n}"
}

/// Returns the source of a closure with one parameter of type `type`. The closure returns the property of its
/// argument.
func plainAccessor(of property: StoredProperty, parameter: String, type: String) -> String {
  "{ (\(parameter): \(type)) in\n  \(parameter).\(property.name)\n}"
}

/// Returns the source of a closure with two parameters. The closure sets the property of its first argument
/// to its second argument.
func setter(of property: StoredProperty, parameter: String) -> String {
  "{ \(parameter), value in\n  \(parameter).\(property.name) = value\n}"
}

/// Returns the statement that returns `expression` at the end of a function. If the function has no other
/// statements, omits `return`.
func result(_ expression: String, after statements: [String]) -> String {
  statements.isEmpty ? expression : "return \(expression)"
}

/// Returns an array literal, with each element on separate lines.
func list(_ elements: [String]) -> String {
  elements.isEmpty ? "[]" : "[\n\(elements.map(indented).joined(separator: ",\n"))\n]"
}

/// Returns a call, with each argument on separate lines.
func call(_ function: String, _ arguments: [String]) -> String {
  "\(function)(\n\(arguments.map(indented).joined(separator: ",\n"))\n)"
}

/// Returns `lines`, indented by two columns.
func indented(_ lines: String) -> String {
  lines.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
}

/// Returns the source of a string literal with the value `text`.
func literal(_ text: String) -> String {
  "\"\(escaped(text))\""
}

/// Returns `text` with the escapes that a string literal requires.
func escaped(_ text: String) -> String {
  text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined()
}
