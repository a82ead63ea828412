import SwiftSyntax

/// `@Key("older", from: Int.self, { … })`: what the program makes of a value that older files have under
/// another key, or of several of them.
struct KeyConversion: Equatable {
  /// The keys as string literals.
  let keys: [String]
  /// The expression of the type of their values, a tuple for several.
  private let type: String
  /// The function that makes the property's value.
  private let function: String
  /// The location of the function. Nil if it is unknown.
  let place: SourcePosition?

  /// Reads the mark; nil, with a finding, for one that cannot be read.
  init?(_ mark: AttributeSyntax, locate: SourcePosition.Locator, findings: inout Findings) {
    guard case .argumentList(let arguments) = mark.arguments,
      let position = arguments.firstIndex(where: { $0.label?.text == "from" })
    else { return nil }
    let keys = arguments[..<position]
    for key in keys {
      guard let text = key.expression.plainStringValue else {
        findings.report(.keyNotLiteral, at: key.expression)
        return nil
      }
      if text.isEmpty { findings.report(.emptyKey, at: key.expression) }
    }
    // Otherwise the compiler has objected.
    guard let function = arguments[position...].dropFirst().first else { return nil }
    self.keys = keys.map(\.expression.trimmedDescription)
    type = arguments[position].expression.trimmedDescription
    self.function = function.expression.trimmedDescription
    place = locate(Syntax(function.expression))
  }

  /// The expression of the keys with the types of their values.
  var description: String { ".init(\(keys.joined(separator: ", ")), \(type))" }

  /// The expression of the property's value, nil where the file does not have the older ones.
  /// `property` is an expression of the value's type where that is not known otherwise.
  func value(at slot: Int, like property: String? = nil) -> String {
    let like = property.map { ", like: \($0)" } ?? ""
    return "decoder.__older(\(slot), \(keys.joined(separator: ", ")), \(type), \(function)\(like))"
  }

  /// The statement that reads older fields of a structure into a constant. `index` is the index of the first.
  func reading(from index: Int) -> String {
    "let older\(index) = try column.__older(\(index), \(type))"
  }

  /// The expression of the field's value, nil where the file does not have the older fields.
  func value(ofFieldsFrom index: Int) -> String { "column.__converted(older\(index), \(function))" }

  /// The check that the function makes a value of the type of an expression.
  func check(of value: String) -> DeclarationCheck.Statement {
    DeclarationCheck.Statement(
      call: "\(arc)__Conversion.check(\(type), \(function), like: \(value))", place: place)
  }
}

extension AttributeSyntax {
  /// Whether it is a `@Key` that converts values.
  var isKeyConversion: Bool {
    guard case .argumentList(let arguments) = arguments else { return false }
    return arguments.contains { $0.label?.text == "from" }
  }
}

extension AttributeListSyntax {
  /// The mark that gives a property its keys.
  var key: AttributeSyntax? { plain.first { $0.baseName == "Key" && !$0.isKeyConversion } }

  /// The marks that make a property's value of older ones, in order.
  var keyConversions: [AttributeSyntax] { plain.filter { $0.baseName == "Key" && $0.isKeyConversion } }
}
