/// A paragraph of a control file: its fields in order, each of which can be consumed once.
///
/// A class of packages consumes the fields that it understands. `remainingFields` contains all others, so
/// that nothing is lost.
///
///     var paragraph = try file.nextParagraph()
///     let size = paragraph?.consume("installed-size") { Int($0) }
struct ControlParagraph: Hashable {
  /// A field and its value. Continuation lines follow after line ends, without their first blank.
  struct Field: Hashable {
    /// The name as written.
    let name: String
    /// The name in lower case, because names are compared without case (Debian Policy 5.1).
    let key: String
    let value: String
    fileprivate(set) var isConsumed = false

    init(name: String, value: String) {
      self.name = name
      self.key = name.lowercased()
      self.value = value
    }
  }

  /// The number of the paragraph's first line, counted from 1.
  let line: Int
  private(set) var fields: [Field] = []

  init(line: Int, fields: [Field] = []) {
    self.line = line
    self.fields = fields
  }

  /// Whether the paragraph has a field with a lower-case name, consumed or not.
  func contains(_ key: String) -> Bool {
    fields.contains { $0.key == key }
  }

  /// The value of a field, consumed or not. Nil if the field does not exist.
  subscript(key: String) -> String? {
    fields.first { $0.key == key }?.value
  }

  mutating func append(_ field: Field) {
    fields.append(field)
  }

  /// Consumes a field if `transform` returns a value. Returns this value.
  mutating func consume<Value>(_ key: String, as transform: (String) -> Value?) -> Value? {
    guard let index = fields.firstIndex(where: { !$0.isConsumed && $0.key == key }),
      let value = transform(fields[index].value)
    else { return nil }
    fields[index].isConsumed = true
    return value
  }

  /// Consumes a field and returns its text.
  mutating func consume(_ key: String) -> String? {
    consume(key) { $0 }
  }

  /// The fields that were not consumed, by their names as written.
  var remainingFields: [String: String] {
    var result: [String: String] = [:]
    for field in fields where !field.isConsumed {
      result[field.name] = field.value
    }
    return result
  }
}
