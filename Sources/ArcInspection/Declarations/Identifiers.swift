/// Names for declarations: what a file calls a class, property or case becomes an identifier, and no two the
/// same.
///
/// Text from a file is never printed as it is: it could end a declaration and begin another.
struct Identifiers {
  private var taken: Set<String>
  private let keywords: Set<String>
  /// The number to try next for an identifier that is taken.
  private var numbers: [String: Int] = [:]

  /// Begins with identifiers that mean something else.
  init(reserved: Set<String>, keywords: Set<String>) {
    taken = reserved
    self.keywords = keywords
  }

  /// An identifier for a name that no other has yet.
  mutating func make(from name: String) -> String {
    let plain = Self.plain(name)
    var identifier = keywords.contains(plain) ? plain + "_" : plain
    while !taken.insert(identifier).inserted {
      let number = numbers[plain, default: 2]
      numbers[plain] = number + 1
      identifier = "\(plain)_\(number)"
    }
    return identifier
  }

  /// Letters, digits and underscores of the name; everything else becomes an underscore.
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
  /// Types of Swift and Foundation that declarations use, so that none may be declared anew.
  static let swiftTypes: Set<String> = [
    "Bool", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
    "Float16", "Float", "Double", "String", "Data", "Date", "UUID", "URL", "Decimal", "Array", "Set",
    "Dictionary", "Optional", "AnyObject", "Any", "Hashable", "Hasher", "ObjectIdentifier", "Indirect", "Int",
    "UInt",
  ]

  /// Words that are no identifiers in Swift without backticks.
  static let swiftKeywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case",
    "catch", "class", "continue", "default", "defer", "deinit", "do", "dynamic", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "hash", "hashValue", "if", "import", "in",
    "indirect", "init", "inout", "internal", "is", "lazy", "let", "mutating", "nil", "nonisolated", "open",
    "operator", "optional", "override", "precedencegroup", "private", "protocol", "public", "repeat",
    "required", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak", "where", "while",
  ]

  /// Words that are no identifiers in Objective-C or Objective-C++.
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
