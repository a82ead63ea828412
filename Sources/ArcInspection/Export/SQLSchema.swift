import ArcArchive
import ArcForeign
import ArcFormat

/// The tables, indices and views of an export to SQLite, as SQL statements.
///
/// | name | content |
/// |---|---|
/// | `Person` | the objects of the class |
/// | `Person_friends` | the elements of a collection property |
/// | `Person_all` | `class` and the columns of `Person`, for objects of the class and its subclasses |
/// | `objects` | `row` and `class` of all objects |
/// | `Person_mother_followed` | for each reference its `source`, then the columns of its target |
/// | `Person_friends_followed` | likewise for each element, with `source_position` and `source_key` |
///
/// Each column of references has an index. `Person_all` exists only if the class has exported subclasses. Two
/// kinds of views are omitted: a view that would combine more than 400 classes, because SQLite limits the
/// number of terms in a query, and an `_all` view with which all `_all` views together would select more than
/// 500,000 columns.
struct SQLSchema {
  /// The maximum number of columns of a table in SQLite. Assumes that SQLite was not compiled with a
  /// different limit.
  private static let maximumColumnCount = 2000
  private static let maximumTermCount = 400
  private static let maximumNameCount = 500_000

  private(set) var model: TableModel
  /// The statements that create the tables, without rows.
  private(set) var tables: [String] = []
  /// The statements that create indices and views. They run after all rows have been inserted.
  private(set) var indicesAndViews: [String] = []
  /// The name of the table or view that contains the objects of a class and its subclasses, by class index.
  private var sourceOfClass: [Int: String] = [:]
  private var objectsView: String?
  /// The index of each exported column, by class index and declared key. The indices of a class are computed
  /// when a view first uses the class.
  private var positions: [Int: [DeclaredKey: Int]] = [:]
  /// The total number of columns in the queries of the `_all` views created so far.
  private var selectedColumnCount = 0

  /// Creates the statements for the exported objects.
  ///
  /// - Throws: `tooManyColumns` if a class has more columns than a table of SQLite can have.
  init(_ objects: ExportedObjects) throws(ExportError) {
    model = TableModel(objects, names: .sql)
    tables = [
      "CREATE TABLE \(SQLName.quoted(model.listName))(\"name\" TEXT, \"class\" TEXT, \"property\" TEXT)"
    ]
    for table in model.tables {
      guard table.columns.count <= Self.maximumColumnCount else {
        throw ExportError(
          .tooManyColumns,
          found:
            "\(table.columns.count) columns for class "
            + "'\(objects.catalog.file.classes[table.classIndex].name)'",
          expected: "at most \(Self.maximumColumnCount) columns, the maximum of SQLite",
          remedy: "choose columns with --columns"
        )
      }
      tables.append(Self.statement(making: table))
    }
    addFamilies()
    for table in model.tables { addReferences(of: table) }
  }

  private static func statement(making table: ExportTable) -> String {
    var columns = table.columns.map { column in
      let type = Self.type(of: column.kind)
      return SQLName.quoted(column.name) + (type.isEmpty ? "" : " " + type)
    }
    if table.isCollection {
      columns.append("PRIMARY KEY(\"row\",\"position\")")
    } else {
      columns[0] = "\"row\" INTEGER PRIMARY KEY"
    }
    return "CREATE TABLE \(SQLName.quoted(table.name))(\(columns.joined(separator: ", ")))"
      + (table.isCollection ? " WITHOUT ROWID" : "")
  }

  /// Returns the SQL type of a column. Empty for a column whose integers may be written as text: if the
  /// column had a type, SQLite would convert this text to rounded numbers.
  private static func type(of kind: ExportTable.Kind) -> String {
    switch kind {
    case .boolean: "BOOLEAN"
    case .integer, .reference: "INTEGER"
    case .wideInteger: ""
    case .real: "REAL"
    case .text, .json: "TEXT"
    case .bytes: "BLOB"
    }
  }

  // MARK: Views

