/// The coded name of a type: what files call it.
///
/// Made from the literal in generated code. Type arguments in it have their own coded names, so that renaming a type does
/// not change what a file means, and `Box<Album.Item>` is another class than `Box<Order.Item>`.
public struct ArchiveName: Sendable, ExpressibleByStringInterpolation {
  /// The name.
  public let text: String
  /// The name that the type had while arguments were called by Swift's name without the types around it, as in
  /// `Box<Item>`: files of that time are still read.
  let formerText: String

  /// The name as it is.
  public init(stringLiteral text: String) { self.init(text) }

  /// The name with those of type arguments in it.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    formerText = stringInterpolation.formerText
  }

  init(_ text: String) {
    self.text = text
    formerText = text
  }

  /// Swift's name of a type within its module.
  init(of type: Any.Type) {
    text = SwiftTypeName.text(of: type) { _ in false }
    formerText = String(describing: type)
  }

  /// The name of a type argument: its coded name, or Swift's with the module for a type that has none.
  init(ofArgument type: Any.Type) {
    text =
      (type as? any ArchivableValue.Type)?.__archiveName.text
      ?? SwiftTypeName.text(of: type) { !SwiftTypeName.commonModules.contains($0) }
    // Classes alone had their coded names there.
    formerText =
      (type as? any Archivable.Type)?.archiveSchema.codedName.formerText ?? String(describing: type)
  }

  /// Takes the parts of a name.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var formerText = ""

    /// Room for a name of some length.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// A part that is the same in each instance of a generic type.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
      formerText += literal
    }

    /// A type argument.
    public mutating func appendInterpolation(_ argument: Any.Type) {
      let name = ArchiveName(ofArgument: argument)
      text += name.text
      formerText += name.formerText
    }

    /// The arguments of a type whose extension has the named type in it: `<Int>`, or nothing where it has none. The
    /// extension does not say what its parameters are called.
    public mutating func appendInterpolation(argumentsOf type: Any.Type) {
      text += SwiftTypeName.arguments(of: type)
    }

    /// A value argument.
    public mutating func appendInterpolation(_ argument: Int) { appendLiteral("\(argument)") }
  }
}

/// Swift's names of types, as text.
private enum SwiftTypeName {
  /// Modules whose names nobody writes.
  static let commonModules: Set = ["Swift", "Foundation", "FoundationEssentials", "_Concurrency"]

  /// The qualified name of a type, `Outer<Int>.Inner`, with those modules that are kept. Contexts without a name, such as a
  /// file that a type is private to, are left out: what the runtime prints for them is an address.
  static func text(of type: Any.Type, keepingModule isKept: (String) -> Bool) -> String {
    var rest = _typeName(type, qualified: true)[...]
    var text = ""
    var isAtStart = true
    while let first = rest.unicodeScalars.first {
      if let context = ["(unknown context at ", "(extension in "].first(where: rest.hasPrefix) {
        // A dot or colon stands behind the parenthesis.
        rest = rest.dropFirst(context.count).drop { $0 != ")" }.dropFirst(2)
      } else if isWord(first) || first == "`" {
        let word = word(in: rest)
        rest = rest[word.endIndex...]
        if isAtStart, rest.first == ".", !isKept(String(word)) {
          rest = rest.dropFirst()
        } else {
          text += String(word)
        }
        isAtStart = false
      } else {
        text.unicodeScalars.append(first)
        rest = rest[rest.unicodeScalars.index(after: rest.startIndex)...]
        // Behind a dot, and behind the arguments of the type around, a name goes on.
        isAtStart = first != "." && first != ">"
      }
    }
    return text
  }

  /// The arguments of a type and of those around it, between their brackets; empty if there are none.
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

  /// The name that a text begins with, between backticks if it is one with blanks or dots in it.
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
