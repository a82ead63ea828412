import ArcFormat
import ArcMemory
import ArcRuntime

/// A class of the file while objects are built from its rows: the program's columns bound to the file's.
final class ClassReader: KeyedSource {
  let programClass: ProgramClass
  let type: any Archivable.Type
  /// Whether some class in the hierarchy inherits its `init(from:)`.
  let inheritsInitializers: Bool
  /// The hooks of the class.
  let hooks: ArchiveHooks
  /// Whether some values are stored past setters when an object is linked.
  let storesValues: Bool
  /// The first slot of the class whose `init(from:)` builds an object.
  let initializerSlot: Int
  /// Whether its objects have unowned references.
  let hasUnownedReferences: Bool
  /// The coded name in the file.
  let name: String
  /// The index in the file's class table.
  let classIndex: Int
  let set: ColumnReaderSet
  /// One column per slot.
  let columns: HandleBuffer<ColumnReader>
  /// Leads to the decoder of the archive that is read; nil where nothing is.
  private let references: Handle<ObjectLookup>?
  var archiveContext: ArchiveContext { references?.value.source?.archiveContext ?? ArchiveContext() }
  /// Leads from the slots to this reader.
  let keyedSource = Handle(KeyedSourceReference())
  /// Slots that are set in a phase, by the phase's raw value.
  private let slotsByPhase: [[Int]]
  /// Those of them of which some rows may be without a value.
  private let presenceByPhase: [[Int]]
  /// One bit per phase in which some slot, or some key, is set.
  private let linkPhases: UInt8
  /// The columns with dynamic keys; nil if the class has none.
  let keys: KeyedColumns?
  /// What `refersToObjects` found.
  private var referringTypes: [ObjectIdentifier: Bool] = [:]
  let resolution: ClassResolution?
  private let strings: StringTable
  /// The segment whose chunks were bound for a deferred object; nil for another one.
  var boundSegment: Int?

  /// A reader that finds no columns: for undoing links.
  convenience init(ofNothing programClass: ProgramClass) throws {
    try self.init(programClass, classIndex: 0, resolution: nil, references: nil, strings: StringTable())
  }

  /// The reader of objects of which somebody fills one row after another.
  convenience init(_ programClass: ProgramClass, of row: InputRow, references: Handle<ObjectLookup>) throws {
    try self.init(
      programClass, classIndex: 0, resolution: nil, references: references, strings: StringTable(),
      row: row.set)
  }

  /// The names of the properties of a class, for errors.
  static func locations(of programClass: ProgramClass, named name: String) -> [ColumnLocation] {
    programClass.slots.map { ColumnLocation(className: name, key: $0.property.keys[0]) }
  }

  /// The reader of a class of the file, or with `resolution` nil one that finds no columns but those of a
  /// `row`.
  init(
    _ programClass: ProgramClass, classIndex: Int, resolution: ClassResolution?,
    references: Handle<ObjectLookup>?, strings: StringTable, row: ColumnReaderSet? = nil
  ) throws {
    self.programClass = programClass
    self.resolution = resolution
    self.strings = strings
    type = programClass.schema.type
    hasUnownedReferences = programClass.slots.contains { $0.property.traits.contains(.unowned) }
    hooks = ArchiveHooks(of: programClass.schema.type)
    self.references = references
    storesValues = programClass.fields?.setsValues ?? false
    inheritsInitializers = programClass.inheritsInitializers
    initializerSlot = programClass.initializerSlot(0)
    self.classIndex = classIndex
    name = resolution?.fileClass.name ?? programClass.schema.name
    let layout = resolution?.wanted ?? programClass.layout
    let sources =
      try resolution?.sources() ?? Array(repeating: .missing, count: layout.nodes.count)
    set =
      row
      ?? ColumnReaderSet(
        layout, sources: sources, in: resolution?.layout,
        locations: Self.locations(of: programClass, named: name), strings: strings,
        context: references?.opaque)
    var slotsByPhase = [[Int]](repeating: [], count: DecodingPhase.allCases.count)
    var presenceByPhase = slotsByPhase
    for (index, slot) in programClass.slots.enumerated() {
      let isMissing = resolution != nil && sources[layout.roots[index]].isMissing
      let phase = isMissing ? nil : slot.phase.rawValue
      let mayBeAbsent = resolution?.slotsWithPresence.contains(index) ?? false
      set.setPhase(
        phase, isUnowned: slot.property.traits.contains(.unowned), mayBeAbsent: mayBeAbsent, of: index)
      guard let phase else { continue }
      slotsByPhase[Int(phase)].append(index)
      if mayBeAbsent { presenceByPhase[Int(phase)].append(index) }
    }
    columns = HandleBuffer(set.columns)
    self.slotsByPhase = slotsByPhase
    self.presenceByPhase = presenceByPhase
    keys = try references.flatMap { try resolution?.keyedColumns(references: $0, strings: strings) }
    let hasFilledSlots = programClass.slots.contains { $0.phase == .fill }
    let keyedPhases = DecodingPhase.link.bit | (hasFilledSlots ? DecodingPhase.fill.bit : 0)
    linkPhases = DecodingPhase.allCases.reduce(keys == nil ? 0 : keyedPhases) {
      slotsByPhase[Int($1.rawValue)].isEmpty ? $0 : $0 | $1.bit
    }
    keyedSource.value.source = self
  }

