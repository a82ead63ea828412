import ArcFormat
import ArcRuntime

/// The classes and columns of the archive, determined from all imported files before anything is written.
///
/// A keyed archive does not state whether the class of an object or one of its superclasses wrote a key.
/// Therefore each key belongs to the class of the object. If all objects have a value of one type under a
/// key, the key becomes an ordinary column. If some objects lack the key, the key becomes a keyed column. If
/// the values have several types, the key becomes several keyed columns, one for each type.
struct ImportCatalog {
  /// A class of the archive.
  struct Class {
    let name: String
    /// The name of the class in the file.
    let originalName: String
    /// The superclasses, nearest first. The classes of one chain have slices of one array.
    let superclasses: ArraySlice<String>
    var rowCount = 0
    var columns: [Column] = []
    /// The indices of the columns for each key. The column that received the latest value comes first.
    var columnsOfKey: [ExactName: [Int]] = [:]
    /// Whether a file describes the class itself. False if the class occurs only as a superclass.
    fileprivate var isDescribed = false
  }

  /// A column of a class.
  struct Column {
    let key: String
    var type: ImportedType
    var valueCount = 0
    /// The shape that the program declares for the key. Nil if the program declares none.
    let shape: ImportGuide.Shape?
  }

  private(set) var classes: [Class] = []
  private(set) var hierarchy = ImportedHierarchy()
  private var indices: [ExactName: Int] = [:]
  /// The class names that are already used in the archive.
  private var names: Set<ExactName> = [ExactName(ClassDescription.rootsName)]
  /// The limits for the classes of the archive. A class that several files contain is charged once.
  private let budget: ImportBudget
  /// The number that was last appended to each class name. Numbers distinguish classes that would otherwise
  /// have equal names.
  private var repetitions: [ExactName: Int] = [:]
  private let guide: ImportGuide?
  /// The shape for keys that `guide` does not declare. Nil if such keys have no shape.
  private let undeclared: ImportGuide.Shape?

  init(limits: ArchiveLimits, guide: ImportGuide?, undeclared: ImportGuide.Shape? = nil) {
    budget = ImportBudget(limits)
    self.guide = guide
    self.undeclared = undeclared
  }

  // MARK: Classes

  /// Adds the classes of a graph. For each class of the graph, returns the index of the class in the catalog.
  mutating func add(
    _ graph: ImportedGraph, _ report: inout ImportReport
  ) throws(ImportError) -> [Int] {
    var result = [Int](repeating: 0, count: graph.classes.count)
    // Classes whose objects are all stored as values have no rows, and are not added.
    var isUsed = [Bool](repeating: false, count: graph.classes.count)
    for row in graph.rows { isUsed[row.classIndex] = true }
    for column in graph.columns { isUsed[column.classIndex] = true }
    for (position, description) in graph.classes.enumerated() where isUsed[position] {
      var chain = [description.name] + description.superclasses
      if let guide, let name = guide.className(for: description.name) {
        chain = [name]
        // The program's superclasses take precedence over an old file. They contain no cycle.
        while let next = guide.superclass(of: chain[chain.count - 1]) { chain.append(next) }
      }
      let index = try add(chain, &report)
      if classes[index].isDescribed, classes[index].superclasses != chain.dropFirst() {
        report.note(.differingSuperclasses, "class '\(chain[0])'")
      }
      classes[index].isDescribed = true
      result[position] = index
    }
    return result
  }

  /// Adds a class and its superclasses if they are new. A known class retains its first superclass.
  private mutating func add(_ chain: [String], _ report: inout ImportReport) throws(ImportError) -> Int {
    var parent: Int?
    for position in chain.indices.reversed() {
      if let known = indices[ExactName(chain[position])] {
        parent = known
        continue
      }
      try budget.chargeClass(nameByteCount: chain[position].utf8.count)
      let name = allowedName(for: chain[position])
      if !name.hasSameBytes(as: chain[position]) {
        report.note(.renamedClass, "'\(chain[position])', now '\(name)'")
      }
      classes.append(
        Class(name: name, originalName: chain[position], superclasses: chain[(position + 1)...]))
      hierarchy.add(parent: parent)
      indices[ExactName(chain[position])] = classes.count - 1
      parent = classes.count - 1
    }
    return indices[ExactName(chain[0])] ?? 0
  }

