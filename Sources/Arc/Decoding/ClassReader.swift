import ArcFormat
import ArcMemory
import ArcRuntime

/// Reads the rows of one class of the file as objects of the program's class. The reader has the columns of
/// the program's class, bound to the columns of the file.
final class ClassReader: KeyedSource {
  let programClass: ProgramClass
  let type: any Archivable.Type
  /// Whether some class in the hierarchy inherits its `init(from:)`.
  let inheritsInitializers: Bool
  let hooks: ArchiveHooks
  /// Whether some values are stored directly in the memory of an object when it is linked, without calling
  /// setters.
  let storesValues: Bool
  /// The first slot of the class whose `init(from:)` builds the objects: the class itself, or the superclass
  /// from which it inherits the initializer.
  let initializerSlot: Int
  /// Whether objects of the class have unowned references.
  let hasUnownedReferences: Bool
  /// The coded name of the class in the file.
  let name: String
  /// The index of the class in the file's class table.
  let classIndex: Int
  let set: ColumnReaderSet
  /// One column per slot.
  let columns: HandleBuffer<ColumnReader>
  /// The objects and the decoder of the archive that is read. Nil if no archive is read.
  private let references: Handle<ObjectLookup>?
  var archiveContext: ArchiveContext { references?.value.source?.archiveContext ?? ArchiveContext() }
  /// The reference to this reader that slot decoders use.
  let keyedSource = Handle(KeyedSourceReference())
  /// For each phase, the slots that are set in it. The index is the raw value of the phase.
  private let slotsByPhase: [[Int]]
  /// For each phase, the slots that may have no value in some rows. The index is the raw value of the phase.
  private let presenceByPhase: [[Int]]
  /// The phases in which slots or keys are set, as one bit per phase.
  private let linkPhases: UInt8
  /// The columns that are read by key. Nil if the class has no such columns.
  let keys: KeyedColumns?
  /// The cached results of `refersToObjects`, by type.
  private var referringTypes: [ObjectIdentifier: Bool] = [:]
  let resolution: ClassResolution?
  private let strings: StringTable
  /// If the columns are bound to read a deferred object: the index of its segment. Nil if they are bound for
  /// another purpose.
  var boundSegment: Int?

  /// Creates a reader that is not bound to a file. Unlinking an object uses such a reader to reset its
  /// references.
  convenience init(withoutFile programClass: ProgramClass) throws {
    try self.init(programClass, classIndex: 0, resolution: nil, references: nil, strings: StringTable())
  }

  /// Creates a reader of `row`. Code that reads another format fills this row repeatedly, once per object.
  convenience init(_ programClass: ProgramClass, of row: InputRow, references: Handle<ObjectLookup>) throws {
    try self.init(
      programClass, classIndex: 0, resolution: nil, references: references, strings: StringTable(),
      row: row.set)
  }

  /// Returns the class and the key of each slot, for errors. `name` is the name of the class.
  static func locations(of programClass: ProgramClass, named name: String) -> [ColumnLocation] {
    programClass.slots.map { ColumnLocation(className: name, key: $0.property.keys[0]) }
  }

  /// Creates a reader. If `resolution` is not nil, the reader reads a class of the file. If it is nil, the
  /// reader has only the columns of `row`, if any.
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

  /// Makes collections omit references to objects that were omitted from the rows, for example by a
  /// migration. This applies to collections whose elements cannot be nil.
  func omitNilReferences() {
    omitsNilReferences = true
    set.omitNilReferences()
    keys?.omitsNilReferences = true
  }

  private var omitsNilReferences = false

  /// Makes the columns omit values whose case or raw value the program does not have.
  func omitUnknown() {
    omitsUnknown = true
    var marks: [Int: ColumnMark] = [:]
    for (index, slot) in programClass.slots.enumerated() {
      let first = set.wantedValueNode(ofRoot: index)
      for (node, mark) in ColumnMarks.of(slot.property.valueType) { marks[first + node] = mark }
    }
    set.omitUnknown(marks)
    keys?.omitsUnknown = true
  }

  private var omitsUnknown = false

  deinit {
    columns.free()
    keyedSource.free()
  }

