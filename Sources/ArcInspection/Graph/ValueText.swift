import ArcFormat

/// Values in one line, as Swift would write them.
struct ValueText {
  /// A collection or structure that is longer gets lines of its own.
  private static let lineCharacterCount = 72
  let style: Style
  /// Longer strings and data are cut, unless all of them is asked for: text is for people.
  private let stringScalarCount: Int
  private let dataByteCount: Int

  init(style: Style, isWhole: Bool = false) {
    self.style = style
    stringScalarCount = isWhole ? .max : 1000
    dataByteCount = isWhole ? .max : 24
  }

  /// The value in one line; nil if it is too long, or holds references, which have lines of their own.
  func line(_ value: ArchiveValue) -> String? {
    if let scalar = scalar(value) { return style(scalar.role, scalar.text) }
    var line = Line(style: style, room: Self.lineCharacterCount)
    write(value, to: &line)
    return line.room < 0 ? nil : line.text
  }

  /// A line as it grows; given up where it becomes too long.
  private struct Line {
    let style: Style
    var room: Int
    var text = ""

    mutating func add(_ role: Style.Role, _ piece: String) {
      room -= piece.utf8.count
      if room >= 0 { text += style(role, piece) }
    }

    mutating func giveUp() { room = -1 }
  }

  private func write(_ value: ArchiveValue, to line: inout Line) {
    guard line.room >= 0 else { return }
    switch value {
    case .reference(.some): line.giveUp()
    case .array(let elements): list("[", elements, "]", to: &line)
    case .set(let elements): list("{", elements, "}", to: &line)
    case .dictionary(let entries):
      line.add(.plain, entries.isEmpty ? "[:" : "[")
      for (position, entry) in entries.enumerated() where line.room >= 0 {
        if position > 0 { line.add(.plain, ", ") }
        write(entry.key, to: &line)
        line.add(.plain, ": ")
        write(entry.value, to: &line)
      }
      line.add(.plain, "]")
    case .structure(let name, let fields):
      if name != "?" { line.add(.type, printableName(name)) }
      members(fields, to: &line)
    case .enumeration(let name, let caseName, let payload):
      line.add(.type, Self.caseName(name, caseName))
      switch payload {
      case .structure("?", let fields)?: members(fields, to: &line)
      case let payload?: members([ArchiveValue.Field(name: "", value: payload)], to: &line)
      case nil: break
      }
    case .null, .bool, .integer, .unsigned, .float, .double, .string, .data, .date, .uuid, .decimal, .url,
      .reference(nil):
      let scalar = scalar(value)
      line.add(scalar?.role ?? .plain, scalar?.text ?? "")
    }
  }

  private func list(_ opener: String, _ elements: [ArchiveValue], _ closer: String, to line: inout Line) {
    line.add(.plain, opener)
    for (position, element) in elements.enumerated() {
      guard line.room >= 0 else { return }
      if position > 0 { line.add(.plain, ", ") }
      write(element, to: &line)
    }
    line.add(.plain, closer)
  }

  private func members(_ fields: [ArchiveValue.Field], to line: inout Line) {
    line.add(.plain, "(")
    for (position, field) in fields.enumerated() where line.room >= 0 {
      if position > 0 { line.add(.plain, ", ") }
      if !field.name.isEmpty {
        line.add(.key, printableName(field.name))
        line.add(.plain, ": ")
      }
      write(field.value, to: &line)
    }
    line.add(.plain, ")")
  }

  /// `Shape.circle`, where the enumeration has a name.
  static func caseName(_ name: String, _ caseName: String) -> String {
    (name == "?" ? "" : printableName(name)) + "." + printableName(caseName)
  }

  private func scalar(_ value: ArchiveValue) -> (role: Style.Role, text: String)? {
    switch value {
    case .null, .reference(nil): (.mark, "nil")
    case .bool(let flag): (.number, String(flag))
    case .integer(let number): (.number, String(number))
    case .unsigned(let number): (.number, String(number))
    case .float(let number): (.number, number.description)
    case .double(let number): (.number, number.description)
    case .string(let text): (.string, string(text))
    case .data(let bytes): (.number, data(bytes))
    case .date(let seconds):
      (.number, calendarText(secondsSince2001: seconds) ?? "\(seconds) s after 2001-01-01T00:00:00Z")
    case .uuid(let bytes): (.number, UUIDNotation.text(bytes))
    case .decimal(let text): (.number, printableName(text))
    case .url(let text, let base): (.string, url(text, base: base))
    case .reference, .array, .set, .dictionary, .structure, .enumeration: nil
    }
  }

  private func string(_ text: String) -> String {
    let (start, restCount) = text.cut(toScalars: stringScalarCount)
    return printable(start, quoted: true) + (restCount > 0 ? "… \(grouped(restCount)) more" : "")
  }

  private func data(_ bytes: [UInt8]) -> String {
    let digits = hexadecimal(bytes.prefix(dataByteCount))
    return counted(bytes.count, "byte") + (bytes.isEmpty ? "" : " " + digits)
      + (bytes.count > dataByteCount ? "…" : "")
  }

  private func url(_ text: String, base: String?) -> String {
    let parts = [text, base].compactMap { $0?.cut(toScalars: stringScalarCount) }
    return parts.map { "<" + printable($0.start) + ($0.restCount > 0 ? "…" : "") + ">" }
      .joined(separator: " in ")
  }
}
