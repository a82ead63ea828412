import SwiftSyntax

extension TokenSyntax {
  /// The name that the token spells, without backticks.
  var plainName: String { identifier?.name ?? text }
}

extension AttributeSyntax {
  /// The last component of the attribute's name: `Key` for `@Key` and `@Arc.Key`.
  var baseName: String { attributeName.baseName ?? attributeName.trimmedDescription }
}

extension TypeSyntax {
  /// The last component of a type name: `Int` for `Int` and `Swift.Int`. Nil for types without a name.
  var baseName: String? {
    if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.plainName }
    if let member = self.as(MemberTypeSyntax.self) { return member.name.plainName }
    return nil
  }

  /// The generic arguments that are types.
  var genericArgumentTypes: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    // Searches the children, because the type of `argument` differs between supported releases of
    // swift-syntax.
    return (clause?.arguments ?? []).compactMap { argument in
      argument.children(viewMode: .sourceAccurate).lazy.compactMap { $0.as(TypeSyntax.self) }.first
    }
  }
}

extension AttributeListSyntax {
  /// The attributes that are not inside `#if`.
  var plain: [AttributeSyntax] {
    compactMap { element in
      if case .attribute(let attribute) = element { attribute } else { nil }
    }
  }

  func first(named name: String) -> AttributeSyntax? {
    plain.first { $0.baseName == name }
  }

  /// The global actor among the attributes. By convention, the names of global actors end in `Actor`.
  var globalActor: AttributeSyntax? {
    plain.first { $0.baseName.hasSuffix("Actor") }
  }
}

extension DeclModifierListSyntax {
  /// Returns whether the declaration has a modifier. Ignores modifiers that apply only to the setter, such as
  /// `private(set)`.
  func contains(_ keyword: Keyword) -> Bool {
    contains { $0.name.tokenKind == .keyword(keyword) && $0.detail?.detail.text != "set" }
  }
}