  /// Creates another reader of the same class. Its columns are positioned independently of the columns of
  /// this reader.
  func copy() throws -> ClassReader {
    let copy = try ClassReader(
      programClass, classIndex: classIndex, resolution: resolution, references: references, strings: strings)
    if omitsNilReferences { copy.omitNilReferences() }
    if omitsUnknown { copy.omitUnknown() }
    copy.keys?.logsReferences = keys?.logsReferences ?? false
    copy.keys?.limits = keys?.limits ?? .default
    return copy
  }

  /// Whether `link(from:)` sets values in a phase.
  func needsLink(in phase: DecodingPhase) -> Bool { linkPhases & phase.bit != 0 }

  /// Whether some rows may have no value for a slot that is set in a phase.
  func readsPresence(in phase: DecodingPhase) -> Bool { !presenceByPhase[Int(phase.rawValue)].isEmpty }

  /// Reads which slots of a phase have a value in the next row. Slots without a value are not set. Spec:
  /// 06-evolution, rule M3.
  func readPresence(in phase: DecodingPhase) throws {
    for slot in presenceByPhase[Int(phase.rawValue)] { try set.readPresence(ofRoot: slot) }
  }

  /// Reads which slots of the phases `initializer` and `fill` have a value in the next row.
  func readEarlyPresence() throws {
    try readPresence(in: .initializer)
    try readPresence(in: .fill)
  }

  private func slots(in phase: DecodingPhase) -> [Int] { slotsByPhase[Int(phase.rawValue)] }

  /// Whether the values that are read by key are set after all other links, because a column contains a set
  /// or dictionary whose keys refer to objects.
  var defersKeys: Bool { keys?.containsHashedReferences ?? false }

  /// The slots of the properties that are set after all links, because setting them hashes other objects. In
  /// phase `link`, the values of these slots are skipped.
  private(set) lazy var deferredSlots: [Int] =
    slots(in: .hash) + (defersKeys ? slots(in: .link) : [])

  /// Whether phase `link` sets properties with weak references.
  private(set) lazy var setsWeakLinks: Bool = slots(in: .link).contains { set.holdsWeakReference(ofRoot: $0) }

  /// Whether an object may refer to other objects when it is built. These other objects must be built before
  /// the object. Spec: 05-graph, rule G4.
  private(set) lazy var readsReferencesEarly: Bool =
    keys != nil
    || slots(in: .initializer).contains { slot in
      set.holdsReference(ofRoot: slot) || set.holdsWeakReference(ofRoot: slot)
    }

  /// The slots that are set before other objects can refer to the object.
  private(set) lazy var earlySlots: [Int] = slots(in: .initializer) + slots(in: .fill)

  /// Whether an object may need objects of later rows when it is built. This is the case if `init(from:)`
  /// sets a weak reference, or a reference that the file does not mark as a construction reference. Only the
  /// target of a construction reference precedes the object. References that a hand-written class reads by
  /// key are not considered, because its keys are not known in advance.
  private(set) lazy var mayNeedLaterRows: Bool = slots(in: .initializer).contains { slot in
    if set.holdsWeakReference(ofRoot: slot) { return true }
    guard set.holdsReference(ofRoot: slot), let resolution, let position = resolution.positions[slot] else {
      return false
    }
    return !resolution.fileClass.columns[position].flags.contains(.construction)
  }

  /// Whether an object of the class, or an object to which it refers, may have an earlier row than every
  /// object that retains it. The targets of construction references and of unowned references may have such a
  /// row.
  private(set) lazy var mayPrecedeHolders: Bool =
    hasUnownedReferences || mayNeedLaterRows
    || resolution?.fileClass.columns.contains { $0.flags.contains(.construction) } ?? false

  /// Returns the slot of the property that reads a column of the file. Nil if no property reads the column.
  func slot(ofColumn position: Int) -> Int? { resolution?.positions.firstIndex { $0 == position } }

  /// Whether objects of the class may be replaced after they are built.
  var mayBeReplaced: Bool { hooks.contains(.replacingAfterwards) }

  /// Whether objects of the class may have references that retain other objects.
  var mayHoldObjects: Bool {
    keys != nil || programClass.slots.indices.contains { set.holdsReference(ofRoot: $0) }
  }

  /// Skips the values of the current row that a phase sets, and advances to the next row.
  func skipLinks(in phase: DecodingPhase) throws {
    if phase != .link || !defersKeys {
      for slot in slots(in: phase) { try set.skip(root: slot, count: 1) }
    }
    if phase == .link {
      for slot in deferredSlots { try set.skip(root: slot, count: 1) }
    }
    keys?.row += 1
  }