  private mutating func addFamilies() {
    let catalog = model.objects.catalog
    let classes = model.objects.classes.filter { $0 > 0 }
    var members: [Int: [Int]] = [:]
    for index in classes {
      var ancestor: Int? = index
      // A superclass has a smaller index than its subclasses, so this loop ends.
      while let next = ancestor {
        if members[next]?.count ?? 0 <= Self.maximumTermCount { members[next, default: []].append(index) }
        ancestor = catalog.file.classes[next].superclassIndex
      }
    }
    for index in classes {
      guard let table = self.table(ofClass: index), let family = members[index] else { continue }
      guard family.count > 1 else {
        sourceOfClass[index] = table.name
        continue
      }
      let count = family.count * table.columns.count
      guard family.count <= Self.maximumTermCount, selectedColumnCount + count <= Self.maximumNameCount else {
        continue
      }
      selectedColumnCount += count
      let view = model.unique(table.name + "_all")
      var selects: [String] = []
      for member in family { selects.append(select(class: index, from: member)) }
      add(view: view, selects.joined(separator: " UNION ALL "))
      sourceOfClass[index] = view
    }
    guard !classes.isEmpty, classes.count <= Self.maximumTermCount else { return }
    let view = model.unique("objects")
    let selects = classes.compactMap { index in
      self.table(ofClass: index).map {
        "SELECT \(literal(classNamed: index)) AS \"class\", \"row\" FROM \(SQLName.quoted($0.name))"
      }
    }
    add(view: view, selects.joined(separator: " UNION ALL "))
    objectsView = view
  }

  /// Returns the index of each exported column of a class, by declared key. A declared key identifies an
  /// inherited column in all classes that inherit it.
  private mutating func positions(ofClass index: Int) -> [DeclaredKey: Int] {
    if let known = positions[index] { return known }
    let columns = model.objects.catalog.file.classes[index].columns
    let keys = (model.objects.columns[index] ?? []).enumerated().map { (DeclaredKey(columns[$1]), $0) }
    let new = Dictionary(keys) { first, _ in first }
    positions[index] = new
    return new
  }

  /// Returns a query that selects the objects of class `member`, with the columns of class `index`. `member`
  /// is this class or a subclass of it. Columns that `member` does not export are NULL.
  private mutating func select(class index: Int, from member: Int) -> String {
    guard let table = self.table(ofClass: index), let from = self.table(ofClass: member) else { return "" }
    let known = positions(ofClass: member)
    let columns = model.objects.catalog.file.classes[index].columns
    var terms = ["\(literal(classNamed: member)) AS \"class\"", "\"row\""]
    for (position, column) in (model.objects.columns[index] ?? []).enumerated() {
      let targets = model.columnRanges[index][position]
      let source = known[DeclaredKey(columns[column])].map { model.columnRanges[member][$0] }
      for (offset, target) in targets.enumerated() {
        let isExported = source?.count == targets.count
        let expression =
          isExported ? SQLName.quoted(from.columns[(source?.lowerBound ?? 0) + offset].name) : "NULL"
        terms.append("\(expression) AS \(SQLName.quoted(table.columns[target].name))")
      }
    }
    return "SELECT \(terms.joined(separator: ", ")) FROM \(SQLName.quoted(from.name))"
  }

  private mutating func addReferences(of table: ExportTable) {
    for column in table.columns {
      guard case .reference(let classIndex) = column.kind else { continue }
      let isElement = table.isCollection && column.name == "value"
      let name = isElement ? table.name : table.name + "_" + column.name
      let (from, by) = (SQLName.quoted(table.name), SQLName.quoted(column.name))
      indicesAndViews.append(
        "CREATE INDEX \(SQLName.quoted(model.unique(name + "_index"))) ON \(from)(\(by))")
      guard let target = classIndex == nil ? objectsView : classIndex.flatMap({ sourceOfClass[$0] }) else {
        continue
      }
      var terms = ["s.\"row\" AS \"source\""]
      if table.isCollection { terms.append("s.\"position\" AS \"source_position\"") }
      for key in table.columns where table.isCollection && key.name == "key" {
        terms.append("s.\(SQLName.quoted(key.name)) AS \"source_key\"")
      }
      add(
        view: model.unique(name + "_followed"),
        "SELECT \(terms.joined(separator: ", ")), t.* FROM \(from) AS s JOIN \(SQLName.quoted(target)) AS t "
          + "ON t.\"row\" = s.\(by)")
    }
  }

  private mutating func add(view name: String, _ query: String) {
    indicesAndViews.append("CREATE VIEW \(SQLName.quoted(name)) AS \(query)")
  }

  private func table(ofClass index: Int) -> ExportTable? {
    model.tableOfClass[index].map { model.tables[$0] }
  }

  private func literal(classNamed index: Int) -> String {
    SQLText.literal(.string(model.objects.catalog.file.classes[index].name))
  }
}