  /// Has collections leave out references to objects that a revision has not.
  func leaveOutNil() {
    leavesOutNil = true
    set.leaveOutNil()
    keys?.leavesOutNil = true
  }

  private var leavesOutNil = false

  /// Has cases and raw values left out that the program does not have.
  func leaveOutUnknown() {
    leavesOutUnknown = true
    var marks: [Int: ColumnMark] = [:]
    for (index, slot) in programClass.slots.enumerated() {
      let first = set.wantedValueNode(ofRoot: index)
      for (node, mark) in ColumnMarks.of(slot.property.valueType) { marks[first + node] = mark }
    }
    set.leaveOutUnknown(marks)
    keys?.leavesOutUnknown = true
  }

  private var leavesOutUnknown = false

  deinit {
    columns.free()
    keyedSource.free()
  }

  /// Another reader of the same class, whose columns are moved apart from those of this one.
  func copy() throws -> ClassReader {
    let copy = try ClassReader(
      programClass, classIndex: classIndex, resolution: resolution, references: references, strings: strings)
    if leavesOutNil { copy.leaveOutNil() }
    if leavesOutUnknown { copy.leaveOutUnknown() }
    copy.keys?.logsReferences = keys?.logsReferences ?? false
    copy.keys?.limits = keys?.limits ?? .default
    return copy
  }

  /// Whether `link(from:)` has something to do in a phase.
  func needsLink(in phase: DecodingPhase) -> Bool { linkPhases & phase.bit != 0 }

  /// Whether rows may be without a value for some slot that is set in a phase.
  func readsPresence(in phase: DecodingPhase) -> Bool { !presenceByPhase[Int(phase.rawValue)].isEmpty }

  /// Reads which of the slots that are set in a phase have a value in the next row; the others are not set.
  /// Spec: 06-evolution, rule M3.
  func readPresence(in phase: DecodingPhase) throws {
    for slot in presenceByPhase[Int(phase.rawValue)] { try set.readPresence(ofRoot: slot) }
  }

  /// Reads the same of the slots that are set before anything else can refer to an object.
  func readEarlyPresence() throws {
    try readPresence(in: .initializer)
    try readPresence(in: .fill)
  }

  /// Slots that are set in a phase.
  private func slots(in phase: DecodingPhase) -> [Int] { slotsByPhase[Int(phase.rawValue)] }

  /// Whether linking by key waits until all else is linked: some key holds a set or dictionary of objects.
  var defersKeys: Bool { keys?.containsHashedReferences ?? false }

  /// The slots whose values are read again when an object's hashed properties are filled.
  private(set) lazy var deferredSlots: [Int] =
    slots(in: .hash) + (defersKeys ? slots(in: .link) : [])

  /// Whether weak references are among the properties that are set in phase `link`.
  private(set) lazy var setsWeakLinks: Bool = slots(in: .link).contains { set.holdsWeakReference(ofRoot: $0) }

