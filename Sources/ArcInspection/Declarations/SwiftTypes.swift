import ArcFormat
import ArcRuntime

/// A converter of type encodings to Swift types. It collects the structures, enumerations and classes to
/// declare.
final class SwiftTypes {
  /// A structure or enumeration to declare.
  struct Declaration {
    let identifier: String
    let name: String
    let isEnumeration: Bool
    let members: [TypeEncoding.Field]
  }

  private var identifiers = Identifiers(reserved: Identifiers.swiftTypes, keywords: Identifiers.swiftKeywords)
  private var classNames: [ExactName: String] = [:]
  private var known: [TypeEncoding: String] = [:]
  /// The identifiers of the types that enclose the current type. Each key is the beginning of a type's
  /// encoding: the opening bracket and the name.
  private var enclosing: [ExactName: String] = [:]
  private(set) var declarations: [Declaration] = []
  /// The names of the classes that occur in types but are not described by the archive.
  private(set) var missingClasses: [String] = []
  private(set) var needsFoundation = false
  private(set) var needsIndirect = false
  /// Whether a type in the archive has objects, structures or enumerations as dictionary keys or as elements
  /// of a set.
  private(set) var needsHashing = false

  /// Returns the identifier of a class. If `isDescribed` is false, the class is added to `missingClasses` at
  /// its first use.
  func className(_ name: String, isDescribed: Bool = false) -> String {
    if let known = classNames[ExactName(name)] { return known }
    let identifier = identifiers.make(from: name)
    classNames[ExactName(name)] = identifier
    if !isDescribed { missingClasses.append(name) }
    return identifier
  }

  /// Returns the Swift type of an encoding. A reference is optional, unless it is an element of a collection.
  func text(of type: TypeEncoding, isElement: Bool = false) -> String {
    switch type {
    case .scalar(let scalar): return Self.scalars[scalar] ?? "Any?"
    case .object(let name?, _) where Self.values[name] != nil:
      if name != "NSString" { needsFoundation = true }
      return Self.values[name] ?? "Any?"
    case .object(_?, _):
      return className(type.qualifiedClassName ?? "") + (isElement ? "" : "?")
    case .object: return isElement ? "AnyObject" : "AnyObject?"
    case .optional(let wrapped): return text(of: wrapped, isElement: true) + "?"
    case .list(let element): return "[" + item(element) + "]"
    case .set(let element):
      noteKey(element)
      return "Set<" + item(element) + ">"
    case .dictionary(let key, let value):
      noteKey(key)
      return "[" + item(key) + ": " + item(value) + "]"
    case .structure(let name, nil):
      guard let outer = enclosing[ExactName("{" + name)] else { return "Any?" }
      needsIndirect = true
      return "Indirect<\(outer)>"
    case .enumeration(let name, nil): return enclosing[ExactName("(" + name)] ?? "Any?"
    case .structure(let name, let fields?): return declare(type, name, fields, form: "{")
    case .enumeration(let name, let cases?): return declare(type, name, cases, form: "(")
    case .weak(let target): return text(of: target)
    default: return "Any?"
    }
  }

  /// Returns the type of a collection's elements. If the element type is an enclosing structure, the result
  /// is the structure itself, not `Indirect` of it, because a structure can contain a collection of itself.
  private func item(_ type: TypeEncoding) -> String {
    if case .structure(let name, nil) = type, let outer = enclosing[ExactName("{" + name)] { return outer }
    return text(of: type, isElement: true)
  }

  private func noteKey(_ type: TypeEncoding) {
    switch type {
    case .scalar: break
    case .object(let name?, _) where Self.values[name] != nil: break
    default: needsHashing = true
    }
  }

  private func declare(
    _ type: TypeEncoding, _ name: String, _ members: [TypeEncoding.Field], form: String
  ) -> String {
    if let known = known[type] { return known }
    let identifier = identifiers.make(from: name == "?" ? "Anonymous" : name)
    known[type] = identifier
    let outer = enclosing[ExactName(form + name)]
    enclosing[ExactName(form + name)] = identifier
    let position = declarations.count
    declarations.append(
      Declaration(identifier: identifier, name: name, isEnumeration: form == "(", members: members))
    // The types of the members are declared while `enclosing` contains this type, because members can refer
    // to it.
    lines[position] = self.members(of: declarations[position])
    enclosing[ExactName(form + name)] = outer
    return identifier
  }

  /// The lines in the braces of each declaration, by the index of the declaration.
  private(set) var lines: [Int: [String]] = [:]

  private func members(of declaration: Declaration) -> [String] {
    var names = Identifiers(reserved: [], keywords: Identifiers.swiftKeywords)
    return declaration.members.map { member in
      let name = names.make(from: member.name ?? "field")
      guard declaration.isEnumeration else {
        let isWeak = if case .weak = member.type { true } else { false }
        return (isWeak ? "weak " : "") + "var \(name): \(text(of: member.type))"
      }
      guard case .structure(_, let fields?) = member.type, !fields.isEmpty else { return "case \(name)" }
      let values = fields.map { field in
        let label = field.name.flatMap { $0.isEmpty ? nil : Identifiers.plain($0) + ": " } ?? ""
        return label + text(of: field.type)
      }
      return "case \(name)(" + values.joined(separator: ", ") + ")"
    }
  }

  private static let scalars: [TypeEncoding.Scalar: String] = [
    .bool: "Bool", .character: "Int8", .short: "Int16", .int: "Int32", .longLong: "Int", .int128: "Int128",
    .unsignedCharacter: "UInt8", .unsignedShort: "UInt16", .unsignedInt: "UInt32",
    .unsignedLongLong: "UInt", .unsignedInt128: "UInt128", .half: "Float16", .float: "Float",
    .double: "Double",
  ]

  private static let values = [
    "NSString": "String", "NSData": "Data", "NSDate": "Date", "NSUUID": "UUID", "NSURL": "URL",
    "NSDecimalNumber": "Decimal",
  ]
}
