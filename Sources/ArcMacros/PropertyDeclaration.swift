import SwiftDiagnostics
import SwiftSyntax

/// One binding of a property declaration: `y` in `var x = 1, y: Int`.
struct PropertyDeclaration {
  var variable: VariableDeclSyntax
  var index: PatternBindingListSyntax.Index

  var binding: PatternBindingSyntax { variable.bindings[index] }
  var pattern: PatternSyntax { binding.pattern }
  var name: TokenSyntax? { pattern.as(IdentifierPatternSyntax.self)?.identifier }
  var type: TypeSyntax? { variable.writtenType(ofBinding: index) }

  var reasonWithoutStorage: String? {
    variable.reasonWithoutStorage ?? (binding.isComputed ? "a computed property" : nil)
  }

  /// The form in which the value is archived; nil where it is archived as it is.
  var form: ArchivedForm? { ArchivedForm(of: type, marks: variable.attributes) }

  var ownership: StoredProperty.Ownership {
    if variable.modifiers.contains(.weak) { return .weak }
    return variable.modifiers.contains(.unowned) ? .unowned : .strong
  }

  /// Whether Swift gives the property nil before an initializer can set it. In one with a wrapper or with
  /// `@Observable` it does so by the property's setter.
  var startsAsNil: Bool {
    !variable.isConstant && (ownership == .weak || type?.startsAsNil == true)
  }

  /// Whether no initializer has to set the property; a wrapper may have a value of its own, so it counts.
  var hasValueBeforeInit: Bool {
    binding.initializer != nil || variable.isWrapped
      || startsAsNil
  }

  /// The source of the initial value, unless it is a literal of a type that holds no reference or has an
  /// empty value.
  var initialValueWithReferences: String? {
    guard ownership == .strong, let value = binding.initializer?.value else { return nil }
    return value.isLiteral && type?.mayHideReferences != true ? nil : value.trimmedDescription
  }

  /// What keeps a stored property from being archived, in order of precedence, and how to repair it.
  func problem(name: String) -> (message: ArchivableDiagnostic, fixIts: [FixIt])? {
    let transient = hasValueBeforeInit ? [FixIt.addTransient(to: variable)] : []
    let unarchivable =
      type.map { UnarchivableType(in: $0, marks: variable.attributes) }
      ?? UnarchivableType(withoutType: variable.attributes, initialValue: binding.initializer?.value)
    if ownership == .weak, variable.isConstant {
      return (.weakConstant(name), [.makeVariable(variable)])
    }
    if variable.isConstant, binding.initializer != nil {
      // As a variable it would still not be archived, so that is not offered.
      let makeVariable = unarchivable == nil ? [FixIt.makeVariable(variable)] : []
      return (.constantKeepsValue(name), makeVariable + transient)
    }
    if variable.modifiers.contains(where: { $0.detail?.detail.text == "unsafe" && ownership == .unowned }) {
      return (.unownedUnsafe(name), transient)
    }
    let isCoded = variable.attributes.first(named: "Coded") != nil
    if isCoded, let mark = variable.attributes.first(named: "Boxed") {
      return (.codedAndBoxed(name), [.remove(mark, from: variable)])
    }
    if isCoded, ownership != .strong {
      return (.codedReference(name, ownership == .weak ? "weak" : "unowned"), transient)
    }
    if let actor = variable.attributes.globalActor {
      return (.isolatedProperty(name, actor: actor.baseName), transient)
    }
    return unarchivable.map { (.unarchivable(name, $0), transient) }
  }
}
