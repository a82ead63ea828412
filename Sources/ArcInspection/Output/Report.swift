/// The results of a command. `Page` prints a report as text, `JSONOutput` as JSON.
///
///     report.line("2 references")                          // for people
///     report.members(["id": held.id])                      // for programs
///     report.table("holders", held.holders, level: 2, [    // for both
///       Column("id", \.id), Column("path", "", \.path),
///     ])
///
/// The rows of tables and the entries of lists are computed during printing, so that a report needs no memory
/// for them.
struct Report {
  /// The reader of a report: a person at a terminal, a person who reads a file or pipe, or a program. The
  /// reader determines which parts the report contains.
  enum Reader {
    /// A person at a terminal. Commands truncate long lists, unless the user sets a limit.
    case terminal
    /// A person who reads a file or pipe.
    case text
    case program
  }

  /// A piece of a report.
  enum Part {
    /// Words on a line with an indentation.
    case line(Words, level: Int)
    /// Members of the report's JSON object. Omitted in text.
    case members(KeyValuePairs<String, any Reportable>)
    /// In JSON, members of the report's object. In text, lines with a column of labels and a column of
    /// values.
    case fields([Field], level: Int)
    case table(Table)
    /// In JSON, an array of objects. In text, the lines of all entries.
    case list(key: String, each: ((Report) throws -> Void) throws -> Void)
    /// In JSON, a nested object. In text, the lines of the nested report.
    case group(key: String, isPretty: Bool, () -> Report)
  }

  let reader: Reader
  private(set) var parts: [Part] = []
  /// The error that ended the report. A renderer throws this error after it has printed the parts. Nil if
  /// there was no error.
  private(set) var failure: (any Error)?

  /// Creates the report that `build` fills. If `build` throws, the report consists of the parts before the
  /// error.
  init(for reader: Reader, _ build: (inout Report) throws -> Void) {
    self.reader = reader
    do { try build(&self) } catch { failure = error }
  }

  // MARK: For people

  /// Adds a line. The caller must apply `printable` to the parts of `text` that come from a file.
  mutating func line(_ text: @autoclosure () -> String = "", level: Int = 0) {
    line(Words(text()), level: level)
  }

  /// Adds a line.
  mutating func line(_ words: @autoclosure () throws -> Words, level: Int = 0) rethrows {
    guard reader != .program else { return }
    parts.append(.line(try words(), level: level))
  }

  /// Adds a blank line and a heading.
  mutating func heading(_ text: String) {
    line()
    line(Words(text, .heading))
  }

  /// If there are more elements than `limit`, adds a line with the number of omitted elements.
  mutating func more(_ count: Int, beyond limit: Int, _ what: String = "", level: Int = 0) {
    guard count > limit else { return }
    line(Words("… \(grouped(count - limit)) more \(what)(--limit \(limit))", .mark), level: level)
  }

  // MARK: For programs

  /// Adds members to the report's JSON object. Does nothing if the reader is not a program.
  mutating func members(
    _ members: @autoclosure () throws -> KeyValuePairs<String, any Reportable>
  ) rethrows {
    guard reader == .program else { return }
    parts.append(.members(try members()))
  }

  /// Adds a JSON array with an object for each element. Does nothing if the reader is not a program.
  mutating func list<Elements: Sequence>(
    _ key: String, _ elements: @autoclosure @escaping () throws -> Elements,
    members: @escaping (Elements.Element) throws -> KeyValuePairs<String, any Reportable>
  ) {
    guard reader == .program else { return }
    list(key, try elements()) { try $1.members(members($0)) }
  }

  // MARK: For both

  /// Adds fields. In text, labels and values are in two columns.
  mutating func fields(level: Int, _ fields: [Field]) {
    parts.append(.fields(fields, level: level))
  }

  /// Adds a table. If `key` is nil, the table is in the text only. If `level` is nil, the table is in the
  /// JSON only. In the text, `total` is an additional last row, with a value for each column that has a
  /// title.
  mutating func table<Rows: Sequence>(
    _ key: String?, _ rows: @autoclosure @escaping () throws -> Rows, level: Int?,
    _ columns: [Column<Rows.Element>], total: [any Reportable] = []
  ) {
    let table = Table(
      key: key, level: level, heads: columns.map { ($0.key, $0.title, $0.role) }, total: total,
      forEachRow: { body in
        for row in try rows() { try body { column in try columns[column].value(row).reportValue } }
      })
    parts.append(.table(table))
  }

  /// Adds a list. `entry` adds the lines and the members of an element to a report.
  mutating func list<Elements: Sequence>(
    _ key: String, _ elements: @autoclosure @escaping () throws -> Elements,
    _ entry: @escaping (Elements.Element, inout Report) throws -> Void
  ) {
    list(key, each: { body in for element in try elements() { try body(element) } }, entry)
  }

  /// Adds a list. `each` is called during printing. It must call the function in its argument with each
  /// element.
  mutating func list<Element>(
    _ key: String, each: @escaping ((Element) throws -> Void) throws -> Void,
    _ entry: @escaping (Element, inout Report) throws -> Void
  ) {
    let reader = reader
    parts.append(
      .list(key: key) { body in
        try each { element in try body(Report(for: reader) { try entry(element, &$0) }) }
      })
  }

  /// Adds a nested object. `build` adds the parts of the object.
  mutating func group(
    _ key: String, isPretty: Bool = false, _ build: @escaping (inout Report) throws -> Void
  ) {
    let reader = reader
    parts.append(.group(key: key, isPretty: isPretty) { Report(for: reader, build) })
  }
}

/// A value with its key in JSON and its label in text.
struct Field {
  /// The key of the member in JSON. Nil if the field is in the text only.
  let key: String?
  /// The label in text. Nil if the field is in the JSON only.
  let label: String?
  let value: any Reportable

  init(_ key: String?, _ label: String?, _ value: any Reportable) {
    (self.key, self.label, self.value) = (key, label, value)
  }
}

/// A column of a table, with its key in JSON and its title in text.
struct Column<Row> {
  /// The key of the member in JSON. Nil if the column is in the text only.
  let key: String?
  /// The title in text. Nil if the column is in the JSON only.
  let title: String?
  let role: Style.Role
  let value: (Row) throws -> any Reportable

  init(
    _ key: String?, _ title: String? = nil, _ role: Style.Role = .plain,
    _ value: @escaping (Row) throws -> any Reportable
  ) {
    (self.key, self.title, self.role, self.value) = (key, title, role, value)
  }
}

/// A table of a report, without the type of its rows.
struct Table {
  /// The key of the array in JSON. Nil if the table is in the text only.
  let key: String?
  /// The level of indentation in text. Nil if the table is in the JSON only.
  let level: Int?
  let heads: [(key: String?, title: String?, role: Style.Role)]
  /// The values of the last row in text. Empty if the table has no such row.
  let total: [any Reportable]
  /// Calls its argument once with each row. Each row is a function that returns the value in the column at an
  /// index.
  let forEachRow: ((_ row: (Int) throws -> ReportValue) throws -> Void) throws -> Void
}
