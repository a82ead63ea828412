import Arc

/// A person or team that looks after packages; one object, shared by all of them.
@Archivable
final class Maintainer {
  let name: String
  /// The mail address, where the field has one in angle brackets.
  let address: String?
  /// How many packages of the database name this maintainer.
  var packageCount = 0

  init(name: String, address: String?) {
    self.name = name
    self.address = address
  }

  /// Reads `Name <address>`, as in a `Maintainer` field; text without brackets is all name.
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
  /// The text without spaces and tabs at either end.
  fileprivate var trimmingBlanks: String {
    let trimmed = drop { $0 == " " || $0 == "\t" }
    let end = trimmed.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(trimmed[...$0]) } ?? ""
  }
}
