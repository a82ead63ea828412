import ArcArchive
import ArcFormat
import ArcRuntime

/// The result of comparing a class of the program with the corresponding class in a file. A slot is the
/// number of a property; the result states from which column each slot gets its values. Spec: 06-evolution,
/// section 2.
struct ClassResolution {
  /// The layout of the file's columns.
  let layout: ColumnLayout
  /// The layout with which the program reads the columns. It is the layout of the program's class, but slots
  /// in `slotsWithPresence` have a presence node, which states for each row whether it has a value.
  let wanted: ColumnLayout
  /// The slots that have no value in some rows. In such rows, the property keeps its initial value or becomes
  /// nil. Spec: 06-evolution, rule M3.
  let slotsWithPresence: Set<Int>
  let fileClass: ClassDescription
  let programClass: ProgramClass
  private let matching: ColumnMatching

  /// For each slot, the index of its column in the file. Nil if the file has no such column.
  var positions: [Int?] { matching.positions }

  /// The indices of the file's columns that slots read.
  var readColumns: Set<Int> { matching.readColumns }

  /// Determines which columns of `classes[classIndex]` the slots read. Does not compare types.
  init(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription],
    schemaName: (String) throws -> String
  ) throws {
    self.programClass = programClass
    fileClass = classes[classIndex]
    (layout, wanted, slotsWithPresence) = (ColumnLayout(), ColumnLayout(), [])
    let slots = programClass.slots
    matching = try ColumnMatching(
      ofClass: classIndex, in: classes, propertyCount: slots.count, keys: { slots[$0].property.keys },
      declaringClass: { slots[$0].declaringClass }, programName: schemaName)
  }

  /// Compares the program's class with `classes[classIndex]`, whose layout is `layouts[classIndex]`.
  /// `schemaName` returns the name that a class of the file has in the program. If `omitsUnknown` is true, an
  /// unknown case or raw value counts as a missing value. Then `slotsWithPresence` also contains each slot
  /// whose property keeps its initial value in this case.
  init(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription], _ layouts: [ColumnLayout],
    omitsUnknown: Bool = false, schemaName: (String) throws -> String
  ) throws {
    layout = layouts[classIndex]
    self.programClass = programClass
    fileClass = classes[classIndex]
    let slots = programClass.slots
    matching = try ColumnMatching(
      ofClass: classIndex, in: classes, propertyCount: slots.count, keys: { slots[$0].property.keys },
      declaringClass: { slots[$0].declaringClass }, programName: schemaName)
    let columns = fileClass.columns
    let positions = matching.positions
    slotsWithPresence = Set(
      slots.indices.filter { slot in
        slots[slot].property.absence != .refused
          && positions[slot].map { position in
            // A value that is nil differs from a missing value. This also applies to optionals.
            columns[position].flags.contains(.keyed)
              || omitsUnknown && slots[slot].property.absence == .keepsInitialValue
                && programClass.layout.nodes[slots[slot].root].kind != .optional
                && programClass.mayBeUnknown(slot)
          } ?? false
      })
    wanted =
      slotsWithPresence.isEmpty
      ? programClass.readLayout : try ProgramClass.readLayout(of: slots, presentIn: slotsWithPresence)
  }

  /// Whether the file has no column for a slot, but has the columns of older properties whose values are
  /// converted for the slot.
  func hasOlderColumns(ofSlot slot: Int) -> Bool {
    positions[slot] == nil
      && programClass.slots[slot].property.older.contains { matching.hasFreeColumns($0, in: fileClass) }
  }

  /// Returns the indices of the file's columns from which a slot is read: its own column, or the columns of
  /// the older values that are converted to its value.
  func columns(ofSlot slot: Int) -> Set<Int> {
    if let position = positions[slot] { return [position] }
    return matching.olderColumns(in: fileClass) {
      $0 == slot ? programClass.slots[slot].property.older : []
    }
  }

  /// The indices of the file's columns that no slot reads, but that code of the program may request by key.
  /// If the class is hand-written, these are all columns that no slot reads. Otherwise, these are the columns
  /// of older values from which properties are converted.
  var requestableColumns: Set<Int> {
    if programClass.isKeyed { return Set(fileClass.columns.indices).subtracting(readColumns) }
    return matching.olderColumns(in: fileClass) { programClass.slots[$0].property.older }
  }

  /// Returns the groups of columns from which a slot can be read, in order of precedence. A row is read from
  /// the first group in which all columns have a value for the row.
  func alternatives(ofSlot slot: Int) -> [[Int]] {
    let property = programClass.slots[slot].property
    return matching.alternatives(
      ofProperty: slot, keys: property.keys, older: property.older, in: fileClass)
  }

  /// The program's names for fields and cases in the columns that properties read, by column index. Contains
  /// only columns in which the names of the program and the file differ.
  var names: [Int: CurrentNames] {
    if programClass.olderNames.isEmpty { return [:] }
    var found: [Int: CurrentNames] = [:]
    for (slot, position) in positions.enumerated() {
      guard let position, let wanted = programClass.slots[slot].attributes.type else { continue }
      let keys = programClass.slots[slot].property.keys
      for column in [position] + alternatives(ofSlot: slot).dropFirst().joined() {
        let stored = fileClass.columns[column]
        guard found[column] == nil, stored.attributes.type != nil,
          column == position || keys.contains(where: { $0.hasSameBytes(as: stored.key) })
        else { continue }
        let names = CurrentNames(stored.attributes, as: wanted, olderNames: programClass.olderNames)
        if names.isChanged { found[column] = names }
      }
    }
    return found
  }

  /// For each column of the file, its use when the rows are read as objects of the program's class.
  var columnUses: [ReadArchive.ColumnUse] {
    var uses = [ReadArchive.ColumnUse](repeating: .unread, count: fileClass.columns.count)
    for (slot, position) in positions.enumerated() {
      guard let position else { continue }
      let use = columnUse(ofSlot: slot)
      uses[position] = use
      for columns in alternatives(ofSlot: slot).dropFirst() {
        let isOwn = haveOwnKey(columns, ofSlot: slot)
        for column in columns where uses[column] == .unread { uses[column] = isOwn ? use : .replaced }
      }
    }
    for column in matching.olderColumns(in: fileClass, older: { programClass.slots[$0].property.older })
    where uses[column] == .unread { uses[column] = .replaced }
    return uses
  }

  /// The properties whose values the program converts from columns of older properties.
  var conversions: [ReadArchive.Conversion] {
    programClass.slots.indices.compactMap { slot in
      let older = alternatives(ofSlot: slot).filter { !haveOwnKey($0, ofSlot: slot) }
      return older.isEmpty ? nil : ReadArchive.Conversion(columnUse(ofSlot: slot), from: Set(older.joined()))
    }
  }

  /// Returns the use of a column that a slot reads.
  private func columnUse(ofSlot slot: Int) -> ReadArchive.ColumnUse {
    let declared = programClass.slots[slot]
    return .read(key: declared.property.keys[0], declaringClass: declared.declaringClass)
  }

  /// Whether `columns` is a single column that has a key of the property itself. False if the property is
  /// converted from `columns`.
  private func haveOwnKey(_ columns: [Int], ofSlot slot: Int) -> Bool {
    guard columns.count == 1, let column = columns.first else { return false }
    let key = fileClass.columns[column].key
    return programClass.slots[slot].property.keys.contains { $0.hasSameBytes(as: key) }
  }

  /// Returns the source in the file for each node of the layout. Throws a `missingKey` or `typeMismatch`
  /// error that contains the reasons of all properties. Spec: 06-evolution, rules M3 and M4.
  func sources() throws -> [ResolvedColumn] {
    var all: [ResolvedColumn] = []
    var reasons = RefusalReasons()
    for slot in programClass.slots.indices {
      if let sources = try reasons.collect({ try sources(ofSlot: slot) }) { all += sources }
    }
    try reasons.check()
    return all
  }

  /// Returns the source in the file for each node of a slot. Throws `missingKey` or `typeMismatch`. Spec:
  /// 06-evolution, rules M3 and M4.
  private func sources(ofSlot slot: Int) throws -> [ResolvedColumn] {
    let declared = programClass.slots[slot]
    let property = declared.property
    let position = positions[slot]
    if position == nil {
      guard property.absence != .refused || hasOlderColumns(ofSlot: slot) else {
        throw ArchiveError(
          .missingKey, found: "no value for the property '\(property.keys[0])' in the file",
          expected: "a value of " + TypeWords.named(declared.attributes.type),
          remedy: property.traits.contains(.wrapped)
            ? "write the initial value in the declaration, because Arc does not see the one of the property wrapper, "
              + "or give the property its old name with @Key"
            : SchemaComparison.remedyForAbsence, className: fileClass.name, key: property.keys[0])
      }
    }
    var resolver = ColumnResolver(
      wanted: wanted, file: layout, olderNames: programClass.olderNames, hasInitialValues: true)
    guard let sources = resolver.resolve(root: slot, fileRoot: position) else {
      let column = position.map { fileClass.columns[$0] }
      // A property with an initial value or an optional type may have no value in some rows.
      let mayLack = (column?.flags.contains(.keyed) ?? false) && !slotsWithPresence.contains(slot)
      throw ArchiveError(
        .typeMismatch,
        found: TypeWords.named(column?.attributes.type)
          + resolver.failure + (mayLack ? ", which objects need not have" : ""),
        expected: TypeWords.named(declared.attributes.type) + " or a type that it can hold without loss",
        remedy: mayLack
          ? "declare the property optional"
          : "give the property another key, and convert the old value: "
            + "@Key(\"newKey\") @Key(\"\(column?.key ?? property.keys[0])\", from: OldType.self, { … })",
        className: fileClass.name,
        key: property.keys[0])
    }
    return sources
  }
}

extension ProgramClass {
  /// Whether the values of a property may contain cases or raw values. Then a file may contain cases or raw
  /// values that the program does not know.
  fileprivate func mayBeUnknown(_ slot: Int) -> Bool {
    layout.nodes(ofRoot: slot).contains { layout.nodes[$0].kind == .enumeration }
      || !ColumnMarks.of(slots[slot].property.valueType).isEmpty
  }
}

extension PropertySchema {
  /// The effect on the property if a file has no column for it. Spec: 06-evolution, rule M3.
  var absence: DeclaredClass.Absence {
    if traits.contains(.hasDefault) { return .keepsInitialValue }
    return valueType.__traits.contains(.optional) || traits.contains(.weak) ? .becomesNil : .refused
  }
}
