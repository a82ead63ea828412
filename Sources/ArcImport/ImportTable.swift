public import Arc
public import ArcForeign
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A table to import: a file or bytes, the class of its rows, and the rules for reading it.
///
///     let people = ImportTable(url, rows: Person.self)
///     let orders = ImportTable(data, .csv, rows: Order.self, options: TableOptions(separator: ";"))
public struct ImportTable {
  /// The location of the contents.
  enum Contents {
    case file(URL)
    case bytes([UInt8])
  }

  let contents: Contents
  /// The class of the rows. Nil if the table's name, or the type that the caller reads, states the class.
  let rows: (any Archivable.Type)?
  let name: String?
  /// The format of the table. Nil if the extension of the file's name states it.
  let format: TableFormat?
  /// The rules for reading the table.
  public var options: TableOptions

  /// Creates a table from a file.
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - format: the format of the file; nil for the format that the extension of the file's name states.
  ///   - rows: the class of the rows; nil if `name`, or the type that is read, states it.
  ///   - name: the class of the rows if `rows` is nil; nil for the name of the file up to the first dot.
  ///     Joins and roots use the name of the class.
  ///   - options: the rules for reading the table.
  public init(
    _ url: URL, _ format: TableFormat? = nil, rows: (any Archivable.Type)? = nil, named name: String? = nil,
    options: TableOptions = TableOptions()
  ) {
    (contents, self.format, self.rows) = (.file(url), format, rows)
    (self.name, self.options) = (name, options)
  }

  /// Creates a table from bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: the table.
  ///   - format: the format of the table.
  ///   - rows: the class of the rows; nil if `name`, or the type that is read, states it.
  ///   - name: the class of the rows if `rows` is nil; nil for `Row`. Joins and roots use this name.
  ///   - options: the rules for reading the table.
  public init(
    _ bytes: some ContiguousBytes, _ format: TableFormat, rows: (any Archivable.Type)? = nil,
    named name: String? = nil, options: TableOptions = TableOptions()
  ) {
    contents = .bytes(ArchiveImporter.array(of: bytes))
    (self.format, self.rows, self.name, self.options) = (format, rows, name, options)
  }

  /// Reads the contents.
  ///
  /// - Parameters:
  ///   - limits: the limits for the file.
  ///   - rootClass: the name of the class of the rows, if neither `rows` nor `name` states it.
  /// - Returns: the table with its contents.
  /// - Throws: `ImportError` if the format is unknown; `ArchiveError` if the file cannot be opened.
  func source(_ limits: ArchiveLimits, rootClass: String?) throws -> TableSource {
    let bytes: [UInt8]
    var path: String?
    switch contents {
    case .bytes(let known): bytes = known
    case .file(let url):
      bytes = try ArchiveImporter.contents(of: url, limits)
      path = url.path
    }
    guard let format = format ?? path.flatMap({ TableFormat(fileName: $0) }) else {
      throw ImportError(
        .unknownFormat, found: "a file whose name does not state the format of a table",
        expected: "one of the extensions csv, tsv, json, jsonl, ndjson, sqlite and db",
        remedy: "state the format: ImportTable(url, .csv)"
      ).located(filePath: path)
    }
    let ofRows = try rows.flatMap { try SchemaSnapshot.name(ofClass: $0) }
    let name = ofRows ?? self.name ?? rootClass ?? path.flatMap(TableSource.className)
    return TableSource(
      bytes, format, className: format == .sqlite ? ofRows ?? self.name : name ?? "Row", fileName: path,
      options: options)
  }
}

extension SchemaSnapshot {
  /// Returns the name that a class has in archives. Nil if the type is not a class.
  fileprivate static func name(ofClass type: any Archivable.Type) throws -> String? {
    func name<Row: Archivable>(_ type: Row.Type) throws -> String? {
      DeclaredColumns(try SchemaSnapshot(of: type, classes: ClassTable())).rootClass
    }
    return try name(type)
  }
}
