import SwiftSyntax

/// What a class with `@Archivable` inherits from, as far as a macro can tell.
enum ClassInheritance: Equatable {
  /// No superclass, or one that is not archivable; the macro sees names only, not whether they are classes.
  case root
  /// A superclass that is not archivable, because the program says so.
  case plainSuperclass
  /// A superclass that is archivable: members override, and pass on to it.
  case archivable

  /// Judges by `missing`, the conformances that the compiler still misses.
  ///
  /// When a superclass is archivable it misses none. The other reason for that is a class that states the
  /// conformance in its own declaration.
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

/// Where a class gets its initializers; Swift gives it no implicit ones once a macro adds a designated one.
enum InitializerPlan: Equatable {
  /// `required init(from:)` beside the initializers of the class.
  case designated
  /// `required init(from:)`, and the `init()` that would be lost. With a superclass it overrides.
  case designatedAndEmpty(overrides: Bool)
  /// `required convenience init(from:)` on top of the implicit `init()`; the properties are set when linking.
  case convenience
  /// No initializer: all are inherited, and the class's own properties are set when linking.
  case inherited

  /// Chooses by the initializers in sight; `uninitialized` names a stored property without initial value.
  init(
    for declaration: ClassDeclSyntax, inheritance: ClassInheritance, uninitialized: String?,
    findings: inout Findings
  ) {
    if declaration.memberBlock.members.containsDesignatedInitializer {
      self = .designated
    } else if let uninitialized {
      // Another macro on the class may write the initializer.
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

  /// Whether properties still have their initial values, instead of archived ones, after `init(from:)`.
  var isFilledAfterInit: Bool { self == .inherited || self == .convenience }
}

extension ClassDeclSyntax {
  /// The first type after the colon, which is the superclass where there is one.
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
