/// One paragraph of a control file: its fields in order, each of which can be taken once.
///
/// A reader takes the fields that it understands; `untakenFields` are the others, so nothing is lost.
///
///     var paragraph = try file.nextParagraph()
///     let size = paragraph?.take("installed-size") { Int($0) }
struct ControlParagraph: Hashable {
  /// A field with its value: continuation lines follow after newlines, without their first blank.
  struct Field: Hashable {
    /// The name as written.
    let name: String
    /// The name in lower case, because names are compared without case (Debian Policy 5.1).
    let key: String
    let value: String
    fileprivate(set) var isTaken = false

    init(name: String, value: String) {
      self.name = name
      self.key = name.lowercased()
      self.value = value
    }
  }

  /// The number of the line on which the paragraph starts, from 1.
  let line: Int
  private(set) var fields: [Field] = []

  init(line: Int, fields: [Field] = []) {
    self.line = line
    self.fields = fields
  }

  /// Whether a field of that lower-case name is here, taken or not.
  func contains(_ key: String) -> Bool {
    fields.contains { $0.key == key }
  }

  /// The value of a field, taken or not.
  subscript(key: String) -> String? {
    fields.first { $0.key == key }?.value
  }

  mutating func append(_ field: Field) {
    fields.append(field)
  }

  /// Takes the field when `transform` understands its value; a value that it does not stays untaken.
  mutating func take<Value>(_ key: String, as transform: (String) -> Value?) -> Value? {
    guard let index = fields.firstIndex(where: { !$0.isTaken && $0.key == key }),
      let value = transform(fields[index].value)
    else { return nil }
    fields[index].isTaken = true
    return value
  }

  /// Takes the field's text.
  mutating func take(_ key: String) -> String? {
    take(key) { $0 }
  }

  /// The fields that nobody took, by their names as written.
  var untakenFields: [String: String] {
    var result: [String: String] = [:]
    for field in fields where !field.isTaken {
      result[field.name] = field.value
    }
    return result
  }
}