  /// Whether an object may refer to others when it is built: then these must be built before it. Spec:
  /// 05-graph, rule G4.
  private(set) lazy var readsReferencesEarly: Bool =
    keys != nil
    || slots(in: .initializer).contains { slot in
      set.holdsReference(ofRoot: slot) || set.holdsWeakReference(ofRoot: slot)
    }

  /// The slots that are set before anything else can refer to an object.
  private(set) lazy var earlySlots: [Int] = slots(in: .initializer) + slots(in: .fill)

  /// Whether an object may need later rows to be built: references that the program sets in `init(from:)`,
  /// and whose targets the file does not have first. A class coded by hand asks without saying so before.
  private(set) lazy var mayNeedLaterRows: Bool = slots(in: .initializer).contains { slot in
    if set.holdsWeakReference(ofRoot: slot) { return true }
    guard set.holdsReference(ofRoot: slot), let resolution, let position = resolution.positions[slot] else {
      return false
    }
    return !resolution.fileClass.columns[position].flags.contains(.construction)
  }

  /// Whether its objects, or those that it refers to, may precede all that hold them: targets of references
  /// that are needed to build an object, or that are unowned.
  private(set) lazy var mayPrecedeHolders: Bool =
    hasUnownedReferences || mayNeedLaterRows
    || resolution?.fileClass.columns.contains { $0.flags.contains(.construction) } ?? false

  /// The slot of the property that reads a column of the file; nil if none does.
  func slot(ofColumn position: Int) -> Int? { resolution?.positions.firstIndex { $0 == position } }

  /// Whether other objects may take the places of its objects.
  var mayBeReplaced: Bool { hooks.contains(.replacingAfterwards) }

  /// Whether its objects may hold others.
  var mayHoldObjects: Bool {
    keys != nil || programClass.slots.indices.contains { set.holdsReference(ofRoot: $0) }
  }

  /// Goes on to the next row without setting what a phase sets in this one.
  func skipLinks(in phase: DecodingPhase) throws {
    if phase != .link || !defersKeys {
      for slot in slots(in: phase) { try set.skip(root: slot, count: 1) }
    }
    if phase == .link {
      for slot in deferredSlots { try set.skip(root: slot, count: 1) }
    }
    keys?.row += 1
  }

  /// Whether rows of the class are visited in a phase at all.
  func isVisited(in phase: DecodingPhase) -> Bool {
    needsLink(in: phase) || (phase == .link && !deferredSlots.isEmpty)
  }

  /// Moves the columns that are read in some phases to the beginning of a segment's rows of the class.
  func bind(_ rows: RowsSegment.ClassRows, in phases: DecodingPhase...) {
    boundSegment = nil
    set.bind(rows.chunks, phases: phases.reduce(0) { $0 | $1.bit }, rowCount: rows.rowCount)
    keys?.bind(rows)
  }

  func leavesOut(
    _ error: any Error, atSlot slot: Int?, of columns: HandleBuffer<ColumnReader>
  ) -> Bool {
    guard leavesOutUnknown, (error as? ArchiveError)?.code == .unknownCase else { return false }
    guard let slot else { return true }
    return programClass.slots[self.columns.index(ofFirstIn: columns) + slot].property.absence != .refused
  }

  /// The value of the current row under a dynamic key; nil if it has none.
  func keyed<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value? {
    try keys?.value(type, key: key)
  }

  /// The error for a key without a value. Spec: 06-evolution, rule M3.
  func missingKey(_ key: String, _ type: Any.Type) -> ArchiveError {
    ArchiveError(
      .missingKey, found: "no value for the key '\(key)'", expected: "a value of type '\(type)'",
      remedy: "use decodeIfPresent(_:forKey:), or decode an optional type", className: name, key: key)
  }

  func isOpen(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, in phase: DecodingPhase, to keys: [String],
    _ types: [any ArchivableValue.Type]
  ) -> Bool {
    guard let keyed = self.keys, keys.allSatisfy(keyed.hasColumn) else { return false }
    return phase == self.phase(ofSlot: self.columns.index(ofFirstIn: columns) + slot, madeOf: types)
  }

