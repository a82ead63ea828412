import SwiftDiagnostics
import SwiftSyntax

/// Reads the archived properties of a class or struct from its members.
struct PropertyReader {
  private(set) var properties: [StoredProperty] = []
  /// The first stored property without an initial value, apart from transient properties.
  private(set) var uninitialized: String?
  /// Whether a stored property is omitted because it is marked `@Transient`.
  private(set) var omitsProperties = false
  private(set) var findings = Findings()
  private var keys = KeyLedger()
  private let isObservable: Bool
  private let mayGainAccessors: Bool
  /// Whether the type is a class.
  private let isClass: Bool
  private let locate: SourcePosition.Locator

  /// Reads `members`. If the type is observable, `@Observable` replaces the storage of every variable. Other
  /// macros may do so, too.
  init(
    members: MemberBlockItemListSyntax, isObservable: Bool = false, mayGainAccessors: Bool = false,
    isClass: Bool = false, locate: @escaping SourcePosition.Locator = { _ in nil }
  ) {
    self.locate = locate
    self.isObservable = isObservable
    self.mayGainAccessors = mayGainAccessors
    self.isClass = isClass
    read(members, isConditional: false)
  }

  private mutating func read(_ members: MemberBlockItemListSyntax, isConditional: Bool) {
    for member in members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        read(variable, isConditional: isConditional)
      } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        for case .decls(let members)? in conditional.clauses.map(\.elements) {
          read(members, isConditional: true)
        }
      }
    }
  }

  private mutating func read(_ variable: VariableDeclSyntax, isConditional: Bool) {
    if variable.bindings.count > 1, let mark = variable.attributes.first(named: "Key") {
      findings.report(.keyOnSeveral, at: mark)
    }
    for index in variable.bindings.indices {
      let declaration = PropertyDeclaration(variable: variable, index: index)
      guard let name = declaration.name else {
        if variable.reasonWithoutStorage == nil { findings.report(.unnamedPattern, at: declaration.pattern) }
        continue
      }
      if let reason = declaration.reasonWithoutStorage {
        reportMarks(of: declaration, name: name.plainName, reason: reason)
        continue
      }
      if let mark = variable.attributes.first(named: "Transient") {
        omitsProperties = true
        checkTransient(declaration, name: name.plainName, mark: mark)
        continue
      }
      if !declaration.isInitializedWithoutInit { uninitialized = uninitialized ?? name.plainName }
      if let property = archived(declaration, name: name, isConditional: isConditional) {
        properties.append(property)
      }
    }
  }

  /// Reports attributes of Arc on a declaration that has no storage.
  private mutating func reportMarks(of declaration: PropertyDeclaration, name: String, reason: String) {
    let variable = declaration.variable
    if let mark = variable.attributes.first(named: "Key") {
      findings.report(.keyOnUnarchived(name, reason: reason), at: mark)
    }
    reportModelMarks(of: variable, name: name, reason: "\(reason) is not archived")
    if let mark = variable.attributes.first(named: "Transient") {
      findings.report(
        .transientHasNoEffect(name, reason: reason), at: mark, fixIts: [.remove(mark, from: variable)])
    }
  }

  private mutating func checkTransient(
    _ declaration: PropertyDeclaration, name: String, mark: AttributeSyntax
  ) {
    if let key = declaration.variable.attributes.first(named: "Key") {
      findings.report(.keyOnTransient(name), at: key)
    }
    reportModelMarks(of: declaration.variable, name: name, reason: "what is '@Transient' is not archived")
    if !declaration.isInitializedWithoutInit { findings.report(.transientWithoutValue(name), at: mark) }
  }

  /// Reports attributes of ArcModel on a property that is not archived. `@Key` is reported separately.
  private mutating func reportModelMarks(of variable: VariableDeclSyntax, name: String, reason: String) {
    for mark in variable.attributes.modelMarks where mark.baseName != "Key" {
      findings.report(.modelMarkMisplaced(name, mark: mark.baseName, reason: reason), at: mark)
    }
  }

  /// Returns the attributes of a property that ArcModel reads.
  private mutating func modelMarks(of variable: VariableDeclSyntax, name: String) -> [ModelMark] {
    let marks = variable.attributes.modelMarks
    if let mark = marks.first(where: \.includesWeak), !isClass {
      let reason = "it is for weak properties of classes; those of structures are in no JSON"
      findings.report(.modelMarkMisplaced(name, mark: "JSONRule(.included)", reason: reason), at: mark)
    }
    return marks.map { ModelMark($0, location: locate(Syntax($0))) }
  }

  /// Returns the property. If the property cannot be archived, reports a finding and returns nil.
  private mutating func archived(
    _ declaration: PropertyDeclaration, name: TokenSyntax, isConditional: Bool
  ) -> StoredProperty? {
    let variable = declaration.variable
    // A key for several properties is reported, and none of the properties gets it.
    let mark = variable.bindings.count == 1 ? variable.attributes.key : nil
    if let problem = declaration.problem(name: name.plainName) {
      findings.report(problem.message, at: declaration.pattern, fixIts: problem.fixIts)
      if problem.message == .constantKeepsValue(name.plainName), let mark {
        let reason = "a constant with an initial value"
        findings.report(.keyOnUnarchived(name.plainName, reason: reason), at: mark)
      }
      if problem.message == .constantKeepsValue(name.plainName) {
        reportModelMarks(
          of: variable, name: name.plainName, reason: "a constant with an initial value is not archived")
      }
      return nil
    }
    if isConditional {
      findings.report(.conditional(name.plainName), at: declaration.pattern)
      return nil
    }
    let isTracked =
      isObservable && !variable.isConstant && variable.attributes.first(named: "ObservationIgnored") == nil
    let isWrapped = isTracked || variable.isWrapped
    let marks = variable.bindings.count == 1 ? variable.attributes.keyConversions : []
    if let mark = marks.first, declaration.form != nil {
      findings.report(.keyConversionMisplaced(name.plainName), at: mark)
    }
    let claimed = keys.claim(mark, for: name.plainName, at: declaration.pattern, findings: &findings)
    let own = claimed ?? [literal(name.plainName)]
    let conversions = marks.compactMap { mark in
      let conversion = KeyConversion(mark, locate: locate, findings: &findings)
      if let key = conversion?.keys.first(where: own.contains) {
        findings.report(
          .conversionOfOwnKey(name.plainName, key: key), at: mark, fixIts: [.remove(mark, from: variable)])
      }
      return conversion
    }
    return StoredProperty(
      name: name.text, plainName: name.plainName, keys: claimed, conversions: conversions,
      ownership: declaration.ownership,
      isConstant: variable.isConstant,
      hasInitialValue: declaration.binding.initializer != nil
        || isWrapped && isClass && declaration.startsAsNil,
      hasLiteralInitialValue: !isWrapped && declaration.binding.initializer?.value.isConstantLiteral == true,
      initialValue: variable.isConstant ? nil : declaration.initialValueWithReferences,
      isObserved: declaration.binding.accessorBlock != nil,
      isWrapped: isWrapped,
      isPrivate: variable.modifiers.contains(.private) || variable.modifiers.contains(.fileprivate),
      modelMarks: modelMarks(of: variable, name: name.plainName),
      isOpaque: !isWrapped && (mayGainAccessors || variable.isOpaque),
      form: declaration.form, type: declaration.type?.trimmedDescription,
      location: locate(Syntax(declaration.pattern)))
  }
}
