import SwiftSyntax

/// A type of which the syntax alone tells that no archive can hold its values.
enum UnarchivableType: Equatable {
  case function
  case void
  /// A tuple where it is not converted.
  case tuple(String)
  case existential(String)
  /// `Any` or `AnyObject` without a mark, in a type that is written so with `JSONValue` in its place.
  case unmarked(String, inJSON: String)
  /// `Any` or `AnyObject` in a case, which takes no mark.
  case unmarkable(String)
  /// A type marked `@Coded` that cannot conform to `Codable`.
  case uncodable(String)
  /// A type marked `@Boxed` in which nothing is boxed.
  case unboxed(String)
  /// A property without a type whose form depends on it.
  case untyped
  case metatype(String)
  case pointer(String)
  case task

  /// Why not, and what to use where there is an answer.
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

  /// Looks for such a type in `type`, also as an element of an optional, array, set or dictionary; `marks`
  /// are the attributes of the property, nil for an associated value.
  init?(in type: TypeSyntax, marks: AttributeListSyntax?) {
    let isBoxed = marks?.first(named: "Boxed") != nil
    let isCoded = marks?.first(named: "Coded") != nil
    guard let found = Search(isBoxed: isBoxed).find(in: type, isConverted: !isCoded) else {
      guard isBoxed, ArchivedForm(of: type, marks: marks) == nil else { return nil }
      self = .unboxed(type.trimmedDescription)
      return
    }
    self =
      switch found {
      case .existential(let type) where isCoded, .tuple(let type) where isCoded: .uncodable(type)
      case .unmarked(let type, _) where marks == nil: .unmarkable(type)
      case .unmarked(let name, _): .unmarked(name, inJSON: type.withJSON)
      default: found
      }
  }

  /// Tells such a type by a property's initial value and marks, where no type is written.
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
    /// Whether `Any` and `AnyObject` are marked.
    let isBoxed: Bool

    /// Finds such a type; `isConverted` says whether `ArchivedForm` converts what stands at its place.
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
  /// The type as it is written, with `JSONValue` in place of `Any`.
  fileprivate var withJSON: String {
    trimmed.tokens(viewMode: .sourceAccurate).map { token in
      token.tokenKind == .keyword(.Any) || token.text == "Any"
        ? token.description.replacing("Any", with: "JSONValue") : token.description
    }.joined()
  }
}