  /// Returns the name if an archive allows it and no other class has it. Otherwise, returns a similar name
  /// that is allowed and not used. Spec: 03-classes, rules C2, C6 and E5.
  private mutating func allowedName(for name: String) -> String {
    let text = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\"" ? "'" : $0 }))
    var base =
      [text, text + " (object)", "_" + text, "_" + text + " (object)"]
      .first { !ColumnLayout.isReserved($0) }
      ?? "Class"
    let stem = base
    while !names.insert(ExactName(base)).inserted {
      let number = repetitions[ExactName(stem), default: 1] + 1
      repetitions[ExactName(stem)] = number
      base = "\(stem) \(number)"
    }
    return base
  }

  // MARK: Columns

  /// Extends the types of the catalog's columns, so that they fit the values in the rows of a graph. For each
  /// field, returns the index of its column among the columns of the class.
  mutating func note(
    _ graph: ImportedGraph, classIndices: [Int], _ report: inout ImportReport
  ) throws(ImportError) -> [Int32] {
    var columns = [Int32](repeating: 0, count: graph.fields.count)
    // Usually the column that received the last value of a class and key also receives the next value.
    var lastColumns: [Int: Int] = [:]
    for row in graph.rows {
      let classIndex = classIndices[row.classIndex]
      classes[classIndex].rowCount += 1
      for index in row.fields {
        let key = graph.keys[graph.fields[index].key]
        let classAndKey = classIndex * graph.keys.count + graph.fields[index].key
        do throws(ImportError) {
          let column = try column(
            of: key, graph.fields[index].value, classIndex, last: lastColumns[classAndKey], graph,
            classIndices,
            &report)
          lastColumns[classAndKey] = column
          columns[index] = Int32(truncatingIfNeeded: column)
        } catch {
          throw error.located(
            byteOffset: row.byteOffset, objectUID: row.uid, className: classes[classIndex].originalName,
            key: key)
        }
      }
    }
    for column in graph.columns {
      try addColumn(graph.keys[column.key], toClass: classIndices[column.classIndex])
    }
    return columns
  }

  /// Sets the type of each column whose values are all nil to the type that the program declares. Called
  /// after all files were added.
  mutating func resolveTypes() {
    for index in classes.indices {
      for position in classes[index].columns.indices {
        let column = classes[index].columns[position]
        classes[index].columns[position].type = column.type.resolved(column.shape)
      }
    }
  }

  /// Adds a column without values for a key, unless the class already has a column for the key.
  private mutating func addColumn(_ key: String, toClass classIndex: Int) throws(ImportError) {
    guard classes[classIndex].columnsOfKey[ExactName(key)] == nil else { return }
    try budget.chargeName(byteCount: key.utf8.count)
    classes[classIndex].columnsOfKey[ExactName(key)] = [classes[classIndex].columns.count]
    classes[classIndex].columns.append(Column(key: key, type: ImportedType(.nothing), shape: undeclared))
  }

  /// Returns the column of a class for a value under a key. Adds a column if no existing column fits.
  private mutating func column(
    of key: String, _ value: ImportedValue, _ classIndex: Int, last: Int?, _ graph: ImportedGraph,
    _ classIndices: [Int], _ report: inout ImportReport
  ) throws(ImportError) -> Int {
    var known = last.map { [$0] } ?? classes[classIndex].columnsOfKey[ExactName(key)] ?? []
    let shape =
      known.first.map { classes[classIndex].columns[$0].shape }
      ?? guide?.shape(ofKey: key, inClass: classes[classIndex].name) ?? undeclared
    let type = try self.type(of: value, shape, graph, classIndices, &report)
    if let last, merge(type, shape, classIndex, last, &report) { return last }
    let name = ExactName(key)
    if last != nil { known = classes[classIndex].columnsOfKey[name] ?? [] }
    for (position, column) in known.enumerated() where merge(type, shape, classIndex, column, &report) {
      if position > 0 {
        known.swapAt(0, position)
        classes[classIndex].columnsOfKey[name] = known
      }
      return column
    }
    if let first = known.first {
      // Two columns of numbers are read row by row. Other types do not fit the same property.
      let areNumbers = type.isNumber && classes[classIndex].columns[first].type.isNumber
      guard guide == nil || shape == nil || undeclared != nil || areNumbers else {
        throw ImportError(
          .typeMismatch, found: "\(type.words) for the key '\(key)'",
          expected: "\(classes[classIndex].columns[first].type.words), as in earlier objects of the class")
      }
      // A second column for lists with other elements is not worth a note.
      if type.family != classes[classIndex].columns[first].type.family {
        report.note(.severalTypes, "class '\(classes[classIndex].name)', key '\(key)'")
      }
    }
    try budget.chargeName(byteCount: key.utf8.count)
    classes[classIndex].columns.append(Column(key: key, type: type, valueCount: 1, shape: shape))
    classes[classIndex].columnsOfKey[name, default: []].insert(classes[classIndex].columns.count - 1, at: 0)
    return classes[classIndex].columns.count - 1
  }

  /// Merges the type of one more value into a column. Returns false if the types cannot be merged.
  private mutating func merge(
    _ type: ImportedType, _ shape: ImportGuide.Shape?, _ classIndex: Int, _ column: Int,
    _ report: inout ImportReport
  ) -> Bool {
    let present = classes[classIndex].columns[column].type
    guard let merged = present.merged(with: type, shape: shape, allowsAny: false, hierarchy) else {
      return false
    }
    // Most values have the type of their column.
    let isUnchanged = type.family == present.family && type.children.isEmpty
    if undeclared != nil, guide == nil, !isUnchanged {
      noteNumbers(type, in: merged, classIndex, column, &report)
    }
    classes[classIndex].columns[column].type = merged
    classes[classIndex].columns[column].valueCount += 1
    return true
  }

  /// Adds a note about numbers of a table that an export of the merged column would write in another
  /// notation. If the program declares the type, no note is needed, because the program reads equal numbers.
  private func noteNumbers(
    _ type: ImportedType, in merged: ImportedType, _ classIndex: Int, _ column: Int,
    _ report: inout ImportReport
  ) {
    let present = classes[classIndex].columns[column]
    let isPresentRewritten = present.type.rewritesNumbers(in: merged)
    guard isPresentRewritten || type.rewritesNumbers(in: merged) else { return }
    report.note(
      .changedNumber, count: isPresentRewritten ? present.valueCount : 1,
      "class '\(classes[classIndex].name)', key '\(present.key)': numbers of several types")
  }

  /// Returns the type of a value. Recursion follows nested lists and structures. Only a guide creates these,
  /// so they are nested at most as deeply as the types that the guide declares.
  func type(
    of value: ImportedValue, _ shape: ImportGuide.Shape?, _ graph: ImportedGraph, _ classIndices: [Int],
    _ report: inout ImportReport
  ) throws(ImportError) -> ImportedType {
    if value.kind == .structure {
      let (form, fields) = graph.structures[Int(value.index)]
      var types: [ImportedType] = []
      for (position, index) in fields.enumerated() {
        types.append(
          try type(
            of: graph.elements[index], form.fields[position].shape, graph, classIndices, &report))
      }
      return ImportedType(form, fields: types)
    }
    guard value.kind == .list || value.kind == .dictionary else {
      let target = value.kind == .object ? classIndices[graph.rows[graph.row(value)].classIndex] : nil
      return ImportedType(scalar: value, graph, target: target)
    }
    let range = graph.collections[Int(value.index)]
    guard value.kind == .dictionary else {
      let element = try type(of: range, shape?.child(0, of: 1), graph, classIndices, &report)
      return ImportedType(collection: .list, of: [element])
    }
    let middle = range.lowerBound + range.count / 2
    let key = try type(of: range.lowerBound..<middle, shape?.child(0, of: 2), graph, classIndices, &report)
    let inner = try type(of: middle..<range.upperBound, shape?.child(1, of: 2), graph, classIndices, &report)
    return ImportedType(collection: .dictionary, of: [key, inner])
  }

  private func type(
    of range: Range<Int>, _ shape: ImportGuide.Shape?, _ graph: ImportedGraph, _ classIndices: [Int],
    _ report: inout ImportReport
  ) throws(ImportError) -> ImportedType {
    var result = ImportedType(.nothing)
    for index in range {
      let type = try type(of: graph.elements[index], shape, graph, classIndices, &report)
      guard let merged = result.merged(with: type, shape: shape, allowsAny: true, hierarchy) else {
        throw ImportError(
          .typeMismatch, found: "\(type.words) in a list", expected: "\(result.words), like earlier elements"
        )
      }
      if guide == nil, result.rewritesNumbers(in: merged) || type.rewritesNumbers(in: merged) {
        report.note(.changedNumber, "a list with numbers of several types")
      }
      if merged.family == .any, result.family != .any {
        report.note(.mixedElements, "byte \(graph.list.byteOffsets[graph.list.top])")
      }
      result = merged
    }
    return result
  }
}