  /// When a slot is set that is made of older values: as late as it can be, if these refer to objects.
  private func phase(ofSlot slot: Int, madeOf types: [any ArchivableValue.Type]) -> DecodingPhase {
    let (declared, property) = (programClass.slots[slot].phase, programClass.slots[slot].property)
    guard declared == .initializer || declared == .fill else { return .link }
    guard !property.traits.contains(.readOnly), property.absence != .refused else { return declared }
    return types.contains(where: refersToObjects) ? .link : declared
  }

  /// Whether values of a type refer to objects; which types do follows from their columns, made once.
  private func refersToObjects(_ type: any ArchivableValue.Type) -> Bool {
    if let known = referringTypes[ObjectIdentifier(type)] { return known }
    let refers = type.__refersToObjects
    referringTypes[ObjectIdentifier(type)] = refers
    return refers
  }

  /// Whether the current row has a value under a dynamic key.
  func hasValue(forKey key: String) throws -> Bool { keys?.hasValue(forKey: key) ?? false }

  /// The steps from a property to the value that an error of a column names by numbers.
  func steps(of error: ArchiveError) -> [ValuePath.Step] { (keys?.failedColumns ?? set).steps(of: error) }

  /// The file's column of the property that an error names by numbers, or else by its key. Nil if the file
  /// has no such column, or if several properties have the key.
  func column(of error: ArchiveError) -> Int? {
    guard keys?.failedColumns == nil, let resolution else { return nil }
    let slots = programClass.slots
    let named = slots.indices.filter { slots[$0].property.keys[0] == error.key }
    guard let slot = error.valueLocation.map({ set.layout.root(of: $0.node) }) ?? named.first,
      named.contains(slot), error.valueLocation != nil || named.count == 1
    else { return nil }
    return resolution.positions[slot]
  }

  /// The row that the reference led to which an error of a column names by numbers, before a revision left
  /// out the object there; 0 if there was none.
  func formerRow(of error: ArchiveError) -> Int { (keys?.failedColumns ?? set).formerRow(of: error) }

  func storeField(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, from column: ColumnReader, inObjectAt address: UInt
  ) throws -> Bool {
    let slot = self.columns.index(ofFirstIn: columns) + slot
    guard let fields = programClass.fields, let object = unsafe ObjectMemory.object(at: address) else {
      return false
    }
    return try unsafe object._withUnsafeGuaranteedRef { try fields.read(into: $0, slot: slot, from: column) }
  }

  func storeField<Value>(
    _ slot: Int, of columns: HandleBuffer<ColumnReader>, value: Value, inObjectAt address: UInt
  ) -> Bool {
    let slot = self.columns.index(ofFirstIn: columns) + slot
    guard let fields = programClass.fields, let object = unsafe ObjectMemory.object(at: address) else {
      return false
    }
    return unsafe object._withUnsafeGuaranteedRef { fields.store(value, slot: slot, in: $0) }
  }

  func initializerDecoder(_ columns: HandleBuffer<ColumnReader>) -> ObjectDecoder {
    let slot = programClass.initializerSlot(self.columns.index(ofFirstIn: columns))
    return ObjectDecoder(self, slot: slot, phase: .initializer)
  }
}

extension ObjectDecoder {
  /// The decoder for the class whose slots begin at `slot`.
  init(_ reader: ClassReader, slot: Int, phase: DecodingPhase) {
    self.init(
      slots: __SlotDecoder(
        columns: reader.columns.dropFirst(slot), keyedSource: reader.keyedSource, phase: phase,
        mapsSlots: phase == .initializer && reader.inheritsInitializers))
  }

  /// The decoder for linking an object in a phase, some of whose values are stored past setters.
  init(_ reader: ClassReader, linking object: AnyObject, in phase: DecodingPhase) {
    self.init(
      slots: __SlotDecoder(
        columns: reader.columns, keyedSource: reader.keyedSource, phase: phase, mapsSlots: false,
        object: reader.storesValues ? UInt(bitPattern: ObjectIdentifier(object)) : 0))
  }
}
