/// A generator of unique identifiers for the classes, properties and cases of a file.
///
/// A declaration never contains unchanged text from a file, because the text could end the declaration and
/// begin another declaration.
struct Identifiers {
  private var used: Set<String>
  private let keywords: Set<String>
  /// For each identifier that is already in use, the next number to append to it.
  private var numbers: [String: Int] = [:]

  /// Creates a generator. It does not generate the identifiers in `reserved`, and appends `_` to keywords.
  init(reserved: Set<String>, keywords: Set<String>) {
    used = reserved
    self.keywords = keywords
  }

  /// Returns an identifier for a name. The identifier is different from all identifiers returned before.
  mutating func make(from name: String) -> String {
    let plain = Self.plain(name)
    var identifier = keywords.contains(plain) ? plain + "_" : plain
    while !used.insert(identifier).inserted {
      let number = numbers[plain, default: 2]
      numbers[plain] = number + 1
      identifier = "\(plain)_\(number)"
    }
    return identifier
  }

  /// Converts a name to a valid identifier. Replaces each character that is not a letter, a digit or an
  /// underscore by an underscore.
  static func plain(_ name: String) -> String {
    let longest = 200
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.prefix(longest) {
      let isPlain =
        scalar.isASCII
        ? scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        : scalar.properties.isXIDContinue && !scalar.properties.isDefaultIgnorableCodePoint
      scalars.append(isPlain ? scalar : "_")
    }
    guard let first = scalars.first else { return "_unnamed" }
    if first == "_", scalars.count == 1 { return "_unnamed" }
    let canStart = first == "_" || (first.properties.isXIDStart && first.properties.numericType == nil)
    return (canStart ? "" : "_") + String(scalars)
  }
}

extension Identifiers {
  /// Types of Swift and Foundation that the declarations use. No declaration may redefine them.
  static let swiftTypes: Set<String> = [
    "Bool", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
    "Float16", "Float", "Double", "String", "Data", "Date", "UUID", "URL", "Decimal", "Array", "Set",
    "Dictionary", "Optional", "AnyObject", "Any", "Hashable", "Hasher", "ObjectIdentifier", "Indirect", "Int",
    "UInt",
  ]

  /// Words that Swift accepts as identifiers only in backticks, or not at all.
  static let swiftKeywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case",
    "catch", "class", "continue", "default", "defer", "deinit", "do", "dynamic", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "hash", "hashValue", "if", "import", "in",
    "indirect", "init", "inout", "internal", "is", "lazy", "let", "mutating", "nil", "nonisolated", "open",
    "operator", "optional", "override", "precedencegroup", "private", "protocol", "public", "repeat",
    "required", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak", "where", "while",
  ]

  /// Words that are not valid identifiers in Objective-C or Objective-C++.
  static let objectiveCKeywords: Set<String> = [
    "BOOL", "Class", "FALSE", "IMP", "NO", "NULL", "Nil", "Protocol", "SEL", "TRUE", "YES", "auto", "bool",
    "break", "bycopy", "byref", "case", "catch", "char", "class", "const", "continue", "default", "delete",
    "do", "double", "else", "enum", "extern", "false", "float", "for", "friend", "goto", "id", "if", "in",
    "inline", "inout", "instancetype", "int", "long", "namespace", "new", "nil", "oneway", "operator", "out",
    "private", "protected", "public", "register", "restrict", "return", "self", "short", "signed", "sizeof",
    "static", "struct", "super", "switch", "template", "this", "throw", "true", "try", "typedef", "typename",
    "union", "unsigned", "using", "virtual", "void", "volatile", "while",
  ]
}
