import ArcRuntime

extension SchemaSnapshot: CustomStringConvertible {
  /// The beginning of the text, which is followed by the version number of the notation.
  static let heading = "Arc schema "
  static let version = 1

  /// The text of the snapshot: the roots, then the classes by name, each with its properties in declaration
  /// order.
  ///
  /// The text ends with a line break.
  public var description: String { lines.map { $0 + "\n" }.joined() }

  /// The lines of the text.
  package var lines: [String] {
    var lines = [Self.heading + "\(Self.version)"]
    for root in roots {
      let type = SchemaNotation.escaped(TypeWords.name(of: root.type))
      lines += [
        "",
        "root \(SchemaNotation.name(root.name)): \(type) | \(SchemaNotation.encoding(root.type))",
      ]
      lines += root.olderNames.map(Self.line)
    }
    for entry in classes {
      lines += ["", Self.line(entry)] + entry.properties.map(Self.line) + entry.olderNames.map(Self.line)
    }
    return lines
  }

  private static func line(_ entry: Class) -> String {
    var line = "class " + SchemaNotation.name(entry.name)
    if let superclass = entry.superclass { line += ": " + SchemaNotation.name(superclass) }
    if entry.isKeyed { line += ", keyed" }
    if entry.version > 0 { line += ", version \(entry.version)" }
    if !entry.formerNames.isEmpty { line += ", was " + names(entry.formerNames) }
    return line
  }

  private static func line(_ property: Property) -> String {
    var words: [String] = []
    if property.isReadOnly { words.append("let") }
    if property.isWeak { words.append("weak") }
    if property.isKeyed { words.append("keyed") }
    if let word = property.absence.word { words.append(word) }
    words += conversions(property.older)
    if property.keys.count > 1 { words.append("was " + names(property.keys.dropFirst())) }
    let type = SchemaNotation.escaped(TypeWords.name(of: property.type))
    let fields = [type] + (words.isEmpty ? [] : [words.joined(separator: ", ")])
    return "  " + SchemaNotation.name(property.key) + ": "
      + (fields + [SchemaNotation.encoding(property.type)]).joined(separator: " | ")
  }

  private static func line(_ older: OlderNames) -> String {
    let field = "  in \(SchemaNotation.name(older.type)): \(SchemaNotation.name(older.label))"
    return older.conversions.isEmpty
      ? field + " was " + names(older.names)
      : field + " " + conversions(older.conversions).joined(separator: ", ")
  }

  private static func conversions(_ older: [[String]]) -> [String] {
    older.map { keys in "from " + keys.map(SchemaNotation.name).joined(separator: " + ") }
  }

  private static func names(_ names: some Sequence<String>) -> String {
    names.map(SchemaNotation.name).joined(separator: ", ")
  }
}

/// The notation of names and types in a snapshot.
enum SchemaNotation {
  /// Whether a byte is permitted in a name without quotes. Bytes that separate a name from other text are not
  /// permitted.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// Returns a name. Adds quotes unless all its bytes are plain.
  static func name(_ name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(isPlain) ? name : "\"" + escaped(name, isQuoted: true) + "\""
  }

  /// Returns the encoding of a type. The encoding of `Float16` is a space. It is escaped at the end of a
  /// line, because text editors remove spaces there.
  static func encoding(_ type: TypeEncoding) -> String {
    let text = escaped(type.description)
    return text.last == " " ? text.dropLast() + "\\u{20}" : text
  }

  /// Escapes a string: `\u{…}` replaces characters that cannot be shown, and characters that have a meaning
  /// in the notation.
  ///
  /// The string can be a type that contains several names. Each name begins after ASCII punctuation or a
  /// space. A combining mark at the beginning of a name or after an escape sequence is escaped, because it
  /// would change the appearance of the preceding character.
  static func escaped(_ text: String, isQuoted: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    var filter = PrintableFilter()
    for scalar in text.unicodeScalars {
      let hasMeaning = scalar == "\\" || scalar == "|" || isQuoted && scalar == "\""
      if filter.shows(scalar, isEscaped: hasMeaning) {
        result.append(scalar)
        if scalar.isASCII, !scalar.properties.isAlphabetic, scalar.properties.numericType == nil {
          filter.restart()
        }
      } else {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(result)
  }

  /// Returns the string whose escaped form is `text`. Nil if the escapes are malformed.
  static func unescaped(_ text: some Collection<UInt8>) -> String? {
    var result = String.UnicodeScalarView()
    var rest = String(decoding: text, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      guard rest.popFirst() == "u", rest.popFirst() == "{", let end = rest.prefix(9).firstIndex(of: "}"),
        rest[..<end].allSatisfy(\.properties.isASCIIHexDigit),
        let escaped = UInt32(String(rest[..<end]), radix: 16).flatMap(Unicode.Scalar.init)
      else { return nil }
      result.append(escaped)
      rest = rest[rest.index(after: end)...]
    }
    return String(result)
  }
}
