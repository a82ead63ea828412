import ArcFormat
import ArcRuntime

/// Compares a class of the program with the same class in a file: which column gives each slot its values.
/// Spec: 06-evolution, section 2.
struct ClassResolution {
  let layout: ColumnLayout
  let fileClass: ClassDescription
  let classIndex: Int
  let programClass: ProgramClass
  /// For each slot the index of the file's column, nil if there is none.
  let positions: [Int?]

  /// `schemaName` gives the name that a class of the file has in the program; it is asked once for each run
  /// of columns.
  init(
    _ programClass: ProgramClass, classIndex: Int, in file: ArchiveFile, schemaName: (String) throws -> String
  )
    rethrows
  {
    try self.init(
      programClass, classIndex: classIndex, of: file.classes, file.layouts, schemaName: schemaName)
  }

  /// The same for a class of a revision of a file, with its classes and their columns.
  init(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription], _ layouts: [ColumnLayout],
    schemaName: (String) throws -> String
  ) rethrows {
    layout = layouts[classIndex]
    self.programClass = programClass
    self.classIndex = classIndex
    fileClass = classes[classIndex]
    let columns = fileClass.columns
    // The columns of one class are mostly adjacent.
    var declaring: (index: Int, name: String)?
    let declaringNames = try columns.map { column in
      if let known = declaring, known.index == column.declaringClassIndex { return known.name }
      let name = try schemaName(classes[column.declaringClassIndex].name)
      declaring = (column.declaringClassIndex, name)
      return name
    }
    var positions = [Int?](repeating: nil, count: programClass.slots.count)
    var isTaken = [Bool](repeating: false, count: columns.count)
    // First the same class and key; then, for properties that moved to another level, the key alone.
    for isExact in [true, false] {
      for (slot, wanted) in programClass.slots.enumerated() where positions[slot] == nil {
        for key in wanted.property.keys where positions[slot] == nil {
          let found = columns.indices.first { index in
            columns[index].key.hasSameBytes(as: key) && !isTaken[index]
              && (!isExact || declaringNames[index].hasSameBytes(as: wanted.declaringClass))
          }
          guard let found else { continue }
          positions[slot] = found
          isTaken[found] = true
        }
      }
    }
    self.positions = positions
  }

  /// The indices of the file's columns that slots read.
  var takenColumns: Set<Int> { Set(positions.compactMap { $0 }) }

  /// Whether a slot without a column of its own is made of older values that the file has.
  func hasOlderColumns(ofSlot slot: Int) -> Bool {
    guard positions[slot] == nil else { return false }
    return programClass.slots[slot].property.older.contains(where: hasColumns)
  }

  /// Whether the file has columns with these keys that no slot reads.
  func hasColumns(_ keys: [String]) -> Bool {
    let taken = takenColumns
    return keys.allSatisfy { key in
      fileClass.columns.indices.contains {
        fileClass.columns[$0].key.hasSameBytes(as: key) && !taken.contains($0)
      }
    }
  }

  /// Finds the nodes of the file for those of a slot.
  var resolver: ColumnResolver {
    ColumnResolver(wanted: programClass.layout, file: layout, olderNames: programClass.olderNames)
  }

  /// The sources of all nodes of the layout. Throws `missingKey` or `typeMismatch`, for all properties at
  /// once. Spec: 06-evolution, rules M3 and M4.
  func sources() throws -> [ResolvedColumn] {
    var all: [ResolvedColumn] = []
    var reasons = RefusalReasons()
    for slot in programClass.slots.indices {
      if let sources = try reasons.collect({ try sources(ofSlot: slot) }) { all += sources }
    }
    try reasons.check()
    return all
  }

  /// The sources of a slot's nodes. Throws `missingKey` or `typeMismatch`. Spec: 06-evolution, rules M3 and
  /// M4.
  private func sources(ofSlot slot: Int) throws -> [ResolvedColumn] {
    let wanted = programClass.slots[slot]
    let property = wanted.property
    let position = positions[slot]
    if position == nil {
      guard property.mayBeMissing || hasOlderColumns(ofSlot: slot) else {
        throw ArchiveError(
          .missingKey, found: "no column with this key",
          expected: "one of " + TypeWords.named(wanted.attributes.type),
          remedy: "give the property an initial value, or its old name with @Key", className: fileClass.name,
          key: property.keys[0])
      }
    }
    var resolver = resolver
    guard let sources = resolver.resolve(root: slot, fileRoot: position) else {
      let column = position.map { fileClass.columns[$0] }
      let isKeyed = column?.flags.contains(.keyed) ?? false
      throw ArchiveError(
        .typeMismatch,
        found: TypeWords.named(column?.attributes.type)
          + resolver.failure + (isKeyed ? " of a hand-written coder, which may leave values out" : ""),
        expected: TypeWords.named(wanted.attributes.type) + " or one that it can hold without loss",
        remedy: isKeyed ? "declare the property optional" : nil, className: fileClass.name,
        key: property.keys[0])
    }
    return sources
  }
}

extension PropertySchema {
  /// Whether the property is nil where a file has no column for it, unless it has an initial value.
  var isNilWhereMissing: Bool { valueType.__traits.contains(.optional) || traits.contains(.weak) }

  /// Whether a file need not have a column for the property. Spec: 06-evolution, rule M3.
  var mayBeMissing: Bool { traits.contains(.hasDefault) || isNilWhereMissing }
}
