/// A class of the file while objects are built from its rows: the program's columns bound to the file's.
@usableFromInline final class ClassReader {
  let shape: ClassShape
  /// The coded name in the file.
  let name: String
  /// Index in the file's class table.
  let classIndex: Int
  /// What `link(from:)` is called for.
  @usableFromInline var phase = LinkPhase.initializer
  /// The links that `link(from:)` cuts in phase `cut`.
  var cutPhases: [LinkPhase] = []
  let set: ColumnReaderSet
  @usableFromInline let columns: [ColumnReader]
  /// Slots that are set in a phase.
  let slotsByPhase: [LinkPhase: [Int]]
  /// Columns with dynamic keys.
  let keys: KeyedColumns?
  /// The segment whose chunks were bound for a deferred object.
  var boundSegment: Int?

  /// The reader of a class of the file, or with `file` nil one that finds nothing: for cutting links.
  init(_ shape: ClassShape, classIndex: Int, plan: ClassPlan?, graph: GraphDecoder?, strings: StringTable)
    throws
  {
    self.shape = shape
    self.classIndex = classIndex
    name = plan?.fileClass.name ?? shape.schema.name
    let sources = try plan?.sources() ?? Array(repeating: .missing, count: shape.layout.nodes.count)
    let places = shape.slots.map { [name] in ColumnPlace(className: name, key: $0.property.keys[0]) }
    set = unsafe ColumnReaderSet(
      shape.layout, sources: sources, places: places, strings: strings,
      context: graph.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    var slotsByPhase: [LinkPhase: [Int]] = [:]
    for (index, slot) in shape.slots.enumerated() {
      let isMissing = plan != nil && sources[shape.layout.roots[index]].isMissing
      let phase = isMissing ? .missing : slot.phase
      set.setPhase(phase.rawValue, isUnowned: slot.property.traits.contains(.unowned), of: index)
      slotsByPhase[phase, default: []].append(index)
    }
    columns = Array(set.columns)
    self.slotsByPhase = slotsByPhase
    keys = try graph.flatMap { try plan?.keyedColumns(graph: $0, strings: strings) }
  }

  /// The column of a slot; throws for a slot that the class does not have.
  @usableFromInline func column(_ slot: Int) throws -> ColumnReader {
    guard slot < columns.count else {
      throw ArchiveError(
        .notArchivable, found: "property \(slot) of \(columns.count)",
        remedy: "call super with the decoder that init(from:) or link(from:) got", className: name)
    }
    return columns[slot]
  }

  /// What a property holds until it is linked, or if the file lacks an optional.
  @usableFromInline func emptyValue<Value: ArchivableValue>(of column: ColumnReader) throws -> Value {
    if let empty = Value.__emptyValue { return empty }
    throw column.__error(.missingKey, found: "no column", expected: "a value of type \(Value.self)")
  }

  /// Whether a link of that column is cut to let go of a graph.
  @usableFromInline func isCut(_ column: ColumnReader) -> Bool {
    cutPhases.contains { $0.rawValue == column.__phase }
  }

  /// Whether `link(from:)` has something to do in a phase.
  func needsLink(in phase: LinkPhase) -> Bool {
    slotsByPhase[phase] != nil || (phase == .link && keys != nil)
  }

  /// Whether linking by key waits until all else is linked: some key holds a set or dictionary of objects.
  var defersKeys: Bool { keys?.hashesReferences ?? false }

  /// The slots whose values are read again when an object's hashed properties are filled.
  private(set) lazy var deferredSlots: [Int] =
    (slotsByPhase[.hash] ?? []) + (defersKeys ? slotsByPhase[.link] ?? [] : [])

  /// Whether rows of the class are looked at in a phase at all.
  func isVisited(in phase: LinkPhase) -> Bool {
    needsLink(in: phase) || (phase == .link && !deferredSlots.isEmpty)
  }

  /// Puts all columns at the beginning of a segment's rows of the class.
  func bind(_ rows: RowsSegment.ClassRows) {
    boundSegment = nil
    set.bind(rows.chunks)
    keys?.bind(rows)
  }

  /// The value of the row in hand under a dynamic key.
  func keyed<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value? {
    try keys?.value(type, key: key)
  }

  /// Whether the row in hand has a value under a dynamic key.
  func hasValue(forKey key: String) throws -> Bool { keys?.hasValue(forKey: key) ?? false }
}
