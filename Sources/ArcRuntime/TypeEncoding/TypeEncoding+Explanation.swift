extension TypeEncoding {
  /// The type in words, such as "array of Person references" or "optional 64-bit signed integer".
  ///
  /// The words contain names from the encoding without change. Before you print the words to a terminal,
  /// escape control characters.
  public var explanation: String { words(plural: false) }

  private func words(plural: Bool) -> String { wordsOfPart(plural: plural) ?? wordsOfForm(plural: plural) }

  /// Returns the words for a type that contains one or two types. Nil for other types.
  ///
  /// There are two functions because a function of a debug build reserves stack for all of its branches, at
  /// each level of a nested type.
  private func wordsOfPart(plural: Bool) -> String? {
    switch self {
    case .pointer(.scalar(.unknown)): plural ? "function pointers" : "function pointer"
    case .pointer(let pointee):
      (plural ? "pointers to " : "pointer to ") + pointee.words(plural: plural)
    case .array(let count, let element):
      (plural ? "C arrays of " : "C array of ")
        + (count.map { "\($0) " } ?? "") + element.words(plural: count != 1)
    case .vector(let byteSize, _, let element):
      "\(byteSize)-byte \(plural ? "vectors" : "vector") of \(element.words(plural: true))"
    case .qualified(let qualifier, let type): qualifier.word + " " + type.words(plural: plural)
    case .optional(let wrapped): "optional " + wrapped.words(plural: plural)
    case .list(let element): (plural ? "arrays of " : "array of ") + element.words(plural: true)
    case .set(let element): (plural ? "sets of " : "set of ") + element.words(plural: true)
    case .dictionary(let key, let value):
      (plural ? "dictionaries from " : "dictionary from ")
        + key.words(plural: true) + " to " + value.words(plural: true)
    case .weak(let target): "weak " + target.words(plural: plural)
    default: nil
    }
  }

  private func wordsOfForm(plural: Bool) -> String {
    switch self {
    case .uncoded: plural ? "values without a type code" : "value without a type code"
    case .scalar(let scalar): scalar.words(plural: plural)
    case .object: objectWords(plural: plural)
    case .block(nil): plural ? "blocks" : "block"
    case .block(let signature?): (plural ? "blocks " : "block ") + Self.words(ofBlockSignature: signature)
    case .structure(let name, let fields):
      Self.words(ofRecord: plural ? "structures" : "structure", name, fields)
    case .union(let name, let fields): Self.words(ofRecord: plural ? "unions" : "union", name, fields)
    case .bitField(let width, let gnu):
      "\(width)-bit \(plural ? "fields" : "field")" + (gnu.map { " at bit \($0.bitOffset)" } ?? "")
    case .enumeration(let name, _): (plural ? "enumerations " : "enumeration ") + name
    default: ""
    }
  }

  private func objectWords(plural: Bool) -> String {
    guard case .object(let className, let protocols) = self else { return "" }
    if protocols.isEmpty, let className, let value = Self.bridgedValues[className] {
      return plural ? value + "s" : value
    }
    if let name = qualifiedClassName { return plural ? name + " references" : "reference to " + name }
    let base = plural ? "object references" : "object reference"
    return protocols.isEmpty ? base : base + " conforming to " + Self.enumerated(protocols)
  }

  /// The Swift values that some classes of Foundation represent. Without this table they would look like
  /// references.
  private static let bridgedValues = [
    "NSString": "string", "NSData": "data value", "NSDate": "date", "NSURL": "URL", "NSUUID": "UUID",
    "NSDecimalNumber": "decimal number",
  ]

  private static func words(ofBlockSignature signature: [TypeEncoding]) -> String {
    // The signature is [result, the block itself, arguments...].
    guard let result = signature.first else { return "without a signature" }
    let arguments = signature.dropFirst(2).map { $0.words(plural: false) }
    let taking = arguments.isEmpty ? "" : "taking " + enumerated(arguments) + " and "
    return taking + "returning " + result.words(plural: false)
  }

  private static func words(ofRecord kind: String, _ name: String, _ fields: [Field]?) -> String {
    let title = name == "?" || name.isEmpty ? "anonymous " + kind : kind + " " + name
    guard let fields, !fields.isEmpty else { return title }
    let names = fields.compactMap(\.name).filter { !$0.isEmpty }
    if names.count == fields.count { return title + " of " + enumerated(names) }
    return title + (fields.count == 1 ? " of 1 member" : " of \(fields.count) members")
  }

  static func enumerated(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension TypeEncoding.Scalar {
  fileprivate func words(plural: Bool) -> String {
    switch self {
    case .classObject: plural ? "classes" : "class"
    case .void: "void"
    default: plural ? singular + "s" : singular
    }
  }

  private var singular: String {
    switch self {
    case .character: "8-bit signed integer"
    case .short: "16-bit signed integer"
    case .int: "32-bit signed integer"
    case .long: "signed long integer"
    case .longLong: "64-bit signed integer"
    case .int128: "128-bit signed integer"
    case .unsignedCharacter: "8-bit unsigned integer"
    case .unsignedShort: "16-bit unsigned integer"
    case .unsignedInt: "32-bit unsigned integer"
    case .unsignedLong: "unsigned long integer"
    case .unsignedLongLong: "64-bit unsigned integer"
    case .unsignedInt128: "128-bit unsigned integer"
    case .float: "32-bit floating-point number"
    case .double: "64-bit floating-point number"
    case .longDouble: "long floating-point number"
    case .bool: "Boolean"
    case .void: "void"
    case .cString: "C string"
    case .classObject: "class"
    case .selector: "selector"
    case .unknown: "unknown type"
    case .atom: "atom"
    case .half: "half-precision floating-point number"
    }
  }
}

extension TypeEncoding.Qualifier {
  /// The qualifier in words, such as "constant".
  package var word: String {
    switch self {
    case .const: "constant"
    case .in: "in"
    case .inout: "inout"
    case .out: "out"
    case .byCopy: "by-copy"
    case .byReference: "by-reference"
    case .oneWay: "one-way"
    case .atomic: "atomic"
    case .complex: "complex"
    case .register: "register"
    case .invisibleToCollector: "collector-invisible"
    }
  }
}
