import SwiftSyntax

/// `@Key("older", from: Int.self, { … })`: a conversion of one or more values that older files have under
/// other keys.
struct KeyConversion: Equatable {
  /// The keys as string literals.
  let keys: [String]
  /// The type of the older values, as source. If there are several keys, this is a tuple type.
  private let type: String
  /// The function that converts the older values to the property's value, as source.
  private let function: String
  /// The location of the function. Nil if it is unknown.
  let location: SourcePosition?

  /// Reads the attribute. Returns nil and reports a finding if the attribute cannot be read.
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
    // If the function is missing, the compiler has reported an error.
    guard let function = arguments[position...].dropFirst().first else { return nil }
    self.keys = keys.map(\.expression.trimmedDescription)
    type = arguments[position].expression.trimmedDescription
    self.function = function.expression.trimmedDescription
    location = locate(Syntax(function.expression))
  }

  /// The expression that describes the keys and the types of their values in the schema.
  var description: String { ".init(\(keys.joined(separator: ", ")), \(type))" }

  /// Returns an expression for the converted value. At run time, the expression is nil if the file has no
  /// older values.
  ///
  /// If the compiler cannot infer the type of the value, `property` is an expression of this type.
  func value(at slot: Int, like property: String? = nil) -> String {
    let like = property.map { ", like: \($0)" } ?? ""
    return "decoder.__older(\(slot), \(keys.joined(separator: ", ")), \(type), \(function)\(like))"
  }

  /// Returns the statement that reads the older fields of a structure. `index` is the index of the first
  /// older field.
  func reading(from index: Int) -> String {
    "let older\(index) = try column.__older(\(index), \(type))"
  }

  /// Returns the expression for the field's converted value. At run time, the expression is nil if the file
  /// has no older fields. `older` is the expression that is used in this case: a value converted from the
  /// next older fields. Nil if there are none.
  func value(ofFieldsFrom index: Int, older: String?) -> String {
    let older = older.map { ", older: { \($0) }" } ?? ""
    return "try column.__converted(older\(index), changesOnly, \(function)\(older))"
  }

  /// Returns a check of the conversion function: its result must have the type of the expression `value`.
  func check(of value: String) -> DeclarationCheck.Statement {
    DeclarationCheck.Statement(
      call: "\(arc)__Conversion.check(\(type), \(function), like: \(value))", location: location)
  }
}

extension AttributeSyntax {
  /// Whether the attribute is a `@Key` that converts values.
  var isKeyConversion: Bool {
    guard case .argumentList(let arguments) = arguments else { return false }
    return arguments.contains { $0.label?.text == "from" }
  }
}

extension AttributeListSyntax {
  /// The attribute that declares the keys of a property. Nil if there is none.
  var key: AttributeSyntax? { plain.first { $0.baseName == "Key" && !$0.isKeyConversion } }

  /// The attributes that convert older values, in order.
  var keyConversions: [AttributeSyntax] { plain.filter { $0.baseName == "Key" && $0.isKeyConversion } }
}
