/// The notation of a table, and the rules for reading it.
///
///     var options = TableOptions(separator: ";", encoding: .windows1252)
///     options.nullTexts = ["NA"]
///
/// `arcdump import` has an option for each property.
public struct TableOptions: Hashable, Sendable {
  /// The character between the fields of a CSV line. Nil to use the character that the file shows.
  ///
  /// A file shows its separator in a first line such as `sep=;`. Otherwise, the separator is the comma,
  /// semicolon, tab or vertical bar that occurs in the header. If several of these characters occur there,
  /// only one of them may divide each line into the same number of fields. Otherwise, reading throws an
  /// error.
  public var separator: Character?
  /// The encoding of the text. Nil for the encoding that the byte order mark states, or UTF-8.
  public var encoding: TableEncoding?
  /// Whether the first line of a CSV file contains the names of the columns.
  public var hasHeader = true
  /// The names of the columns of a CSV file. They replace the names in the header. Empty to use the names in
  /// the header, or `column1`, `column2` and so on if the file has no header.
  public var columnNames: [String] = []
  /// The unquoted fields of a CSV file that are nil, in addition to empty fields.
  public var nullTexts: Set<String> = []
  /// Whether a number of a CSV file may lose its notation, such as the last zero of `1.10` or the exponent of
  /// `1e5`. If false, a column with such numbers contains strings.
  public var allowsOtherNotation = false
  /// The path to the rows in a JSON document, such as `data.items`. Empty for the whole document.
  public var path = ""
  /// The column in which each row must have a distinct value. Nil if the table has no such column.
  public var key: String?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - separator: the character between the fields of a CSV line; nil to use the character that the file
  ///     shows.
  ///   - encoding: the encoding of the text; nil for the encoding that the byte order mark states, or UTF-8.
  ///   - path: the path to the rows in a JSON document.
  public init(separator: Character? = nil, encoding: TableEncoding? = nil, path: String = "") {
    self.separator = separator
    self.encoding = encoding
    self.path = path
  }
}

/// The format of a table.
public enum TableFormat: String, CaseIterable, Sendable {
  /// Lines of fields with a separator between them, as spreadsheets write them.
  case csv = "CSV"
  /// A JSON document, in which an array of objects contains the rows.
  case json = "JSON"
  /// A JSON object on each line.
  case jsonLines = "JSON lines"
  /// An SQLite database, whose tables are all imported.
  case sqlite = "SQLite"

  /// Returns the format that the extension of a file name states: `csv`, `tsv`, `tab`, `json`, `jsonl`,
  /// `ndjson`, `sqlite`, `sqlite3` or `db`. Nil for other names.
  public init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[dot...].dropFirst().lowercased() {
    case "csv", "tsv", "tab": self = .csv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "sqlite", "sqlite3", "db": self = .sqlite
    default: return nil
    }
  }
}

/// A column of a table whose values are keys of the rows of another table, or of the same table.
///
/// In the archive, each value becomes a reference to the row with this key:
///
///     // orders.csv has a column 'customer' with values of the column 'id' of people.csv.
///     let join = TableJoin("customer", of: "orders", to: "id", of: "people")
public struct TableJoin: Hashable, Sendable {
  /// The column that contains the keys.
  public var column: String
  /// The class of the rows that have this column.
  public var table: String
  /// The column of the other table that contains the key of each of its rows.
  public var targetColumn: String
  /// The class of the rows to which the column refers.
  public var targetTable: String

  /// Creates a join.
  ///
  /// - Parameters:
  ///   - column: the column that contains the keys.
  ///   - table: the class of the rows that have this column.
  ///   - targetColumn: the column of the other table in which each row has a distinct key.
  ///   - targetTable: the class of the rows to which the column refers.
  public init(_ column: String, of table: String, to targetColumn: String, of targetTable: String) {
    (self.column, self.table) = (column, table)
    (self.targetColumn, self.targetTable) = (targetColumn, targetTable)
  }

  /// Parses `table.column=table.column`, as the option `--join` of `arcdump import` has it. Nil for other
  /// text. The name of a table ends at the first dot.
  package init?(parsing text: String) {
    let sides = text.split(separator: "=", maxSplits: 1).map {
      $0.split(separator: ".", maxSplits: 1).map(String.init)
    }
    guard sides.count == 2, sides.allSatisfy({ $0.count == 2 }) else { return nil }
    self.init(sides[0][1], of: sides[0][0], to: sides[1][1], of: sides[1][0])
  }
}

/// A table to import: the bytes of a file, and how to read them.
package struct TableSource: Sendable {
  package let bytes: [UInt8]
  package let format: TableFormat
  /// The class of the rows. Nil for the tables of a database, whose rows have the classes of their tables.
  package let className: String?
  /// The path or name of the file. Nil if the table has no file.
  package let fileName: String?
  package let options: TableOptions

  /// Creates a table.
  package init(
    _ bytes: [UInt8], _ format: TableFormat, className: String?, fileName: String? = nil,
    options: TableOptions = TableOptions()
  ) {
    (self.bytes, self.format, self.className) = (bytes, format, className)
    (self.fileName, self.options) = (fileName, options)
  }

  /// Returns the default name for the class of a file's rows: the name of the file up to the first dot. Nil
  /// if there is no such part.
  package static func className(ofFile path: String) -> String? {
    path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
  }
}
