import ArcFormat
import ArcRuntime

/// The classes and columns of the archive that files become: found before anything is written.
///
/// Keys stand with the class of the object that has them, since a keyed archive does not say which level of
/// its hierarchy wrote one. A key under which all objects have values of one type is an ordinary column; one
/// that some lack is keyed; one with values of several types has a keyed column for each.
struct ImportCatalog {
  /// A class of the archive.
  struct Class {
    let name: String
    /// The name in the file.
    let originalName: String
    /// A part of the list in which the class was found first: each of a long line of classes has the rest.
    let superclasses: ArraySlice<String>
    var rowCount = 0
    var columns: [Column] = []
    /// The columns of each key; the one that took the last value comes first.
    var columnsOfKey: [ExactName: [Int]] = [:]
    /// Whether a file described the class itself, and not only a subclass.
    fileprivate var isDescribed = false
  }

  /// A column of a class.
  struct Column {
    let key: String
    var type: ImportedType
    var valueCount = 0
    /// What the program declares for it.
    let shape: ImportGuide.Shape?
  }

  private(set) var classes: [Class] = []
  private(set) var hierarchy = ImportedHierarchy()
  private var indices: [ExactName: Int] = [:]
  /// Names in the archive that are taken.
  private var names: Set<ExactName> = [ExactName(ClassDescription.rootsName)]
  /// Charges the classes and their names, which are fewer than those of the files.
  private let budget: ImportBudget
  /// How often a name had to be another one.
  private var repetitions: [ExactName: Int] = [:]
  private let guide: ImportGuide?
  /// What keys take of which no program declares anything.
  private let undeclared: ImportGuide.Shape?

  init(limits: ArchiveLimits, guide: ImportGuide?, undeclared: ImportGuide.Shape? = nil) {
    budget = ImportBudget(limits)
    self.guide = guide
    self.undeclared = undeclared
  }

  // MARK: Classes

  /// Adds the classes of a graph, and returns for each its index here.
  mutating func add(
    _ graph: ImportedGraph, _ report: inout ImportReport
  ) throws(ImportError) -> [Int] {
    var result = [Int](repeating: 0, count: graph.classes.count)
    // Classes of values have no rows.
    var isUsed = [Bool](repeating: false, count: graph.classes.count)
    for row in graph.rows { isUsed[row.classIndex] = true }
    for column in graph.columns { isUsed[column.classIndex] = true }
    for (position, description) in graph.classes.enumerated() where isUsed[position] {
      var chain = [description.name] + description.superclasses
      if let guide, let name = guide.className(for: description.name) {
        chain = [name]
        // A program knows its superclasses better than an old file; no chain of them is a cycle.
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

  /// Adds a class with those above it, as far as they are new; a class keeps the superclass that it got
  /// first.
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

  /// The name, or one like it that an archive allows and that no other class has.
  /// Spec: 03-classes, rules C2, C6 and E5.
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

  /// Notes the values of all rows of a graph, and returns for each field which column of its class has it.
  mutating func note(
    _ graph: ImportedGraph, classIndices: [Int], _ report: inout ImportReport
  ) throws(ImportError) -> [Int32] {
    var columns = [Int32](repeating: 0, count: graph.fields.count)
    // The column that took the last value of a class and a key takes the next one too, as a rule.
    var lastColumns: [Int: Int] = [:]
    for row in graph.rows {
      let classIndex = classIndices[row.classIndex]
      classes[classIndex].rowCount += 1
      for index in row.fields {
        let key = graph.keys[graph.fields[index].key]
        let place = classIndex * graph.keys.count + graph.fields[index].key
        do throws(ImportError) {
          let column = try column(
            of: key, graph.fields[index].value, classIndex, last: lastColumns[place], graph, classIndices,
            &report)
          lastColumns[place] = column
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

  /// Adds a column that no row has a value in, unless some have.
  private mutating func addColumn(_ key: String, toClass classIndex: Int) throws(ImportError) {
    guard classes[classIndex].columnsOfKey[ExactName(key)] == nil else { return }
    try budget.chargeName(byteCount: key.utf8.count)
    classes[classIndex].columnsOfKey[ExactName(key)] = [classes[classIndex].columns.count]
    classes[classIndex].columns.append(Column(key: key, type: ImportedType(.nothing), shape: undeclared))
  }

  /// The column of a class for a value under a key.
  private mutating func column(
    of key: String, _ value: ImportedValue, _ classIndex: Int, last: Int?, _ graph: ImportedGraph,
    _ classIndices: [Int], _ report: inout ImportReport
  ) throws(ImportError) -> Int {
    var known = last.map { [$0] } ?? classes[classIndex].columnsOfKey[ExactName(key)] ?? []
    let shape =
      known.first.map { classes[classIndex].columns[$0].shape }
      ?? guide?.shape(ofKey: key, inClass: classes[classIndex].name) ?? undeclared
    let type = try self.type(of: value, shape, graph, classIndices, &report)
    if let last, take(type, shape, classIndex, last) { return last }
    let name = ExactName(key)
    if last != nil { known = classes[classIndex].columnsOfKey[name] ?? [] }
    for (position, column) in known.enumerated() where take(type, shape, classIndex, column) {
      if position > 0 {
        known.swapAt(0, position)
        classes[classIndex].columnsOfKey[name] = known
      }
      return column
    }
    if let first = known.first {
      // A program reads one column of a key: what another has would be lost.
      guard guide == nil || shape == nil || undeclared != nil else {
        throw ImportError(
          .typeMismatch, found: "\(type.words) for the key '\(key)'",
          expected: "\(classes[classIndex].columns[first].type.words), as in earlier objects of the class")
      }
      // Lists of other elements are nothing special where the object is a list.
      if type.family != classes[classIndex].columns[first].type.family {
        report.note(.severalTypes, "class '\(classes[classIndex].name)', key '\(key)'")
      }
    }
    try budget.chargeName(byteCount: key.utf8.count)
    classes[classIndex].columns.append(Column(key: key, type: type, valueCount: 1, shape: shape))
    classes[classIndex].columnsOfKey[name, default: []].insert(classes[classIndex].columns.count - 1, at: 0)
    return classes[classIndex].columns.count - 1
  }

  /// Has a column take one more value, of a type; returns false if it cannot.
  private mutating func take(
    _ type: ImportedType, _ shape: ImportGuide.Shape?, _ classIndex: Int, _ column: Int
  ) -> Bool {
    let present = classes[classIndex].columns[column].type
    guard let merged = present.merged(with: type, shape: shape, allowsAny: false, hierarchy) else {
      return false
    }
    classes[classIndex].columns[column].type = merged
    classes[classIndex].columns[column].valueCount += 1
    return true
  }

  /// The type of a value. Lists in lists come of a guide alone, and are no deeper than its types.
  func type(
    of value: ImportedValue, _ shape: ImportGuide.Shape?, _ graph: ImportedGraph, _ classIndices: [Int],
    _ report: inout ImportReport
  ) throws(ImportError) -> ImportedType {
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
      if merged.family == .any, result.family != .any {
        report.note(.mixedElements, "byte \(graph.list.byteOffsets[graph.list.top])")
      }
      result = merged
    }
    return result
  }
}
