import SwiftSyntax

// Whether reading a property may run unknown code. If the macro cannot rule it out, the answer is yes.

extension VariableDeclSyntax {
  /// Whether reading the property may run code that is not visible in the property's declaration.
  var isOpaque: Bool {
    modifiers.contains(.dynamic) || attributes.containsUnknown(but: Self.storageAttributes)
  }

  /// The attributes that do not affect the storage of a property.
  static let storageAttributes: Set<String> = [
    "Key", "Transient", "Coded", "Boxed", "JSONRule", "JSONFormat", "IBOutlet", "GKInspectable",
    "IBInspectable",
    "NSCopying",
    "ObservationIgnored",
    "available", "objc", "nonobjc", "usableFromInline", "preconcurrency",
  ]
}

extension DeclGroupSyntax {
  /// Whether other macros may add members to the type, or accessors to its properties.
  var mayGainMembers: Bool {
    attributes.containsUnknown(but: [
      "Archivable", "Observable", "available", "objc", "objcMembers", "usableFromInline", "frozen",
      "preconcurrency", "dynamicMemberLookup", "dynamicCallable",
    ]) || memberBlock.members.containsMacroExpansion
  }
}

extension ClassDeclSyntax {
  /// The names of the superclasses' properties that the class overrides. Nil if a macro may add overrides.
  var overriddenProperties: [String]? {
    mayGainMembers || memberBlock.members.containsPeerMacro ? nil : memberBlock.members.overrides
  }
}

extension AttributeListSyntax {
  fileprivate func containsUnknown(but known: Set<String>) -> Bool {
    contains { element in
      guard case .attribute(let attribute) = element else { return true }
      return !known.contains(attribute.baseName)
    }
  }
}

extension MemberBlockItemListSyntax {
  fileprivate var containsMacroExpansion: Bool { containsMember { $0.is(MacroExpansionDeclSyntax.self) } }

  /// The names of the properties that override other properties, in all branches of `#if`.
  fileprivate var overrides: [String] {
    flatMap { (member: MemberBlockItemSyntax) -> [String] in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        return conditional.clauses.flatMap { clause -> [String] in
          if case .decls(let members)? = clause.elements { members.overrides } else { [] }
        }
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.modifiers.contains(.override)
      else { return [] }
      return variable.bindings.compactMap {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName
      }
    }
  }

  /// Whether an attribute of a member may be a macro that adds further members.
  fileprivate var containsPeerMacro: Bool {
    containsMember { member in
      member.asProtocol((any WithAttributesSyntax).self)?.attributes.containsUnknown(
        but: Self.memberAttributes)
        ?? false
    }
  }

  /// The attributes that are not macros, or are macros that add no further members.
  private static let memberAttributes = VariableDeclSyntax.storageAttributes.union([
    "Archivable", "MainActor", "Sendable", "discardableResult", "inlinable", "inline", "IBAction",
    "IBSegueAction",
    "Observable", "ObservationTracked", "frozen", "objcMembers", "concurrent", "warn_unqualified_access",
  ])

  /// Whether a member satisfies a condition, in any branch of `#if`.
  private func containsMember(_ isSuch: (DeclSyntax) -> Bool) -> Bool {
    contains { member in
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return isSuch(member.decl) }
      return conditional.clauses.contains { clause in
        if case .decls(let members)? = clause.elements { members.containsMember(isSuch) } else { false }
      }
    }
  }
}
