import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects of an archive as tables. The exports to SQL, SQLite and CSV share this model.
///
/// Each exported class has its own table with a column for each property, including inherited properties. An
/// object is a row only in the table of its own class, not in the tables of superclasses. The column `row` is
/// the object's number in the archive, and references contain this number. The named roots are row 0 of a
/// table `roots`.
///
/// | property | cells |
/// |---|---|
/// | Boolean, number, string, date, UUID, decimal, data, reference | one |
/// | URL | one with its text; with a base URL, one with JSON |
/// | structure | the cells of its fields: `home_street`; all are null if an optional structure is nil |
/// | enumeration | the name of the case, then the values of each case: `shape`, `shape_circle_radius` |
/// | array, set, dictionary | the number of elements |
/// | collection in a collection, recursive type, structure without fields | one with JSON |
///
/// The elements of a collection are rows of a table `Class_property` with the columns `row`, `position` and
/// `value`, or `value_x` for each field. The table of a dictionary also has `key`. JSON is written as
/// `arcdump --json` writes it. If a table would have more than 1,000 columns, structures and associated
/// values are JSON too.
///
/// A table `arc_tables` lists the other tables with the class and property names of the file. A table's own
/// name may differ from them, because it may contain only certain characters and must be unique.
struct TableModel {
  let objects: ExportedObjects
  /// The name of the table that lists the other tables.
  let listName: String
  /// The tables of classes. Each is followed by the tables of its collections.
  private(set) var tables: [ExportTable] = []
  /// The index of each class's table in `tables`, by class index. Nil if the class is not exported.
  private(set) var tableOfClass: [Int?]
  /// The cells that represent each exported property, by class index.
  private(set) var shapes: [[CellShape]]
  /// The columns of each exported property in the class's table, by class index.
  private(set) var columnRanges: [[Range<Int>]]
  /// A generator of unique names. It does not return the names of the tables, so that other names, such as
  /// the names of views, are different.
  private(set) var names: ExportNames

  init(_ objects: ExportedObjects, names rule: ExportNames.Rule) {
    self.objects = objects
    let file = objects.catalog.file
    names = ExportNames(rule)
    listName = names.unique("arc_tables")
    tableOfClass = Array(repeating: nil, count: file.classes.count)
    shapes = Array(repeating: [], count: file.classes.count)
    columnRanges = Array(repeating: [], count: file.classes.count)
    let classIndices = Dictionary(
      file.classes.enumerated().map { (ExactName($1.name), $0) }, uniquingKeysWith: { first, _ in first })
    for index in objects.classes { add(index, rule, classIndices) }
  }

  private mutating func add(
    _ classIndex: Int, _ rule: ExportNames.Rule, _ classIndices: [ExactName: Int]
  ) {
    let catalog = objects.catalog
    let names = catalog.names(ofClass: classIndex)
    let tableShapes = TableShapes.of(
      catalog.file.layouts[classIndex],
      properties: (objects.columns[classIndex] ?? []).map { ($0, names[$0]) }, classIndices: classIndices)
    let first = tables.count
    tableOfClass[classIndex] = first
    shapes[classIndex] = tableShapes.shapes
    columnRanges[classIndex] = tableShapes.columnRanges
    for draft in tableShapes.drafts {
      var columnNames = ExportNames(rule)
      let columns = draft.columns.map { column in
        ExportTable.Column(name: columnNames.unique(column.name), kind: column.kind)
      }
      let wanted: String
      if let count = draft.countColumn {
        wanted = tables[first].name + "_" + tables[first].columns[count].name
      } else {
        wanted = classIndex == 0 ? "roots" : catalog.file.classes[classIndex].name
      }
      tables.append(
        ExportTable(
          name: self.names.unique(wanted), classIndex: classIndex,
          property: draft.countColumn.map { tableShapes.drafts[0].columns[$0].name }, columns: columns))
    }
  }

  /// Returns a name that no table has, similar to `name`.
  mutating func unique(_ name: String) -> String { names.unique(name) }

  /// The rows of the table that lists the other tables. Each row contains the name of a table, and the names
  /// of the class and property that the table represents.
  var list: [[ArchiveValue]] {
    tables.map { table in
      [
        .string(table.name), .string(objects.catalog.file.classes[table.classIndex].name),
        table.property.map { .string($0) } ?? .null,
      ]
    }
  }
}

// MARK: Rows

extension TableModel {
  /// Calls `body` with each row of an object: first the rows of the object's collections, then the row of the
  /// object itself. A cell is a value without nested values.
  func forEachRow(
    of row: ExportedRow, _ body: @escaping (_ table: Int, _ cells: [ArchiveValue]) throws -> Void
  ) throws {
    guard let first = tableOfClass[row.classIndex] else { return }
    let writer = CellWriter(id: .integer(Int128(row.id.rawValue)), firstTable: first, body: body)
    var cells = [writer.id]
    cells.reserveCapacity(tables[first].columns.count)
    for (value, shape) in zip(row.values, shapes[row.classIndex]) {
      try writer.append(value ?? .null, shape, to: &cells)
    }
    try body(first, cells)
  }
}

/// Converts the values of one object to the cells of its rows.
private struct CellWriter {
  let id: ArchiveValue
  let firstTable: Int
  let body: (_ table: Int, _ cells: [ArchiveValue]) throws -> Void

  /// Appends the cells of a value, as many as `shape.cellCount`. Rows of collections are passed to `body`.
  /// Recursive over the shape, which is as deep as the value's type.
  func append(_ value: ArchiveValue, _ shape: CellShape, to cells: inout [ArchiveValue]) throws {
    switch (shape, value) {
    case (.value, _): cells.append(try CellText.cell(value))
    case (_, .null), (_, .nestedNull): cells += repeatElement(.null, count: shape.cellCount)
    case (.fields(let shapes), _) where value.fields?.count == shapes.count:
      for (child, shape) in zip(value.children, shapes) { try append(child.value, shape, to: &cells) }
    case (.cases(let cases), .enumeration(_, let name, let payload)):
      cells.append(.string(name))
      var isFound = false
      for (label, shape) in cases {
        // A crafted file may have two cases with one name.
        let isSelected = !isFound && label.hasSameBytes(as: name)
        isFound = isFound || isSelected
        if let shape { try append(isSelected ? payload ?? .null : .null, shape, to: &cells) }
      }
    case (.rows(let table, let shapes), _) where value.elementCount != nil:
      let count = value.elementCount ?? 0
      cells.append(.integer(Int128(count)))
      var children = value.children(keys: shapes.count == 2 ? .first : .none)
      for position in 0..<count {
        var row = [id, .integer(Int128(position))]
        for shape in shapes { if let child = children.next() { try append(child.value, shape, to: &row) } }
        try body(firstTable + table, row)
      }
    default:
      cells.append(.string(try CellText.json(value)))
      cells += repeatElement(.null, count: max(shape.cellCount - 1, 0))
    }
  }
}
