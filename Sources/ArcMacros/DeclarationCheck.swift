import SwiftSyntax
import SwiftSyntaxMacros

/// Where something is declared, as `#sourceLocation` takes it.
struct SourcePosition: Equatable {
  /// The path of the file, as a string literal.
  var file: String
  var line: Int

  /// The location some lines earlier, for a statement that begins before the part that the program wrote.
  func before(_ lineCount: Int) -> SourcePosition {
    SourcePosition(file: file, line: max(line - lineCount, 1))
  }

  /// Gives the places of nodes of a declaration; nil where the compiler does not tell.
  typealias Locator = (Syntax) -> SourcePosition?

  /// Asks for the place of the declaration, and counts lines from there: to ask for each node takes longer
  /// than to write the expansion.
  static func locator(in declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext) -> Locator
  {
    let place = context.location(of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath)
    guard let place, let firstLine = Int(place.line.trimmedDescription) else { return { _ in nil } }
    let file = place.file.trimmedDescription
    let lines = SourceLocationConverter(fileName: "", tree: declaration.root)
    let start = lines.location(for: declaration.positionAfterSkippingLeadingTrivia).line
    return { node in
      let line = lines.location(for: node.positionAfterSkippingLeadingTrivia).line
      return SourcePosition(file: file, line: firstLine + line - start)
    }
  }
}

/// A function that is never called, in which the compiler finds what cannot be archived: at the line where it
/// is declared. The functions that archive it compile with any type, so that there is no other error.
struct DeclarationCheck {
  /// A call, and where what it is about is declared.
  struct Statement {
    var call: String
    var place: SourcePosition?
  }

  var statements: [Statement]

  /// The function, with a parameter list and effects; nil where there is nothing to check.
  func function(_ signature: String, findings: Findings) -> String? {
    if statements.isEmpty || findings.containsError { return nil }
    return source("private static func __checkDeclarations\(signature)", statements.lines)
  }
}

extension [DeclarationCheck.Statement] {
  /// The statements, in which the compiler reports errors at the lines where they are declared.
  var lines: [String] {
    var lines: [String] = []
    // Where the compiler takes the next line to be; nil where that depends on how the expansion is formatted.
    var next: SourcePosition?
    for statement in self {
      if let place = statement.place, place != next {
        lines.append("#sourceLocation(file: \(place.file), line: \(place.line))")
      }
      lines.append(statement.call)
      next = statement.call.contains("{") ? nil : statement.place
      next?.line += 1
    }
    if contains(where: { $0.place != nil }) { lines.append("#sourceLocation()") }
    return lines
  }
}

extension StoredProperty {
  /// The check of the property in `slot` of a value given as an expression.
  func check(of value: String, at slot: Int) -> [DeclarationCheck.Statement] {
    let subject = "\(value).\(name)"
    if case .coded = form {
      // In two statements, because a type that is not decodable must not be reported twice.
      let encoded = "encoded\(slot)"
      return [
        "\(arc)__CodedProperty.check(\(arc)__CodedDeclaration(\(subject)))",
        "let \(encoded) = \(arc)__CodedProperty.encoded(\(subject))",
        "\(arc)__CodedProperty.check(\(encoded))",
      ].map { DeclarationCheck.Statement(call: $0, place: place) }
    }
    let kind = form == nil ? checkedKind : ""
    let call = "\(arc)__\(kind)Property.check(\(arc)__\(kind)Declaration(\(archived(subject))))"
    return [DeclarationCheck.Statement(call: call, place: place)]
      + conversions.map { $0.check(of: subject) }
  }

  /// The kind of property that the names of the check begin with.
  private var checkedKind: String {
    switch ownership {
    case .strong: ""
    case .weak: "Weak"
    case .unowned: "Unowned"
    }
  }
}

extension EnumerationCase.Payload {
  /// The check of the associated value, given as an expression.
  func check(of value: String) -> DeclarationCheck.Statement {
    DeclarationCheck.Statement(
      call: "\(arc)__AssociatedValue.check(\(arc)__Declaration(\(form?.archived(value) ?? value)))",
      place: place)
  }
}
