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

  /// The form in which an archive stores the value. Nil if the value is stored as itself.
  var form: ArchivedForm? { ArchivedForm(of: type, marks: variable.attributes) }

  var ownership: StoredProperty.Ownership {
    if variable.modifiers.contains(.weak) { return .weak }
    return variable.modifiers.contains(.unowned) ? .unowned : .strong
  }

  /// Whether Swift initializes the property to nil implicitly, as for `var x: T?`. If the property has a
  /// wrapper, or if the class is `@Observable`, Swift sets nil by calling the property's setter.
  var startsAsNil: Bool {
    !variable.isConstant && (ownership == .weak || type?.startsAsNil == true)
  }

  /// Whether an initializer may omit the property. True for a wrapped property, because the wrapper may have
  /// an initial value.
  var isInitializedWithoutInit: Bool {
    binding.initializer != nil || variable.isWrapped
      || startsAsNil
  }

  /// The source of an initial value that may contain references. Nil if the property is weak or unowned, if
  /// it has no initial value, or if the initial value is a literal that cannot contain references.
  var initialValueWithReferences: String? {
    guard ownership == .strong, let value = binding.initializer?.value else { return nil }
    return value.isLiteral && type?.mayHideReferences != true ? nil : value.trimmedDescription
  }

  /// Returns the first reason why a stored property cannot be archived, with the fix-its for it. Nil if the
  /// property can be archived.
  func problem(name: String) -> (message: ArchivableDiagnostic, fixIts: [FixIt])? {
    let transient = isInitializedWithoutInit ? [FixIt.addTransient(to: variable)] : []
    let unarchivable =
      type.map { UnarchivableType(in: $0, marks: variable.attributes) }
      ?? UnarchivableType(withoutType: variable.attributes, initialValue: binding.initializer?.value)
    if ownership == .weak, variable.isConstant {
      return (.weakConstant(name), [.makeVariable(variable)])
    }
    if variable.isConstant, binding.initializer != nil {
      // As a `var`, the property would still not be archivable, so `var` is not offered.
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
