import ArcRuntime

/// Objective-C declarations for type encodings: `double _age`, `NSArray<Person *> *friends`.
///
/// Swift types become their counterparts in Foundation.
struct ObjectiveCTypes {
  /// Returns the declaration of a variable with this type and name.
  static func declaration(of type: TypeEncoding, _ name: String) -> String {
    switch type {
    case .pointer(.scalar(.unknown)): return "void (*\(name))(void)"
    case .pointer(.array(let count, let element)):
      return declaration(of: element, "(*\(name))[\(count.map(String.init) ?? "")]")
    case .pointer(let pointee):
      return declaration(of: pointee == .uncoded ? .scalar(.void) : pointee, "*" + name)
    case .array(let count, let element):
      return declaration(of: element, "\(name)[\(count.map(String.init) ?? "")]")
    case .bitField(let width, let gnu):
      return declaration(of: .scalar(gnu?.type ?? (width > 32 ? .unsignedLongLong : .unsignedInt)), name)
        + " : \(width)"
    case .block(let signature): return block(signature, name)
    case .qualified(.atomic, let inner): return "_Atomic(\(text(of: inner))) \(name)"
    case .qualified(.complex, let inner): return "_Complex " + declaration(of: inner, name)
    case .qualified(.const, let inner): return "const " + declaration(of: inner, name)
    case .qualified(_, let inner): return declaration(of: inner, name)
    default:
      let text = text(of: type)
      return text.hasSuffix("*") || name.isEmpty ? text + name : text + " " + name
    }
  }

  /// Returns the text of a type that is not part of a variable's declaration.
  static func text(of type: TypeEncoding) -> String {
    switch type {
    case .scalar(let scalar): return scalars[scalar] ?? "void"
    case .object(let name?, _) where values.contains(name): return name + " *"
    // The brackets after a class name can contain protocols or, for a Swift class, generic arguments. The
    // qualified name includes generic arguments.
    case .object(let name?, _): return Identifiers.plain(type.qualifiedClassName ?? name) + " *"
    case .object(nil, let protocols): return "id" + list(protocols.map(Identifiers.plain))
    case .list(let element): return "NSArray<\(boxed(element))> *"
    case .set(let element): return "NSSet<\(boxed(element))> *"
    case .dictionary(let key, let value): return "NSDictionary<\(boxed(key)), \(boxed(value))> *"
    case .optional(let wrapped): return boxed(wrapped)
    case .weak(let target): return text(of: target)
    case .structure(let name, _): return name == "?" ? "NSValue *" : "struct " + Identifiers.plain(name)
    case .union(let name, _): return name == "?" ? "NSValue *" : "union " + Identifiers.plain(name)
    case .enumeration: return "id"
    case .uncoded, .vector: return "void *"
    default: return declaration(of: type, "")
    }
  }

  /// Returns the class of the object that represents a value of this type in a collection.
  private static func boxed(_ type: TypeEncoding) -> String {
    switch type {
    case .scalar: "NSNumber *"
    case .structure, .union: "NSValue *"
    default: text(of: type)
    }
  }

  /// Returns the definitions of the structures that the types contain by value. The definition of a nested
  /// structure precedes the definition of its enclosing structure.
  static func definitions(for types: [TypeEncoding]) -> [[String]] {
    var seen: Set<String> = []
    var found: [[String]] = []
    func visit(_ type: TypeEncoding) {
      switch type {
      case .array(_, let inner), .qualified(_, let inner): visit(inner)
      case .structure(let name, let fields?) where name != "?" && seen.insert(name).inserted:
        for field in fields { visit(field.type) }
        var names = Identifiers(reserved: [], keywords: Identifiers.objectiveCKeywords)
        let members = fields.map { declaration(of: $0.type, names.make(from: $0.name ?? "field")) + ";" }
        found.append(["struct \(Identifiers.plain(name)) {"] + members.map { "  " + $0 } + ["};"])
      default: break
      }
    }
    for type in types { visit(type) }
    return found
  }

  private static func block(_ signature: [TypeEncoding]?, _ name: String) -> String {
    guard let signature, let result = signature.first else { return "void (^\(name))(void)" }
    let arguments = signature.dropFirst(2).map { declaration(of: $0, "") }
    return declaration(
      of: result, "(^\(name))(" + (arguments.isEmpty ? "void" : arguments.joined(separator: ", ")) + ")")
  }

  private static func list(_ protocols: [String]) -> String {
    protocols.isEmpty ? "" : "<" + protocols.joined(separator: ", ") + ">"
  }

  private static let values: Set<String> = [
    "NSString", "NSData", "NSDate", "NSUUID", "NSURL", "NSDecimalNumber",
  ]

  private static let scalars: [TypeEncoding.Scalar: String] = [
    .character: "signed char", .short: "short", .int: "int", .long: "long", .longLong: "long long",
    .int128: "__int128", .unsignedCharacter: "unsigned char", .unsignedShort: "unsigned short",
    .unsignedInt: "unsigned int", .unsignedLong: "unsigned long", .unsignedLongLong: "unsigned long long",
    .unsignedInt128: "unsigned __int128", .float: "float", .double: "double", .longDouble: "long double",
    .bool: "BOOL", .void: "void", .cString: "char *", .classObject: "Class", .selector: "SEL",
    .unknown: "void", .atom: "char *", .half: "_Float16",
  ]
}
