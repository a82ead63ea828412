import SwiftSyntax

/// The form in which an archive stores a value whose own type is not archivable.
///
/// Examples are `any P`, which cannot conform to a protocol, and a `Codable` type with the mark `@Coded`.
indirect enum ArchivedForm: Equatable {
  /// A value of an archivable type, which is stored as itself.
  case itself(String)
  /// A value of a `Codable` type, which is stored as its encoded form.
  case coded(String)
  /// A value of type `any P`, `Any` or `AnyObject`.
  case existential(String)
  case optional(ArchivedForm)
  case array(ArchivedForm)
  case dictionary(key: String, ArchivedForm)
  case tuple([ArchivedForm])

  /// Creates the form of a type. Returns nil if the value is stored as itself.
  ///
  /// A nil `type` is only possible with the mark `@Coded`; the compiler then infers the type.
  init?(of type: TypeSyntax?, marks: AttributeListSyntax? = nil) {
    if marks?.first(named: "Coded") != nil {
      self = .coded(type.map(Self.optionalIfUnwrapped) ?? "_")
      return
    }
    guard let type else { return nil }
    let form = Self.form(of: type, isBoxed: marks?.first(named: "Boxed") != nil)
    if case .itself = form { return nil }
    self = form
  }

  private static func form(of type: TypeSyntax, isBoxed: Bool) -> ArchivedForm {
    let text = type.trimmedDescription
    func form(_ part: TypeSyntax) -> ArchivedForm { self.form(of: part, isBoxed: isBoxed) }
    /// Returns the form of a type that contains `part`. If values of `part` are stored as themselves, returns
    /// `itself`.
    func around(_ part: TypeSyntax, _ form: (ArchivedForm) -> ArchivedForm) -> ArchivedForm {
      let part = self.form(of: part, isBoxed: isBoxed)
      return if case .itself = part { .itself(text) } else { form(part) }
    }
    switch type.as(TypeSyntaxEnum.self) {
    case .someOrAnyType(let constrained) where constrained.someOrAnySpecifier.tokenKind == .keyword(.any):
      return .existential(text)
    case .compositionType: return .existential("any \(text)")
    case .tupleType(let tuple):
      if tuple.elements.count == 1, let only = tuple.elements.first { return form(only.type) }
      return tuple.elements.isEmpty ? .itself(text) : .tuple(tuple.elements.map { form($0.type) })
    case .optionalType(let optional): return around(optional.wrappedType, ArchivedForm.optional)
    case .implicitlyUnwrappedOptionalType(let optional):
      return around(optional.wrappedType, ArchivedForm.optional)
    case .arrayType(let array): return around(array.element, ArchivedForm.array)
    case .dictionaryType(let dictionary):
      return around(dictionary.value) { .dictionary(key: dictionary.key.trimmedDescription, $0) }
    case .identifierType, .memberType:
      let arguments = type.genericArgumentTypes
      switch (type.baseName, arguments.count) {
      case ("Any", 0), ("AnyObject", 0): return isBoxed ? .existential(text) : .itself(text)
      case ("Optional", 1): return around(arguments[0], ArchivedForm.optional)
      case ("Array", 1): return around(arguments[0], ArchivedForm.array)
      case ("Dictionary", 2):
        return around(arguments[1]) { .dictionary(key: arguments[0].trimmedDescription, $0) }
      default: return .itself(text)
      }
    default: return .itself(text)
    }
  }

  private static func optionalIfUnwrapped(_ type: TypeSyntax) -> String {
    type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType.trimmedDescription)?" }
      ?? type.trimmedDescription
  }

  /// Whether the form contains a tuple.
  var hasTuple: Bool {
    switch self {
    case .itself, .coded, .existential: false
    case .optional(let part), .array(let part), .dictionary(_, let part): part.hasTuple
    case .tuple: true
    }
  }

  /// The Swift type of the form, as source.
  var type: String {
    switch self {
    case .itself(let type): type
    case .coded(let type): "\(arc)CodableValue<\(type)>"
    case .existential(let type): "\(arc)__Existential<\(type)>"
    case .optional(let part): "\(part.type)?"
    case .array(let part): "[\(part.type)]"
    case .dictionary(let key, let part): "[\(key): \(part.type)]"
    case .tuple(let parts): "\(arc)__Tuple<\(parts.map(\.type).joined(separator: ", "))>"
    }
  }

  /// Returns the expression that converts a value to its form. The expression may evaluate `value`
  /// repeatedly.
  func archived(_ value: String) -> String {
    switch self {
    case .itself: value
    case .coded: "\(arc)CodableValue(\(value))"
    case .existential: "\(type)(\(value))"
    case .optional(let part), .array(let part): "\(value).map { \(part.archived("$0")) }"
    case .dictionary(_, let part): "\(value).mapValues { \(part.archived("$0")) }"
    case .tuple(let parts):
      "\(type)(\(parts.enumerated().map { $1.archived("\(value).\($0)") }.joined(separator: ", ")))"
    }
  }

  /// Returns the expression that converts a form back to its value.
  func restored(_ form: String) -> String {
    switch self {
    case .itself: form
    case .coded, .existential: "\(form).value"
    case .optional(let part), .array(let part): "\(form).map { \(part.restored("$0")) }"
    case .dictionary(_, let part): "\(form).mapValues { \(part.restored("$0")) }"
    case .tuple(let parts) where parts.allSatisfy({ if case .itself = $0 { true } else { false } }):
      "\(form).elements"
    case .tuple(let parts):
      "{ (form: \(type)) in (\(parts.enumerated().map { $1.restored("form.elements.\($0)") }.joined(separator: ", "))) }(\(form))"
    }
  }
}
