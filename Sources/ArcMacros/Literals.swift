import SwiftSyntax

// Initial values that certainly contain no object, or whose type has an empty value.

extension ExprSyntax {
  /// Whether the expression is a literal, including array and dictionary literals.
  var isLiteral: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .integerLiteralExpr, .floatLiteralExpr, .stringLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr,
      .arrayExpr, .dictionaryExpr:
      true
    case .prefixOperatorExpr(let prefixed): prefixed.expression.isLiteral
    default: false
    }
  }

  /// Whether the expression is a literal without other expressions in it.
  ///
  /// Such literals are numbers, strings without interpolation, Booleans, `nil` and empty collections.
  var isConstantLiteral: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr: true
    case .stringLiteralExpr(let text): text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    case .arrayExpr(let array): array.elements.isEmpty
    case .dictionaryExpr(let dictionary): dictionary.content.is(TokenSyntax.self)
    case .prefixOperatorExpr(let negative):
      negative.operator.text == "-"
        && (negative.expression.is(IntegerLiteralExprSyntax.self)
          || negative.expression.is(FloatLiteralExprSyntax.self))
    default: false
    }
  }
}

extension TypeSyntax {
  /// Whether a literal of the type can create a value of one of the program's own types. Such a value can
  /// contain references.
  var mayHideReferences: Bool {
    switch self.as(TypeSyntaxEnum.self) {
    case .optionalType, .implicitlyUnwrappedOptionalType, .arrayType, .dictionaryType: false
    default: baseName.map { !Self.namesOfLiterals.contains($0) } ?? true
    }
  }

  private static let namesOfLiterals: Set = [
    "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "UInt128",
    "Float", "Float16", "Double", "CGFloat", "Decimal", "Bool", "String", "Character", "Optional", "Array",
    "Set",
    "Dictionary", "ContiguousArray",
  ]
}
