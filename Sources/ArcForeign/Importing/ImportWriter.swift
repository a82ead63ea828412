import ArcFormat
import ArcRuntime

/// Writes the rows of imported graphs as an archive. The catalog contains a suitable column for each value.
struct ImportWriter: ~Copyable {
  private var writer: ArchiveWriter
  private let catalog: ImportCatalog
  private var parts: [Part] = []
  private let limits: ArchiveLimits
  /// The number of bytes of the class table so far.
  private var tableByteCount = 0

  struct Part {
    let graph: ImportedGraph
    let classIndices: [Int]
    /// The index of each field's column among the columns of the class.
    let columns: [Int32]
    var firstRow = 1
    /// The roots of the graph: the name that each root has in the archive, and the type of the root's column.
    var roots: [(name: String, type: ImportedType)] = []
  }

  static func write(
    _ parts: [Part], _ catalog: ImportCatalog, metadata: [(key: String, value: String)], limits: ArchiveLimits
  ) throws -> [UInt8] {
    var writer = ImportWriter(parts, catalog, metadata, limits)
    try writer.addClasses()
    try writer.writeRoots()
    for part in writer.parts { try writer.writeRows(part) }
    return try writer.writer.finish { _ in 0 }
  }

  private init(
    _ parts: [Part], _ catalog: ImportCatalog, _ metadata: [(key: String, value: String)],
    _ limits: ArchiveLimits
  ) {
    writer = ArchiveWriter(compression: .none, metadata: metadata)
    self.catalog = catalog
    self.limits = limits
    var next = 1
    for part in parts {
      var numbered = part
      numbered.firstRow = next
      next += part.graph.rows.count
      self.parts.append(numbered)
    }
    writer.expectedRowCount = next
  }

  // MARK: Classes

  /// The class names for the type encodings of references, by class index. An element is nil if a type
  /// encoding cannot contain the name of the class. Spec: 03-classes, rule E5.
  private var referenceNames: [String?] {
    catalog.classes.map { description in
      let isPlain = description.name.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
      return isPlain ? description.name : nil
    }
  }

  private mutating func addClasses() throws {
    let names = referenceNames
    let roots = parts.flatMap(\.roots).map { name, type in (name, type.encoding(names), false) }
    try add(ClassDescription.rootsName, superclass: nil, roots)
    // Spec: 07-limits, rule A6. Each row has a presence bit in each keyed column, also without a value.
    var presenceCount = 0
    for (index, description) in catalog.classes.enumerated() {
      let columns = description.columns.map { column in
        (
          column.key, column.type.encoding(names),
          column.valueCount < description.rowCount
        )
      }
      let keyedCount = columns.count { $0.2 }
      presenceCount += keyedCount * description.rowCount
      try ImportError.check(presenceCount, within: limits.rawBytes, "rawBytes")
      try add(description.name, superclass: catalog.hierarchy.parents[index], columns)
    }
  }

  private mutating func add(
    _ name: String, superclass: Int?, _ columns: [(key: String, type: String, isKeyed: Bool)]
  ) throws {
    let index = writer.classes.count
    let described = try columns.map { column in
      let isReference = column.type.hasPrefix("@") && ImportCatalog.isReference(column.type)
      let isPlain = column.isKeyed || index == 0
      let attributes = "T" + column.type + (isPlain ? "" : isReference ? ",N,&" : ",N,C")
      return ColumnDescription(
        declaringClassIndex: index, key: column.key, attributes: try PropertyAttributes(parsing: attributes),
        flags: column.isKeyed ? [.keyed] : [])
    }
    let description = ClassDescription(
      name: name, superclassIndex: superclass.map { $0 + 1 }, columns: described)
    tableByteCount +=
      name.utf8.count
      + described.reduce(0) { $0 + $1.key.utf8.count + $1.attributes.description.utf8.count + 4 }
    try ImportError.check(tableByteCount, within: limits.classTableBytes, "classTableBytes")
    let nodeCount = try ColumnLayout(description).nodes.count
    do throws(ImportError) {
      try ImportError.check(nodeCount, within: limits.columnsPerClass, "columnsPerClass")
    } catch {
      throw error.located(className: name)
    }
    _ = try writer.addClass(description)
  }

  // MARK: Rows

  private mutating func writeRoots() throws {
    try writer.addRow(classIndex: 0)
    let set = writer.columnSet(ofClass: 0)
    var position = 0
    for part in parts {
      let packer = ValuePacker(graph: part.graph, firstRow: part.firstRow)
      for (root, value) in zip(part.roots, part.graph.roots) {
        try packer.append(value.value, root.type, to: set.column(position))
        position += 1
      }
    }
  }

  private mutating func writeRows(_ part: Part) throws {
    let packer = ValuePacker(graph: part.graph, firstRow: part.firstRow)
    let isKeyed = catalog.classes.map { description in
      description.columns.map { $0.valueCount < description.rowCount }
    }
    for row in part.graph.rows {
      let index = part.classIndices[row.classIndex]
      try writer.addRow(classIndex: index + 1)
      let set = writer.columnSet(ofClass: index + 1)
      for fieldIndex in row.fields {
        let (field, position) = (part.graph.fields[fieldIndex], Int(part.columns[fieldIndex]))
        let type = catalog.classes[index].columns[position].type
        var column = set.column(position)
        if isKeyed[index][position] {
          set.padPresence(position, to: writer.rowsInSegment(ofClass: index + 1) - 1)
          column.append(bit: true)
          column = column.child(0)
        }
        do throws(ImportError) {
          try packer.append(field.value, type, to: column)
        } catch {
          throw error.located(
            byteOffset: row.byteOffset, objectUID: row.uid, className: catalog.classes[index].originalName,
            key: part.graph.keys[field.key])
        }
      }
    }
  }
}

extension ImportCatalog {
  /// Whether a type encoding denotes a reference to an object. False if it denotes a value, such as a string.
  /// The encoding must begin with `@`.
  static func isReference(_ encoding: String) -> Bool {
    let values = ["NSDate", "NSString", "NSData", "NSUUID", "NSURL", "NSDecimalNumber"]
    return !values.contains { encoding == "@\"\($0)\"" }
  }
}
