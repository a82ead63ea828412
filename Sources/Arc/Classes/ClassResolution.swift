import ArcFormat
import ArcRuntime

/// Compares a class of the program with the same class in a file: which column gives each slot its values.
/// Spec: 06-evolution, section 2.
struct ClassResolution {
  let layout: ColumnLayout
  let fileClass: ClassDescription
  let programClass: ProgramClass
  private let matching: ColumnMatching

  /// For each slot the index of the file's column, nil if there is none.
  var positions: [Int?] { matching.positions }

  /// The indices of the file's columns that slots read.
  var takenColumns: Set<Int> { matching.takenColumns }

  /// Compares with `classes[classIndex]`, whose columns are `layouts[classIndex]`; `schemaName` gives the name
  /// that a class of the file has in the program.
  init(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription], _ layouts: [ColumnLayout],
    schemaName: (String) throws -> String
  ) rethrows {
    layout = layouts[classIndex]
    self.programClass = programClass
    fileClass = classes[classIndex]
    let slots = programClass.slots
    matching = try ColumnMatching(
      ofClass: classIndex, in: classes, propertyCount: slots.count, keys: { slots[$0].property.keys },
      declaringClass: { slots[$0].declaringClass }, programName: schemaName)
  }

  /// Whether a slot without a column of its own is made of older values that the file has.
  func hasOlderColumns(ofSlot slot: Int) -> Bool {
    positions[slot] == nil
      && programClass.slots[slot].property.older.contains { matching.hasFreeColumns($0, in: fileClass) }
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
      guard property.absence != .refused || hasOlderColumns(ofSlot: slot) else {
        throw ArchiveError(
          .missingKey, found: "no column with this key",
          expected: "one of " + TypeWords.named(wanted.attributes.type),
          remedy: SchemaComparison.remedyForAbsence, className: fileClass.name, key: property.keys[0])
      }
    }
    var resolver = ColumnResolver(
      wanted: programClass.layout, file: layout, olderNames: programClass.olderNames)
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
  /// What becomes of the property where a file has no column for it. Spec: 06-evolution, rule M3.
  var absence: DeclaredClass.Absence {
    if traits.contains(.hasDefault) { return .keepsInitialValue }
    return valueType.__traits.contains(.optional) || traits.contains(.weak) ? .becomesNil : .refused
  }
}
