import SwiftSyntax

/// A type whose values cannot be archived. The macro recognizes such a type only by its syntax.
enum UnarchivableType: Equatable {
  case function
  case void
  /// A tuple at a position where Arc cannot convert it to an archived form.
  case tuple(String)
  case existential(String)
  /// `Any` or `AnyObject` without an attribute. `inJSON` is the type as written, with `JSONValue` instead of
  /// `Any`.
  case unmarked(String, inJSON: String)
  /// `Any` or `AnyObject` in an enum case, which cannot have the attribute.
  case unmarkable(String)
  /// A type marked `@Coded` that cannot conform to `Codable`.
  case uncodable(String)
  /// A type with the attribute `@Boxed` that contains no `Any` or `AnyObject`.
  case unboxed(String)
  /// A property whose declaration does not state the type, although its archived form depends on the type.
  case untyped
  case metatype(String)
  case pointer(String)
  case task

  /// The reason why the type cannot be archived. Also contains an alternative, if there is one.
  var explanation: String {
    switch self {
    case .function:
      "a function has no stored form; archive the data that it is made from"
    case .void:
      "'Void' is a tuple without elements, which has no stored form; leave it out, or use 'Bool'"
    case .tuple(let type):
      "tuple '\(type)' has no stored form at this place; use an '@Archivable' struct"
    case .existential(let type):
      "'\(type)' does not say which class to rebuild; use an '@Archivable' class or enum"
    case .unmarked("Any", let plain):
      "'Any' does not say which class to rebuild; for any JSON write '\(plain)', for values of your own an "
        + "'@Archivable' type, or 'any' with a protocol and '@JSONFormat' to read it from JSON; or mark it with '@Boxed'"
    case .unmarked(let type, _):
      "'\(type)' does not say which class to rebuild; use an '@Archivable' class, or 'any' with a protocol and "
        + "'@JSONFormat' to read it from JSON; or mark it with '@Boxed'"
    case .unmarkable(let type):
      "'\(type)' does not say which class to rebuild, and a case takes no '@Boxed'; use 'any' with a protocol, "
        + "or an '@Archivable' struct with a '@Boxed' property"
    case .uncodable(let type):
      "'\(type)' cannot be 'Codable'; leave '@Coded' away, or use a type that is"
    case .unboxed(let type):
      "'@Boxed' is for 'Any' and 'AnyObject', which '\(type)' does not spell out; "
        + "write what it stands for, such as '[String: Any]', or leave '@Boxed' away"
    case .untyped:
      "its type is not written; write it after the name"
    case .metatype(let type):
      "'\(type)' is a type, not a value; archive the name of the type"
    case .pointer(let type):
      "'\(type)' is an address, which means nothing to another process; archive what it points to"
    case .task:
      "a running 'Task' has no stored form; archive its result"
    }
  }

  /// Searches `type` and its element types for a type that cannot be archived. Nil if there is none.
  ///
  /// `marks` are the attributes of the property; nil for an associated value.
  init?(in type: TypeSyntax, marks: AttributeListSyntax?) {
    let isBoxed = marks?.first(named: "Boxed") != nil
    let isCoded = marks?.first(named: "Coded") != nil
    guard let problem = Search(isBoxed: isBoxed).find(in: type, isConverted: !isCoded) else {
      guard isBoxed, ArchivedForm(of: type, marks: marks) == nil else { return nil }
      self = .unboxed(type.trimmedDescription)
      return
    }
    self =
      switch problem {
      case .existential(let type) where isCoded, .tuple(let type) where isCoded: .uncodable(type)
      case .unmarked(let type, _) where marks == nil: .unmarkable(type)
      case .unmarked(let name, _): .unmarked(name, inJSON: type.withJSON)
      default: problem
      }
  }

  /// Checks a property whose declaration does not state the type, by its initial value and attributes. Nil if
  /// the property can be archived.
  init?(withoutType marks: AttributeListSyntax, initialValue: ExprSyntax?) {
    if marks.first(named: "Boxed") != nil {
      self = .untyped
    } else if initialValue?.is(ClosureExprSyntax.self) == true {
      self = .function
    } else if let tuple = initialValue?.as(TupleExprSyntax.self), tuple.elements.count != 1 {
      self = marks.first(named: "Coded") == nil ? .untyped : .uncodable(tuple.trimmedDescription)
    } else {
      return nil
    }
  }

  private struct Search {
    /// Whether the property has the attribute `@Boxed`.
    let isBoxed: Bool

    /// Finds a type that cannot be archived. `isConverted` states whether `ArchivedForm` converts a value of
    /// `type`.
    func find(in type: TypeSyntax, isConverted: Bool) -> UnarchivableType? {
      let text = type.trimmedDescription
      func find(_ part: TypeSyntax) -> UnarchivableType? { self.find(in: part, isConverted: isConverted) }
      switch type.as(TypeSyntaxEnum.self) {
      case .functionType: return .function
      case .metatypeType: return .metatype(text)
      case .compositionType: return isConverted ? nil : .existential(text)
      case .someOrAnyType(let constrained):
        let isAny = constrained.someOrAnySpecifier.tokenKind == .keyword(.any)
        return isAny && !isConverted ? .existential(text) : nil
      case .tupleType(let tuple):
        if tuple.elements.count == 1, let only = tuple.elements.first { return find(only.type) }
        if tuple.elements.isEmpty { return .void }
        guard isConverted else { return .tuple(text) }
        return tuple.elements.lazy.compactMap { find($0.type) }.first
      case .attributedType(let attributed): return find(attributed.baseType)
      case .optionalType(let optional): return find(optional.wrappedType)
      case .implicitlyUnwrappedOptionalType(let optional): return find(optional.wrappedType)
      case .arrayType(let array): return find(array.element)
      case .dictionaryType(let dictionary):
        return self.find(in: dictionary.key, isConverted: false) ?? find(dictionary.value)
      case .identifierType, .memberType: return self.find(inNamed: type, text, isConverted)
      default: return nil
      }
    }

    private func find(inNamed type: TypeSyntax, _ text: String, _ isConverted: Bool) -> UnarchivableType? {
      let arguments = type.genericArgumentTypes
      switch type.baseName {
      case "Any", "AnyObject":
        guard isConverted else { return .existential(text) }
        return isBoxed ? nil : .unmarked(text, inJSON: "JSONValue")
      case "Void": return .void
      case "Task": return .task
      case "Type" where type.is(MemberTypeSyntax.self): return .metatype(text)
      case "OpaquePointer", "Unmanaged": return .pointer(text)
      case "Optional", "Array":
        return arguments.lazy.compactMap { find(in: $0, isConverted: isConverted) }.first
      case "Dictionary":
        return arguments.enumerated().lazy.compactMap { find(in: $1, isConverted: isConverted && $0 == 1) }
          .first
      case "ArraySlice", "ContiguousArray", "CollectionOfOne", "KeyValuePairs", "Result", "Set":
        return arguments.lazy.compactMap { find(in: $0, isConverted: false) }.first
      case .some(let name) where name.hasPrefix("Unsafe") || name.hasPrefix("AutoreleasingUnsafe"):
        return name.hasSuffix("Pointer") ? .pointer(text) : nil
      default: return nil
      }
    }
  }
}

extension TypeSyntax {
  /// The type as written, with `JSONValue` instead of `Any`.
  fileprivate var withJSON: String {
    trimmed.tokens(viewMode: .sourceAccurate).map { token in
      token.tokenKind == .keyword(.Any) || token.text == "Any"
        ? token.description.replacing("Any", with: "JSONValue") : token.description
    }.joined()
  }
}
