import Arc

/// A person or team that maintains packages. All of their packages share one object.
@Archivable
final class Maintainer {
  let name: String
  /// The mail address. Nil if the field contains none in angle brackets.
  let address: String?
  /// The number of packages with this maintainer.
  var packageCount = 0

  init(name: String, address: String?) {
    self.name = name
    self.address = address
  }

  /// Parses `Name <address>`, as in a `Maintainer` field. A text without angle brackets is a name.
  convenience init(parsing text: String) {
    if let open = text.lastIndex(of: "<"), text.hasSuffix(">") {
      let name = text[..<open].trimmingBlanks
      self.init(name: name, address: String(text[text.index(after: open)...].dropLast()))
    } else {
      self.init(name: text, address: nil)
    }
  }
}

extension Substring {
  /// The text without spaces and tabs at both ends.
  fileprivate var trimmingBlanks: String {
    let trimmed = drop { $0 == " " || $0 == "\t" }
    let end = trimmed.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(trimmed[...$0]) } ?? ""
  }
}
