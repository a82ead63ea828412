import SwiftSyntax

/// A stored property that is archived. Its position in the array of properties is its slot.
struct StoredProperty: Equatable {
  enum Ownership: Equatable { case strong, weak, unowned }

  /// The name as spelled in the program, with backticks if it needs them.
  var name: String
  /// The name without backticks, which is the key unless `@Key` declares other keys.
  var plainName: String
  /// The keys of `@Key` as string literals, current key first.
  var keys: [String]?
  /// The conversions of values that older files have under other keys.
  var conversions: [KeyConversion] = []
  var ownership = Ownership.strong
  var isConstant = false
  var hasInitialValue = false
  /// Whether the initial value is a literal, so that it is equal in all objects.
  var hasLiteralInitialValue = false
  /// The initial value as source. Nil if it cannot contain references.
  var initialValue: String?
  var isObserved = false
  /// Whether an attribute owns the storage, such as a property wrapper. The property can then be read only
  /// after all other properties are set. It can be set before other properties only if the attribute allows
  /// this.
  var isWrapped = false
  /// Whether the property is declared `private` or `fileprivate`.
  var isPrivate = false
  /// The attributes of the property that ArcModel reads.
  var modelMarks: [ModelMark] = []
  /// Whether reading the property may run code that is not visible in the property's declaration.
  var isOpaque = false
  /// The form in which an archive stores the value. Nil if the value is stored as itself.
  var form: ArchivedForm?
  /// The type as spelled in the program. Nil if the declaration does not state it.
  var type: String?
  /// The location of the property's declaration. Nil if the compiler does not provide it.
  var location: SourcePosition?

  /// Returns the expression that converts a value to its archived form.
  func archived(_ value: String) -> String { form?.archived(value) ?? value }

  /// Returns the expression that converts an archived form back to its value.
  func restored(_ form: String) -> String { self.form?.restored(form) ?? form }

  /// Returns an expression that evaluates `call` and converts the result to the property's value. `call` is
  /// the source of a throwing call that returns the archived form.
  func restored(call: String) -> String {
    form.map { $0.restored("(try \(call) as \($0.type))") } ?? "try \(call)"
  }

  /// Returns the call that archives the property of `self` in its slot. For weak and unowned properties, the
  /// name of the function has a suffix.
  func archiving(by function: String, at slot: Int) -> String {
    let suffix =
      switch ownership {
      case .strong: ""
      case .weak: "Weak"
      case .unowned: "Unowned"
      }
    return "try \(function)\(suffix)(\(archived("self.\(name)")), at: \(slot))"
  }

  /// The type for use in expressions. An implicitly unwrapped optional such as `T!` becomes `T?`. Nil if the
  /// declaration does not state the type.
  var plainType: String? { type.map { $0.hasSuffix("!") ? "\($0.dropLast())?" : $0 } }

  /// The type if it contains a tuple. An expression needs this type to preserve the labels of the tuple.
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

  /// The argument that converts a value to its archived form. Empty if values are stored as themselves.
  var archivedArgument: String {
    guard let form else { return "" }
    guard let plainType else { return ", archived: { \(form.archived("$0")) }" }
    return ", archived: { (value: \(plainType)) in\n  \(form.archived("value"))\n}"
  }

  /// Returns the source of an expression for the converted older value. Nil if the property has no
  /// conversions. At run time, the expression is nil if the file has no older value.
  ///
  /// If the compiler cannot infer the type of the value, `property` is an expression of this type.
  func olderValue(at slot: Int, like property: String? = nil) -> String? {
    conversions.isEmpty
      ? nil : "try " + conversions.map { $0.value(at: slot, like: property) }.joined(separator: " ?? ")
  }

  /// Adds a location to a statement. If the first conversion contains an error, the compiler then reports the
  /// error at the line of the conversion in the program.
  ///
  /// `line` is the line of the first conversion in the statement, counted from 0.
  func located(_ statement: String, conversionLine line: Int) -> DeclarationCheck.Statement {
    DeclarationCheck.Statement(call: statement, location: conversions.first?.location?.before(line))
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
  /// The properties with their slots, unwrapped properties first.
  ///
  /// An initializer sets unwrapped properties first. A wrapped property that already has a value is set
  /// through its setter. The setter requires that all of `self` is initialized.
  var inOrderOfInitialization: [(slot: Int, property: StoredProperty)] {
    let slots = enumerated().map { (slot: $0.offset, property: $0.element) }
    return slots.filter { !$0.property.isWrapped } + slots.filter { $0.property.isWrapped }
  }
}

extension VariableDeclSyntax {
  var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

  /// The kind of a declaration that is not a stored property, as a noun. Nil for a stored property.
  var reasonWithoutStorage: String? {
    if modifiers.contains(.static) || modifiers.contains(.class) { return "a type property" }
    if modifiers.contains(.lazy) { return "a lazy property, which is computed anew," }
    if modifiers.contains(.override) { return "an override" }
    if attributes.first(named: "NSManaged") != nil { return "a managed property" }
    return nil
  }

  /// Whether an attribute may be a property wrapper, or a macro that replaces the storage.
  var isWrapped: Bool {
    attributes.plain.contains { attribute in
      let name = attribute.baseName
      return name.first?.isUppercase == true && !name.hasSuffix("Actor")
        && !Self.storageAttributes.contains(name)
    }
  }

  /// Returns the type of the binding at `index`. In `var x, y: Int`, the binding of `y` states the type of
  /// `x`.
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
  /// Whether a `var` of this type starts as nil. The compiler does this only for `T?` and `T!`.
  var startsAsNil: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}
