import SwiftSyntax

/// The kind of superclass that a class with `@Archivable` has, as far as the macro can determine the kind.
enum ClassInheritance: Equatable {
  /// No superclass, or a superclass that is not archivable. The macro sees only names, which may be
  /// protocols.
  case root
  /// A superclass that the program declares as not archivable.
  case plainSuperclass
  /// An archivable superclass. Generated members override the superclass's members, and call the overridden
  /// members.
  case archivable

  /// Determines the kind from `missing`, the protocols to which the class does not conform yet.
  ///
  /// `missing` is empty if a superclass is archivable, or if the class itself declares the conformance.
  init(
    of declaration: ClassDeclSyntax, arguments: ArchivableArguments, missing: [TypeSyntax],
    at node: AttributeSyntax, findings: inout Findings
  ) {
    let inherited = declaration.inheritedNames
    switch arguments.superclass {
    case .archivable:
      if inherited.isEmpty { findings.report(.noSuperclass(declaration.name.plainName), at: node) }
      self = inherited.isEmpty ? .root : .archivable
    case .notArchivable:
      self = inherited.isEmpty ? .root : .plainSuperclass
    case .automatic where inherited.first == "NSObject":
      self = .plainSuperclass
    case .automatic:
      let conforms = !missing.contains { $0.baseName == "Archivable" }
      let inheritsConformance = conforms && !inherited.isEmpty && !inherited.contains("Archivable")
      self = inheritsConformance ? .archivable : .root
    }
  }
}

/// The initializers that the macro generates for a class. If a macro adds a designated initializer, Swift
/// generates no initializers itself.
enum InitializerPlan: Equatable {
  /// `required init(from:)`, in addition to the initializers of the class.
  case designated
  /// `required init(from:)`, and `init()`, which Swift no longer generates. `overrides` states whether this
  /// `init()` overrides the `init()` of the superclass.
  case designatedAndEmpty(overrides: Bool)
  /// `required convenience init(from:)`, which calls the implicit `init()`. Linking sets the properties.
  case convenience
  /// No initializer: all initializers are inherited, and linking sets the properties of the class.
  case inherited

  /// Chooses the plan. `uninitialized` is the name of a stored property without an initial value, or nil if
  /// all properties have initial values.
  init(
    for declaration: ClassDeclSyntax, inheritance: ClassInheritance, uninitialized: String?,
    findings: inout Findings
  ) {
    if declaration.memberBlock.members.containsDesignatedInitializer {
      self = .designated
    } else if let uninitialized {
      // Another macro may generate an initializer for the class.
      if !declaration.attributes.plain.contains(where: \.mayAddInitializer) {
        findings.report(
          .noInitializer(declaration.name.plainName, property: uninitialized), at: declaration.name)
      }
      self = .designated
    } else if inheritance == .archivable {
      self = .inherited
    } else if declaration.modifiers.contains(.final) {
      self = .convenience
    } else {
      self = .designatedAndEmpty(overrides: inheritance == .plainSuperclass)
    }
  }

  /// Whether `init(from:)` leaves the properties at their initial values. Linking then sets them.
  var isFilledAfterInit: Bool { self == .inherited || self == .convenience }
}

extension ClassDeclSyntax {
  /// The first type after the colon, which is the superclass if the class has one.
  var superclassName: String? { inheritanceClause?.inheritedTypes.first?.type.trimmedDescription }

  /// The names after the colon, without attributes such as `@unchecked` and without modules.
  fileprivate var inheritedNames: [String] {
    (inheritanceClause?.inheritedTypes ?? []).compactMap { inherited in
      (inherited.type.as(AttributedTypeSyntax.self)?.baseType ?? inherited.type).baseName
    }
  }
}

extension AttributeSyntax {
  fileprivate var mayAddInitializer: Bool {
    baseName.first?.isUppercase == true && !["Archivable", "Observable"].contains(baseName)
  }
}

extension MemberBlockItemListSyntax {
  fileprivate var containsDesignatedInitializer: Bool {
    contains { member in
      if let initializer = member.decl.as(InitializerDeclSyntax.self) {
        return !initializer.modifiers.contains(.convenience)
      }
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return false }
      return conditional.clauses.contains { clause in
        if case .decls(let members) = clause.elements { members.containsDesignatedInitializer } else { false }
      }
    }
  }
}
