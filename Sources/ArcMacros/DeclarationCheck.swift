import SwiftSyntax
import SwiftSyntaxMacros

/// The location of a declaration, as `#sourceLocation` requires it.
struct SourcePosition: Equatable {
  /// The path of the file, as a string literal.
  var file: String
  var line: Int

  /// Returns the location `lineCount` lines earlier. Used for a statement that begins with `lineCount`
  /// generated lines, followed by source of the program. The source then has its original line number.
  func before(_ lineCount: Int) -> SourcePosition {
    SourcePosition(file: file, line: max(line - lineCount, 1))
  }

  /// Returns the location of a node. Nil if the compiler does not provide it.
  typealias Locator = (Syntax) -> SourcePosition?

  /// Returns a function that locates the nodes of a declaration.
  ///
  /// The function gets the location of the declaration once, and counts lines from there. To get the location
  /// of each node from the compiler takes longer than the whole expansion.
  static func locator(in declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext) -> Locator
  {
    let location = context.location(of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath)
    guard let location, let firstLine = Int(location.line.trimmedDescription) else { return { _ in nil } }
    let file = location.file.trimmedDescription
    let lines = SourceLocationConverter(fileName: "", tree: declaration.root)
    let start = lines.location(for: declaration.positionAfterSkippingLeadingTrivia).line
    return { node in
      let line = lines.location(for: node.positionAfterSkippingLeadingTrivia).line
      return SourcePosition(file: file, line: firstLine + line - start)
    }
  }
}

/// A generated function that is never called. If a value cannot be archived, the function does not compile,
/// and the compiler reports the error at the line of the value's declaration.
///
/// The generated functions that archive values compile with any type, so the compiler reports no further
/// error.
struct DeclarationCheck {
  /// A call, and the location of the declaration that it checks.
  struct Statement {
    var call: String
    var location: SourcePosition?
  }

  var statements: [Statement]

  /// Returns the source of the function, with a parameter list and effects such as `throws`. Nil if there is
  /// nothing to check.
  func function(_ signature: String, findings: Findings) -> String? {
    if statements.isEmpty || findings.containsError { return nil }
    return source("private static func __checkDeclarations\(signature)", statements.lines)
  }
}

extension [DeclarationCheck.Statement] {
  /// The statements, with directives that make the compiler report errors at the checked declarations.
  var lines: [String] {
    var lines: [String] = []
    // The compiler's location of the next line. Nil if it depends on the formatting of the expansion.
    var next: SourcePosition?
    for statement in self {
      if let location = statement.location, location != next {
        lines.append("#sourceLocation(file: \(location.file), line: \(location.line))")
      }
      lines.append(statement.call)
      next = statement.call.contains("{") ? nil : statement.location
      next?.line += 1
    }
    if contains(where: { $0.location != nil }) { lines.append("#sourceLocation()") }
    return lines
  }
}

extension StoredProperty {
  /// Returns the check of the property in `slot`. `value` is an expression of the object.
  func check(of value: String, at slot: Int) -> [DeclarationCheck.Statement] {
    let subject = "\(value).\(name)"
    if case .coded = form {
      // Separate statements, so that the compiler reports a type that is not decodable only once.
      let encoded = "encoded\(slot)"
      return [
        "\(arc)__CodedProperty.check(\(arc)__CodedDeclaration(\(subject)))",
        "let \(encoded) = \(arc)__CodedProperty.encoded(\(subject))",
        "\(arc)__CodedProperty.check(\(encoded))",
      ].map { DeclarationCheck.Statement(call: $0, location: location) }
    }
    let kind = form == nil ? checkedKind : ""
    let call = "\(arc)__\(kind)Property.check(\(arc)__\(kind)Declaration(\(archived(subject))))"
    return [DeclarationCheck.Statement(call: call, location: location)]
      + conversions.map { $0.check(of: subject) }
  }

  /// The prefix of the names of the functions and types that check the property.
  private var checkedKind: String {
    switch ownership {
    case .strong: ""
    case .weak: "Weak"
    case .unowned: "Unowned"
    }
  }
}

extension EnumerationCase.Payload {
  /// Returns the check of the associated value. `value` is an expression of the associated value.
  func check(of value: String) -> DeclarationCheck.Statement {
    DeclarationCheck.Statement(
      call: "\(arc)__AssociatedValue.check(\(arc)__Declaration(\(form?.archived(value) ?? value)))",
      location: location)
  }
}
