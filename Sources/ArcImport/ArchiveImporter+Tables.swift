public import Arc
import ArcArchive
public import ArcForeign
import ArcFormat

extension ArchiveImporter {
  /// Reads a table as objects of the program. Returns the rows.
  ///
  ///     let people = try ArchiveImporter().read([Person].self, from: ImportTable(url))
  ///
  /// Each row becomes an object of the class of the declared type. The importer finds a property by each of
  /// its keys, and reads a CSV field as the type of its property: for a `String`, `007` and `1.10` remain
  /// text. An empty field is nil, or an empty string if the property is a `String` that is not optional.
  ///
  /// - Parameters:
  ///   - type: the type of the result: an array of a class, or a class if the table is a single JSON object.
  ///   - table: the table.
  ///   - report: called with the report of the import, which contains the notes.
  /// - Returns: the rows.
  /// - Throws: `ImportError` if the table is malformed or a CSV field does not fit its property;
  ///   `ArchiveError` if the file cannot be opened or another value does not fit the program.
  /// - Complexity: O(bytes + values), in constant stack.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from table: ImportTable, report: (ImportReport) -> Void = { _ in }
  ) throws -> sending Value {
    try read(type, from: [table], report: report)
  }

  /// Reads tables as objects of the program, and links the rows of the tables. Returns the rows of one table.
  ///
  ///     let orders = try ArchiveImporter().read(
  ///       [Order].self,
  ///       from: [ImportTable(ordersURL, rows: Order.self), ImportTable(peopleURL, rows: Person.self)],
  ///       joins: [TableJoin("buyer", of: "Order", to: "id", of: "Person")])
  ///
  /// A join replaces each value of a column with a reference to the row that has this key. The order of the
  /// tables is irrelevant, and a table can refer to itself.
  ///
  /// - Parameters:
  ///   - type: the type of the result: an array of the class of a table's rows.
  ///   - tables: the tables. A database must be the only one.
  ///   - joins: the columns that become references.
  ///   - root: the name of the table whose rows are returned; nil for the table of the class in `type`.
  ///   - report: called with the report of the import, which contains the notes.
  /// - Returns: the rows of the table, with everything that they reach.
  /// - Throws: `ImportError` if a table is malformed, a CSV field does not fit its property, or a value of a
  ///   join has no row or several rows; `ArchiveError` if a file cannot be opened or another value does not
  ///   fit the program.
  /// - Complexity: O(bytes + values), in constant stack.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from tables: [ImportTable], joins: [TableJoin] = [], root: String? = nil,
    report: (ImportReport) -> Void = { _ in }
  ) throws -> sending Value {
    let schema = try SchemaSnapshot(of: type, classes: classes)
    let declared = DeclaredColumns(schema)
    let (archive, made) = try TableImport.archive(
      of: tables.map { try $0.source(limits, rootClass: tables.count == 1 ? declared.rootClass : nil) },
      joins: joins, guide: ImportGuide(schema), declared: declared, limits: limits)
    report(made)
    let unarchiver = Unarchiver(classes: classes, limits: limits, unknownContent: unknownContent)
    let roots = made.files.flatMap(\.roots)
    let name = root ?? (roots.count == 1 ? roots[0] : declared.rootClass ?? ArchiveFile.defaultRoot)
    return try unarchiver.unarchive(type, from: archive, root: name)
  }

  /// Converts tables to an archive.
  ///
  /// The conversion does not need the classes of the objects. Each table becomes a root with its name.
  ///
  ///     let (archive, report) = try ArchiveImporter().archive(
  ///       from: [ImportTable(peopleURL), ImportTable(ordersURL)],
  ///       joins: [TableJoin("buyer", of: "orders", to: "id", of: "people")])
  ///
  /// - Parameters:
  ///   - tables: the tables. A database must be the only one.
  ///   - joins: the columns that become references.
  /// - Returns: the tuple `(archive, report)`: the bytes of the archive, and the report. The root of a single
  ///   table is named `root`.
  /// - Throws: `ImportError` if a table is malformed, or if a value of a join has no row or several rows.
  /// - Complexity: O(bytes + values), in constant stack.
  public func archive(
    from tables: [ImportTable], joins: [TableJoin] = []
  ) throws -> (archive: [UInt8], report: ImportReport) {
    try TableImport.archive(
      of: tables.map { try $0.source(limits, rootClass: nil) }, joins: joins, limits: limits)
  }
}
