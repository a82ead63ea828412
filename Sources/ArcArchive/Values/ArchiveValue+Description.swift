import ArcFormat

// Values are printed as text for people. Programs print values into logs and errors, so the text has a
// limited length, because a few bytes of a file may be a long value.

/// Builds the text of a value, with a limited total length and a limited number of nested values.
private struct ValueDescription {
  /// The maximum number of characters.
  private static let maximumLength = 1000
  /// The maximum number of nested values that are printed for one value.
  private static let maximumCount = 20
  private static let maximumDepth = 8

  private(set) var text = ""
  private var length = 0

  /// Creates the text from the pieces that `append` adds.
  init(_ append: (inout Self) -> Void) { append(&self) }

  /// Whether the text has its maximum length.
  private var isFull: Bool { length >= Self.maximumLength }

  mutating func write(_ piece: String) {
    guard !isFull else { return }
    let (start, restByteCount) = piece.cut(toScalars: Self.maximumLength - length)
    text += start
    length += start.unicodeScalars.count
    guard restByteCount > 0 else { return }
    length = Self.maximumLength
    text += "…"
  }

  /// Appends a value. Recursive, down to `maximumDepth` nested values.
  mutating func append(_ value: ArchiveValue, depth: Int = 0) {
    switch value {
    case .null: write("null")
    case .nestedNull(let depth): write("nestedNull(depth: \(depth))")
    case .bool(let flag): write("bool(\(flag))")
    case .integer(let number): write("integer(\(number))")
    case .unsigned(let number): write("unsigned(\(number))")
    case .float(let number): write("float(\(number))")
    case .double(let number): write("double(\(number))")
    case .string(let text): write("string(\(Self.quoted(text)))")
    case .data(let bytes): write("data(\(plural(bytes.count, "byte")))")
    case .date(let seconds): write("date(\(DateNotation.text(seconds) ?? "\(seconds) seconds since 2001"))")
    case .uuid(let bytes): write("uuid(\(UUIDNotation.text(bytes)))")
    case .decimal(let text): write("decimal(\(Self.quoted(text)))")
    case .url(let text, let base):
      write("url(\(Self.quoted(text))\(base.map { ", base: \(Self.quoted($0))" } ?? ""))")
    case .reference(let id): write("reference(\(id.map { "\($0)" } ?? "nil"))")
    default: appendContainer(value, depth: depth)
    }
  }

  private mutating func appendContainer(_ value: ArchiveValue, depth: Int) {
    guard let kind = value.containerKind else { return }
    write("\(kind)(")
    if case .enumeration(let name, let label, let payload) = value {
      write("\(Self.quoted(name)), \(Self.quoted(label))")
      if let payload {
        write(", ")
        append([payload], "", "", depth) { $0.append($1, depth: depth + 1) }
      }
    }
    if let fields = value.fields {
      write(Self.quoted(value.typeName ?? "") + ", ")
      append(fields, "[", "]", depth) { $0.append($1, depth: depth + 1) }
    }
    if let entries = value.entries { append(entries, "[", "]", depth) { $0.append($1, depth: depth + 1) } }
    if let elements = value.elements { append(elements, "[", "]", depth) { $0.append($1, depth: depth + 1) } }
    write(")")
  }

  mutating func append(_ entry: ArchiveValue.Entry, depth: Int = 0) {
    append(entry.key, depth: depth)
    write(": ")
    append(entry.value, depth: depth)
  }

  mutating func append(_ field: ArchiveValue.Field, depth: Int = 0) {
    if !field.name.isEmpty { write(printableName(field.name) + ": ") }
    append(field.value, depth: depth)
  }

  mutating func append(_ property: ArchiveObject.Property, depth: Int = 0) {
    write(printableName(property.key) + ": ")
    append(property.value, depth: depth)
  }

  mutating func append(_ object: ArchiveObject) {
    write("\(printableName(object.className)) \(object.id) ")
    append(object.properties, "(", ")", 0) { $0.append($1, depth: 1) }
  }

  private mutating func append<Part>(
    _ parts: [Part], _ opening: String, _ closing: String, _ depth: Int,
    _ appendPart: (inout Self, Part) -> Void
  ) {
    write(opening)
    if depth >= Self.maximumDepth, !parts.isEmpty {
      write("…")
    } else {
      for (index, part) in parts.prefix(Self.maximumCount).enumerated() {
        guard !isFull else { return }
        if index > 0 { write(", ") }
        appendPart(&self, part)
      }
      if parts.count > Self.maximumCount { write(", … \(parts.count - Self.maximumCount) more") }
    }
    write(closing)
  }

  private static func quoted(_ text: String) -> String {
    let (start, restByteCount) = text.cut(toScalars: 120)
    return printable(start, quoted: true) + (restByteCount > 0 ? "…" : "")
  }
}

extension ArchiveValue: CustomStringConvertible {
  /// The value as text for people, for example `string("Ada")` or `reference(#7)`. The text has at most about
  /// 1,000 characters.
  public var description: String {
    ValueDescription { $0.append(self) }.text
  }
}

extension ArchiveValue.Entry: CustomStringConvertible {
  /// The key and the value as text for people, with at most about 1,000 characters.
  public var description: String {
    ValueDescription { $0.append(self) }.text
  }
}

extension ArchiveValue.Field: CustomStringConvertible {
  /// The label and the value as text for people, with at most about 1,000 characters.
  public var description: String {
    ValueDescription { $0.append(self) }.text
  }
}

extension ArchiveObject: CustomStringConvertible {
  /// The object's class, number and properties as text for people, with at most about 1,000 characters.
  public var description: String {
    ValueDescription { $0.append(self) }.text
  }
}

extension ArchiveObject.Property: CustomStringConvertible {
  /// The key and the value as text for people, with at most about 1,000 characters.
  public var description: String {
    ValueDescription { $0.append(self) }.text
  }
}

extension ArchiveValue {
  /// The kind of the value in a few words, for error messages.
  var kindInWords: String {
    switch self {
    case .null: "nil"
    case .nestedNull(let depth): "an optional that contains nil at depth \(depth)"
    case .bool: "a boolean"
    case .integer, .unsigned: "an integer"
    case .float: "a 32-bit number"
    case .double: "a 64-bit number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uuid: "a UUID"
    case .decimal: "a decimal"
    case .url: "a URL"
    case .reference: "a reference"
    default: containerInWords
    }
  }

  private var containerInWords: String {
    guard let kind = containerKind else { return "a value" }
    let article = kind == .array || kind == .enumeration ? "an" : "a"
    return "\(article) \(kind)" + (typeName.map { " '\($0)'" } ?? "")
  }
}
