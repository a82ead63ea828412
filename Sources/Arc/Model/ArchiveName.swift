/// The coded name of a type: its name in files.
///
/// Generated code creates the coded name from a literal. Type arguments in the literal are replaced by their
/// own coded names. So renaming a type does not change the meaning of a file, and `Box<Album.Item>` and
/// `Box<Order.Item>` are different classes.
@_documentation(visibility: internal)
public struct __ArchiveName: Sendable, ExpressibleByStringInterpolation {
  /// The coded name as a string.
  public let text: String
  /// The name of the type in older files. In these files, type arguments have their Swift names without the
  /// enclosing types, as in `Box<Item>`. Such files can still be read.
  let formerText: String
  /// The names that `@Archivable(formerly:)` declares for the type or for its type arguments.
  let formerNames: [String]

  /// Creates a coded name from a string literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// Creates a coded name from a string literal that contains generic arguments.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    formerText = stringInterpolation.formerText
    formerNames = stringInterpolation.formerNames
  }

  /// Creates a coded name, with the former names that the type has in older files.
  public init(_ name: __ArchiveName, formerly names: __ArchiveName...) {
    text = name.text
    formerText = name.formerText
    formerNames =
      names.flatMap { former in
        [former.text] + (former.formerText == former.text ? [] : [former.formerText]) + former.formerNames
      } + name.formerNames
  }

  init(_ text: String) {
    self.text = text
    formerText = text
    formerNames = []
  }

  /// Whether a name in a file represents the type, as its current name or as a former name.
  func includes(_ name: String) -> Bool {
    text.hasSameBytes(as: name) || formerNames.contains { $0.hasSameBytes(as: name) }
  }

  /// Creates the name that Swift gives a type within its module.
  init(of type: Any.Type) {
    text = SwiftTypeName.text(of: type) { _ in false }
    formerText = String(describing: type)
    formerNames = []
  }

  /// Creates the name of a type argument: its coded name or, for a type without a coded name, Swift's name
  /// with the module.
  init(ofArgument type: Any.Type) {
    let name = (type as? any ArchivableValue.Type)?.__archiveName
    formerNames = name?.formerNames ?? []
    text =
      name?.text
      ?? SwiftTypeName.text(of: type) { !SwiftTypeName.commonModules.contains($0) }
    // In older files, only the type arguments that are classes had their coded names.
    formerText =
      (type as? any Archivable.Type)?.archiveSchema.codedName.formerText ?? String(describing: type)
  }

  /// Collects the parts of a coded name from a string literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var formerText = ""
    fileprivate var formerNames: [String] = []

    /// Creates an empty coded name.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends a literal part of the coded name.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
      formerText += literal
      for index in formerNames.indices { formerNames[index] += literal }
    }

    /// Appends the coded name of a generic argument that is a type.
    public mutating func appendInterpolation(_ argument: Any.Type) {
      let name = __ArchiveName(ofArgument: argument)
      if !formerNames.isEmpty || !name.formerNames.isEmpty { combine(with: name) }
      text += name.text
      formerText += name.formerText
    }

    /// Combines each name collected so far with each name of an argument, current or former. Limits the
    /// number of former names.
    private mutating func combine(with name: __ArchiveName) {
      let combined = ([text] + formerNames).flatMap { start in
        ([name.text] + name.formerNames).map { start + $0 }
      }
      // The first combination is the current name.
      formerNames = Array(combined.dropFirst().prefix(Self.maximumFormerNameCount))
    }

    private static let maximumFormerNameCount = 64

    /// Appends the generic arguments of an extended type, such as `<Int>`. Appends nothing if the type is not
    /// generic.
    ///
    /// Generated code for a type that is nested in an extension passes the extended type, because the macro
    /// cannot see the generic parameters of the extended type.
    public mutating func appendInterpolation(argumentsOf type: Any.Type) {
      text += SwiftTypeName.arguments(of: type)
    }

    /// Appends a generic argument that is an integer, such as `3` in `Vector<3>`.
    public mutating func appendInterpolation(_ argument: Int) { appendLiteral("\(argument)") }
  }
}

/// Functions that read Swift's names of types.
private enum SwiftTypeName {
  /// The modules that are omitted in names.
  static let commonModules: Set = ["Swift", "Foundation", "FoundationEssentials", "_Concurrency"]

  /// Returns the qualified name of a type, such as `Outer<Int>.Inner`. The name of a module is included if
  /// `isIncluded` returns true for the module. Contexts without a name, such as the file of a private type,
  /// are omitted, because the runtime prints an address for them.
  static func text(of type: Any.Type, includingModule isIncluded: (String) -> Bool) -> String {
    var rest = _typeName(type, qualified: true)[...]
    var text = ""
    var isAtStart = true
    while let first = rest.unicodeScalars.first {
      if let context = ["(unknown context at ", "(extension in "].first(where: rest.hasPrefix) {
        // A period or a colon follows the parenthesis.
        rest = rest.dropFirst(context.count).drop { $0 != ")" }.dropFirst(2)
      } else if isWord(first) || first == "`" {
        let word = word(in: rest)
        rest = rest[word.endIndex...]
        if isAtStart, rest.first == ".", !isIncluded(String(word)) {
          rest = rest.dropFirst()
        } else {
          text += String(word)
        }
        isAtStart = false
      } else {
        text.unicodeScalars.append(first)
        rest = rest[rest.unicodeScalars.index(after: rest.startIndex)...]
        // A name continues after a period, and after the arguments of the enclosing type.
        isAtStart = first != "." && first != ">"
      }
    }
    return text
  }

  /// Returns the generic arguments of a type and of its enclosing types, with their brackets. Empty if the
  /// types have no arguments.
  static func arguments(of type: Any.Type) -> String {
    let name = text(of: type) { !commonModules.contains($0) }
    var arguments = ""
    var depth = 0
    for character in name {
      if character == "<" { depth += 1 }
      if depth > 0 { arguments.append(character) }
      if character == ">" { depth -= 1 }
    }
    return arguments
  }

  /// Returns the name at the beginning of a string. A name with spaces or periods is in backticks.
  private static func word(in text: Substring) -> Substring {
    guard text.first == "`", let end = text.dropFirst().firstIndex(of: "`") else {
      return Substring(text.unicodeScalars.prefix(while: isWord))
    }
    return text[...end]
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.value > 127 || scalar.properties.isAlphabetic
      || ("0"..."9").contains(scalar)
  }
}
