import SwiftSyntax

/// A type of which the syntax alone tells that no archive can hold its values.
enum UnarchivableType: Equatable {
  case function
  case tuple
  case existential(String)
  case opaque(String)
  case metatype(String)
  case pointer(String)
  case task

  /// Why not, and what to use where there is an answer.
  var explanation: String {
    switch self {
    case .function:
      "a function has no stored form"
    case .tuple:
      "a tuple has no stored form; use an '@Archivable' struct"
    case .existential(let type):
      "'\(type)' does not say which class to rebuild; use an '@Archivable' class or enum"
    case .opaque(let type):
      "'\(type)' hides its type; write the type"
    case .metatype(let type):
      "'\(type)' is a type, not a value"
    case .pointer(let type):
      "'\(type)' is an address, which means nothing to another process"
    case .task:
      "a running 'Task' has no stored form"
    }
  }

  /// Looks for such a type in `type`, also as an element of an optional, array, set or dictionary.
  init?(in type: TypeSyntax) {
    guard let found = Self.find(in: type) else { return nil }
    self = found
  }

  /// Tells a function or a tuple by a property's initial value, where no type is written.
  init?(inferredFrom value: ExprSyntax) {
    if value.is(ClosureExprSyntax.self) {
      self = .function
    } else if let tuple = value.as(TupleExprSyntax.self), tuple.elements.count != 1 {
      self = .tuple
    } else {
      return nil
    }
  }

  private static func find(in type: TypeSyntax) -> UnarchivableType? {
    let text = type.trimmedDescription
    switch type.as(TypeSyntaxEnum.self) {
    case .functionType: return .function
    case .metatypeType: return .metatype(text)
    case .compositionType: return .existential(text)
    case .someOrAnyType(let constrained):
      return constrained.someOrAnySpecifier.tokenKind == .keyword(.some) ? .opaque(text) : .existential(text)
    case .tupleType(let tuple):
      guard tuple.elements.count == 1, let only = tuple.elements.first else { return .tuple }
      return find(in: only.type)
    case .attributedType(let attributed): return find(in: attributed.baseType)
    case .optionalType(let optional): return find(in: optional.wrappedType)
    case .implicitlyUnwrappedOptionalType(let optional): return find(in: optional.wrappedType)
    case .arrayType(let array): return find(in: array.element)
    case .dictionaryType(let dictionary): return find(in: dictionary.key) ?? find(in: dictionary.value)
    case .identifierType, .memberType: return find(inNamed: type, text: text)
    default: return nil
    }
  }

  private static func find(inNamed type: TypeSyntax, text: String) -> UnarchivableType? {
    switch type.baseName {
    case "Any", "AnyObject": return .existential(text)
    case "Void": return .tuple
    case "Task": return .task
    case "Type" where type.is(MemberTypeSyntax.self): return .metatype(text)
    case "OpaquePointer", "Unmanaged": return .pointer(text)
    case "Optional", "Array", "ContiguousArray", "Set", "Dictionary":
      return type.genericArgumentTypes.lazy.compactMap(find).first
    case .some(let name) where name.hasPrefix("Unsafe") || name.hasPrefix("AutoreleasingUnsafe"):
      return name.hasSuffix("Pointer") ? .pointer(text) : nil
    default: return nil
    }
  }
}
