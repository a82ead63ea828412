package import ArcRuntime

/// Names of column types for error messages: the Swift name, such as `[Person]`, or the type encoding if two
/// types have the same Swift name.
package enum TypeWords {
  /// Returns the Swift name and the encoding of a type. The encoding omits the cases of `Codable` values,
  /// because these are the same cases for each such value.
  package static func named(_ type: TypeEncoding?) -> String {
    guard let type else { return "no type" }
    return "type '\(name(of: type))' (encoding '\(withoutCasesOfCoded(type))')"
  }

  private static func withoutCasesOfCoded(_ type: TypeEncoding) -> TypeEncoding {
    if case .enumeration("Coded", _) = type { return .enumeration(name: "Coded", cases: nil) }
    return type.mapChildren { type, _ in withoutCasesOfCoded(type) }
  }

  /// Returns names, in quotes, by which two different types can be distinguished.
  package static func different(_ one: TypeEncoding?, _ other: TypeEncoding) -> (String, String) {
    guard let one else { return ("no type", "'\(name(of: other))'") }
    let names = ("'\(name(of: one))'", "'\(name(of: other))'")
    return names.0 == names.1 ? ("'\(one)'", "'\(other)'") : names
  }

  /// Returns the Swift name of a type. The depth of the recursion is bounded, because the nesting of an
  /// encoding is limited.
  package static func name(of type: TypeEncoding) -> String {
    switch type {
    case .scalar(let scalar): scalars[scalar] ?? type.description
    case .object(let name?, _) where values[name] != nil: values[name] ?? name
    case .object: type.qualifiedClassName ?? "AnyObject"
    case .weak(let target): name(of: target)
    case .optional(let wrapped): name(of: wrapped) + "?"
    case .list(let element): "[" + name(of: element) + "]"
    case .set(let element): "Set<" + name(of: element) + ">"
    case .dictionary(let key, let value): "[" + name(of: key) + ": " + name(of: value) + "]"
    case .structure("?", let fields?):
      "(" + fields.map { ($0.name.map { $0 + ": " } ?? "") + name(of: $0.type) }.joined(separator: ", ") + ")"
    case .structure(let name, _), .enumeration(let name, _): name
    default: type.description
    }
  }

  private static let scalars: [TypeEncoding.Scalar: String] = [
    .bool: "Bool", .character: "Int8", .short: "Int16", .int: "Int32", .longLong: "Int", .int128: "Int128",
    .unsignedCharacter: "UInt8", .unsignedShort: "UInt16", .unsignedInt: "UInt32", .unsignedLongLong: "UInt",
    .unsignedInt128: "UInt128", .half: "Float16", .float: "Float", .double: "Double",
  ]

  private static let values = [
    "NSString": "String", "NSData": "Data", "NSDate": "Date", "NSUUID": "UUID", "NSURL": "URL",
    "NSDecimalNumber": "Decimal",
  ]
}