  /// Whether the rows of the class are visited in a phase.
  func isVisited(in phase: DecodingPhase) -> Bool {
    needsLink(in: phase) || (phase == .link && !deferredSlots.isEmpty)
  }

  /// Binds the columns that are read in `phases` to the rows of the class in a segment, at the first row.
  func bind(_ rows: RowsSegment.ClassRows, in phases: DecodingPhase...) {
    boundSegment = nil
    set.bind(rows.chunks, phases: phases.reduce(0) { $0 | $1.bit }, rowCount: rows.rowCount)
    keys?.bind(rows)
  }

  func omits(
    _ error: any Error, atSlot slot: Int?, of columns: HandleBuffer<ColumnReader>
  ) -> Bool {
    guard omitsUnknown, (error as? ArchiveError)?.code == .unknownCase else { return false }
    guard let slot else { return true }
    return programClass.slots[self.columns.index(ofFirstIn: columns) + slot].property.absence != .refused
  }

  /// Returns the value of the current row for a dynamic key. Nil if the row has no value for the key.
  func keyed<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value? {
    try keys?.value(type, key: key)
  }

  /// Returns the error for a key without a value. Spec: 06-evolution, rule M3.
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
    return phase == self.phase(ofSlot: self.columns.index(ofFirstIn: columns) + slot, convertedFrom: types)
  }

  /// Returns the phase in which a slot is set if its value is converted from older values. `types` are the
  /// types of these values. If they refer to objects, the phase is `link`, unless the property must be set
  /// earlier.
  private func phase(ofSlot slot: Int, convertedFrom types: [any ArchivableValue.Type]) -> DecodingPhase {
    let (declared, property) = (programClass.slots[slot].phase, programClass.slots[slot].property)
    guard declared == .initializer || declared == .fill else { return .link }
    guard !property.traits.contains(.readOnly), property.absence != .refused else { return declared }
    return types.contains(where: refersToObjects) ? .link : declared
  }

  /// Whether values of a type may refer to objects. The result is cached, because finding it requires the
  /// layout of the type's columns.
  private func refersToObjects(_ type: any ArchivableValue.Type) -> Bool {
    if let known = referringTypes[ObjectIdentifier(type)] { return known }
    let refers = type.__refersToObjects
    referringTypes[ObjectIdentifier(type)] = refers
    return refers
  }

  /// Whether the current row has a value for a dynamic key.
  func hasValue(forKey key: String) throws -> Bool { keys?.hasValue(forKey: key) ?? false }

  /// Returns the steps from the object's property to the value inside the property at which an error
  /// occurred.
  func steps(of error: ArchiveError) -> [ValuePath.Step] { (keys?.failedColumns ?? set).steps(of: error) }

  /// Returns the index of the file's column in which an error occurred. The column is found by the location
  /// of the value in the error or, if there is no location, by the key in the error. Nil if the file has no
  /// such column, or if several properties have the key.
  func column(of error: ArchiveError) -> Int? {
    guard keys?.failedColumns == nil, let resolution else { return nil }
    let slots = programClass.slots
    let named = slots.indices.filter { slots[$0].property.keys[0] == error.key }
    guard let slot = error.valueLocation.map({ set.layout.root(of: $0.node) }) ?? named.first,
      named.contains(slot), error.valueLocation != nil || named.count == 1
    else { return nil }
    return resolution.positions[slot]
  }

  /// Returns the target of the reference at which an error occurred, if the reader omitted this target. The
  /// result is the row of the target in the file. 0 if the error has no such cause.
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
  /// Creates the decoder for the class whose slots begin at `slot`.
  init(_ reader: ClassReader, slot: Int, phase: DecodingPhase) {
    self.init(
      slots: __SlotDecoder(
        columns: reader.columns.dropFirst(slot), keyedSource: reader.keyedSource, phase: phase,
        mapsSlots: phase == .initializer && reader.inheritsInitializers))
  }

  /// Creates the decoder for linking an object in a phase. If some values are stored without calling setters,
  /// the decoder has the address of the object.
  init(_ reader: ClassReader, linking object: AnyObject, in phase: DecodingPhase) {
    self.init(
      slots: __SlotDecoder(
        columns: reader.columns, keyedSource: reader.keyedSource, phase: phase, mapsSlots: false,
        object: reader.storesValues ? UInt(bitPattern: ObjectIdentifier(object)) : 0))
  }
}
