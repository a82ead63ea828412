import ArcArchive
import ArcFormat
import ArcRuntime

/// Compares a class of the program with the same class in a file: which column gives each slot its values.
/// Spec: 06-evolution, section 2.
struct ClassResolution {
  /// The file's columns.
  let layout: ColumnLayout
  /// The program's columns as they are read: those of its class, with presence in front of a slot that keeps
  /// its initial value, or is nil, in rows without one.
  let wanted: ColumnLayout
  /// The slots that may have a value in some rows and none in others: a keyed column has their values. Spec:
  /// 06-evolution, rule M3.
  let slotsWithPresence: Set<Int>
  let fileClass: ClassDescription
  let programClass: ProgramClass
  private let matching: ColumnMatching

  /// For each slot the index of the file's column, nil if there is none.
  var positions: [Int?] { matching.positions }

  /// The indices of the file's columns that slots read.
  var takenColumns: Set<Int> { matching.takenColumns }

  /// Compares with `classes[classIndex]` which columns slots read, without looking at their types.
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

  /// Compares with `classes[classIndex]`, whose columns are `layouts[classIndex]`; `schemaName` gives the
  /// name that a class of the file has in the program. Properties that keep their initial values where the
  /// program does not know the file's are in `slotsWithPresence` too if `leavesOutUnknown`.
  init(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription], _ layouts: [ColumnLayout],
    leavesOutUnknown: Bool = false, schemaName: (String) throws -> String
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
            // That a value is nil and that there is none are two things, also for an optional.
            columns[position].flags.contains(.keyed)
              || leavesOutUnknown && slots[slot].property.absence == .keepsInitialValue
                && programClass.layout.nodes[slots[slot].root].kind != .optional
                && programClass.mayBeUnknown(slot)
          } ?? false
      })
    wanted =
      slotsWithPresence.isEmpty
      ? programClass.readLayout : try ProgramClass.readLayout(of: slots, presentIn: slotsWithPresence)
  }

  /// Whether a slot without a column of its own is made of older values that the file has.
  func hasOlderColumns(ofSlot slot: Int) -> Bool {
    positions[slot] == nil
      && programClass.slots[slot].property.older.contains { matching.hasFreeColumns($0, in: fileClass) }
  }

  /// The indices of the file's columns that a slot is read from: its own, or those of older values.
  func columns(ofSlot slot: Int) -> Set<Int> {
    if let position = positions[slot] { return [position] }
    return matching.olderColumns(in: fileClass) {
      $0 == slot ? programClass.slots[slot].property.older : []
    }
  }

  /// The indices of the file's columns that no slot reads and whose keys may be asked for: of a class coded
  /// by hand all, else those of older values that properties are made of.
  var columnsAskedFor: Set<Int> {
    if programClass.isKeyed { return Set(fileClass.columns.indices).subtracting(takenColumns) }
    return matching.olderColumns(in: fileClass) { programClass.slots[$0].property.older }
  }

  /// The columns in which rows may have the value of a slot; of those in which a row has one, the first
  /// counts.
  func alternatives(ofSlot slot: Int) -> [[Int]] {
    let property = programClass.slots[slot].property
    return matching.alternatives(
      ofProperty: slot, keys: property.keys, older: property.older, in: fileClass)
  }

  /// What the program calls fields and cases in the columns that properties read, by their indices, where it
  /// has other names than the file.
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

  /// What becomes of each column of the file when its rows are read as objects of the program's class.
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

  /// The properties that the program converts from columns with older keys.
  var conversions: [ReadArchive.Conversion] {
    programClass.slots.indices.compactMap { slot in
      let older = alternatives(ofSlot: slot).filter { !haveOwnKey($0, ofSlot: slot) }
      return older.isEmpty ? nil : ReadArchive.Conversion(columnUse(ofSlot: slot), from: Set(older.joined()))
    }
  }

  /// The use of a column that a slot reads.
  private func columnUse(ofSlot slot: Int) -> ReadArchive.ColumnUse {
    let declared = programClass.slots[slot]
    return .read(key: declared.property.keys[0], declaringClass: declared.declaringClass)
  }

  /// Whether columns are a single one with a key of a property, and not several of which the property is
  /// made.
  private func haveOwnKey(_ columns: [Int], ofSlot slot: Int) -> Bool {
    guard columns.count == 1, let column = columns.first else { return false }
    let key = fileClass.columns[column].key
    return programClass.slots[slot].property.keys.contains { $0.hasSameBytes(as: key) }
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
      let isKeyed = column?.flags.contains(.keyed) ?? false
      throw ArchiveError(
        .typeMismatch,
        found: TypeWords.named(column?.attributes.type)
          + resolver.failure + (isKeyed ? " of a hand-written coder, which may omit values" : ""),
        expected: TypeWords.named(declared.attributes.type) + " or a type that it can hold without loss",
        remedy: isKeyed
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
  /// Whether a property has cases or raw values, of which a file may have others.
  fileprivate func mayBeUnknown(_ slot: Int) -> Bool {
    layout.nodes(ofRoot: slot).contains { layout.nodes[$0].kind == .enumeration }
      || !ColumnMarks.of(slots[slot].property.valueType).isEmpty
  }
}

extension PropertySchema {
  /// What becomes of the property where a file has no column for it. Spec: 06-evolution, rule M3.
  var absence: DeclaredClass.Absence {
    if traits.contains(.hasDefault) { return .keepsInitialValue }
    return valueType.__traits.contains(.optional) || traits.contains(.weak) ? .becomesNil : .refused
  }
}
