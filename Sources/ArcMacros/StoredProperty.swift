import SwiftSyntax

/// A stored property that is archived; its position in the list of them is its slot.
struct StoredProperty: Equatable {
  enum Ownership: Equatable { case strong, weak, unowned }

  /// The name as the program spells it, with backticks where it needs them.
  var name: String
  /// The name without backticks, which is the key unless `@Key` gives others.
  var plainName: String
  /// The keys of `@Key` as string literals, current key first.
  var keys: [String]?
  /// What its value is made of where older files have others under other keys.
  var conversions: [KeyConversion] = []
  var ownership = Ownership.strong
  var isConstant = false
  var hasInitialValue = false
  /// Whether the initial value is a literal, so that it is equal in all objects.
  var hasLiteralInitialValue = false
  /// The initial value as the program spells it, where it may hold references.
  var initialValue: String?
  var isObserved = false
  /// Whether another attribute owns the storage: the property can be set before all others are only
  /// if that attribute agrees, and read only after them.
  var isWrapped = false
  /// Whether the property is declared `private` or `fileprivate`.
  var isPrivate = false
  /// The marks of the property for models.
  var modelMarks: [ModelMark] = []
  /// Whether reading the property may run code that its declaration does not show.
  var isOpaque = false
  /// The form in which the value is archived; nil where it is archived as it is.
  var form: ArchivedForm?
  /// The type as the program spells it; nil where it is not written.
  var type: String?
  /// Where the property is declared; nil where the compiler does not tell.
  var place: SourcePosition?

  /// The expression of what is archived of the value of an expression.
  func archived(_ value: String) -> String { form?.archived(value) ?? value }

  /// The expression of the value whose archived form an expression gives.
  func restored(_ form: String) -> String { self.form?.restored(form) ?? form }

  /// The expression of the value that a throwing call gives in its archived form.
  func restored(call: String) -> String {
    form.map { $0.restored("(try \(call) as \($0.type))") } ?? "try \(call)"
  }

  /// The call that archives the property of `self` in its slot: of `function`, or its form for a reference
  /// that does not own its target.
  func archiving(by function: String, at slot: Int) -> String {
    let suffix =
      switch ownership {
      case .strong: ""
      case .weak: "Weak"
      case .unowned: "Unowned"
      }
    return "try \(function)\(suffix)(\(archived("self.\(name)")), at: \(slot))"
  }

  /// The type as an expression may have it, an optional one for one that is unwrapped implicitly; nil where
  /// it is not written.
  var plainType: String? { type.map { $0.hasSuffix("!") ? "\($0.dropLast())?" : $0 } }

  /// The type if it has a tuple, whose labels expressions without it lose.
  var typeOfTuple: String? { form?.hasTuple == true ? plainType : nil }

  /// The arguments of `PropertySchema`, up to the accessor.
  var descriptionArguments: String {
    conversions.isEmpty
      ? memberArguments
      : descriptionArguments(older: "older: [\(conversions.map(\.description).joined(separator: ", "))], ")
  }

  /// The arguments of `__TypeEncodingContext.member`, up to the accessor.
  var memberArguments: String { descriptionArguments(older: "") }

  private func descriptionArguments(older: String) -> String {
    let keys = keys.map { "keys: [\($0.joined(separator: ", "))], " } ?? ""
    return "\(literal(plainName)), \(keys)\(older)[\(traits.joined(separator: ", "))]"
  }

  /// The argument that makes the archived form of a value; empty where values are archived as they are.
  var archivedArgument: String {
    guard let form else { return "" }
    guard let plainType else { return ", archived: { \(form.archived("$0")) }" }
    return ", archived: { (value: \(plainType)) in\n  \(form.archived("value"))\n}"
  }

  /// The expression of the value that is made of older ones, nil where the file has none; nil where no value
  /// is made so. `property` is an expression of the property's type where that is not known otherwise.
  func olderValue(at slot: Int, like property: String? = nil) -> String? {
    conversions.isEmpty
      ? nil : "try " + conversions.map { $0.value(at: slot, like: property) }.joined(separator: " ?? ")
  }

  /// The statement with a location from which the compiler counts lines.
  ///
  /// Errors in the first conversion, which is on line `line` of the statement, counted from 0, are reported
  /// at the line of the conversion.
  func placed(_ statement: String, conversionLine line: Int) -> DeclarationCheck.Statement {
    DeclarationCheck.Statement(call: statement, place: conversions.first?.place?.before(line))
  }

  private var traits: [String] {
    var traits: [String] = []
    if isConstant { traits.append(".readOnly") }
    if ownership == .weak { traits.append(".weak") }
    if ownership == .unowned { traits.append(".unowned") }
    if hasInitialValue { traits.append(".hasDefault") }
    if hasLiteralInitialValue { traits.append(".hasLiteralDefault") }
    if isObserved { traits.append(".observed") }
    if isWrapped { traits.append(".wrapped") }
    if isOpaque { traits.append(".opaque") }
    return traits
  }
}

extension [StoredProperty] {
  /// The properties with their slots, those with plain storage first.
  ///
  /// An initializer sets plain storage first because a wrapper that already has a value is set through its
  /// setter, for which all of `self` must be there.
  var inOrderOfInitialization: [(slot: Int, property: StoredProperty)] {
    let slots = enumerated().map { (slot: $0.offset, property: $0.element) }
    return slots.filter { !$0.property.isWrapped } + slots.filter { $0.property.isWrapped }
  }
}

extension VariableDeclSyntax {
  var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

  /// What the declaration is instead of a stored property, as a noun; nil for stored properties.
  var reasonWithoutStorage: String? {
    if modifiers.contains(.static) || modifiers.contains(.class) { return "a type property" }
    if modifiers.contains(.lazy) { return "a lazy property, which is computed anew," }
    if modifiers.contains(.override) { return "an override" }
    if attributes.first(named: "NSManaged") != nil { return "a managed property" }
    return nil
  }

  /// Whether an attribute may be a property wrapper, or a macro that takes over the storage.
  var isWrapped: Bool {
    attributes.plain.contains { attribute in
      let name = attribute.baseName
      return name.first?.isUppercase == true && !name.hasSuffix("Actor")
        && !Self.storageAttributes.contains(name)
    }
  }

  /// The type written for the binding at `index`, which in `var x, y: Int` comes after a later one.
  func writtenType(ofBinding index: PatternBindingListSyntax.Index) -> TypeSyntax? {
    for binding in bindings[index...] {
      if let type = binding.typeAnnotation?.type { return type }
      if binding.initializer != nil { return nil }
    }
    return nil
  }
}

extension PatternBindingSyntax {
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors): !accessors.allSatisfy(\.isObserver)
    }
  }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}

extension TypeSyntax {
  /// Whether a `var` of this type starts as nil; the compiler grants that to the short spellings only.
  var startsAsNil: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}
