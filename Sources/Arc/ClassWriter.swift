/// A class while its rows are written.
@safe @usableFromInline final class ClassWriter {
  let shape: ClassShape
  let type: any Archivable.Type
  /// Whether objects encode by keys of their own choice.
  let isKeyed: Bool
  let slotCount: Int
  /// The coded name.
  let name: String
  /// Its index in the class table.
  let index: Int
  /// The index of the first class that was added with it: of a superclass, or its own.
  let firstIndex: Int
  /// Whether the archive in hand has met an object of the class.
  var isMet = true
  unowned let graph: GraphEncoder
  /// The columns of the class in the file, and columns of the same kind that go nowhere.
  let set: ColumnWriterSet
  private(set) lazy var scratch = unsafe graph.archive.scratchColumnSet(ofClass: index)
  /// One column per slot.
  let columns: UnsafeMutablePointer<ColumnWriter?>
  /// Columns for the calls of `encode(to:)` that write nothing; made when they are needed.
  private var collectingColumns: UnsafeMutablePointer<ColumnWriter?>?
  private var walkingColumns: UnsafeMutablePointer<ColumnWriter?>?
  /// Columns with dynamic keys: position in the class by what they were encoded as.
  var keyedColumns: [KeyedColumn: Int] = [:]
  /// The last row that has a value for a key.
  var lastRows: [ExactName: Int] = [:]
  let visitsConstructionReferences: Bool

  /// A key, and the type under which values are encoded for it.
  struct KeyedColumn: Hashable {
    let key: ExactName
    let type: ObjectIdentifier
    let flags: ColumnDescription.Flags
    let isWeak: Bool
  }

  init(shape: ClassShape, indices: ClosedRange<Int>, graph: GraphEncoder) {
    self.shape = shape
    type = shape.schema.type
    isKeyed = shape.isKeyed
    slotCount = shape.slots.count
    firstIndex = indices.lowerBound
    index = indices.upperBound
    self.graph = graph
    name = shape.schema.name
    set = unsafe graph.archive.columnSet(ofClass: index)
    visitsConstructionReferences = shape.hasConstructionReferences
    unsafe columns = .allocate(capacity: max(shape.slots.count, 1))
    for (index, slot) in shape.slots.enumerated() {
      let column = set.column(index)
      if slot.holdsStoredReferences, SoleReference.word != 0 { column.expectSoleReferences() }
      if slot.isConstruction { set.markAsConstruction(index) }
      unsafe (columns + index).initialize(to: column)
    }
  }

  deinit {
    unsafe columns.deallocate()
    unsafe collectingColumns?.deallocate()
    unsafe walkingColumns?.deallocate()
  }

  /// One column per slot for a call that discovers objects and writes nothing; nil where nothing is to be encoded.
  func columns(in mode: GraphEncoder.Mode) -> UnsafeMutablePointer<ColumnWriter?> {
    switch mode {
    case .writing, .ordering: return unsafe columns
    case .collecting:
      if unsafe collectingColumns == nil {
        unsafe collectingColumns = unsafe makeColumns { $0.isConstruction }
      }
      return unsafe collectingColumns ?? columns
    case .walking:
      if unsafe walkingColumns == nil { unsafe walkingColumns = unsafe makeColumns { _ in true } }
      return unsafe walkingColumns ?? columns
    }
  }

  private func makeColumns(where isEncoded: (ClassShape.Slot) -> Bool) -> UnsafeMutablePointer<ColumnWriter?>
  {
    let made = UnsafeMutablePointer<ColumnWriter?>.allocate(capacity: max(shape.slots.count, 1))
    for (index, slot) in shape.slots.enumerated() {
      unsafe (made + index).initialize(to: isEncoded(slot) ? scratch.column(index) : nil)
    }
    return unsafe made
  }

  /// A column that goes nowhere, by its position in the class; dynamic keys add columns as they appear.
  func scratchColumn(_ position: Int) -> ColumnWriter {
    if scratch.layout.roots.count <= position { scratch.extend(to: set.layout) }
    return scratch.column(position)
  }
}

/// The writers of classes, by class.
@safe struct ClassWriterTable {
  /// Places in a table of classes that were met last.
  static let recentCount = 256

  /// The place of the class with metadata at an address, which takes some hundred bytes: the lowest bits tell little.
  static func place(of type: UInt) -> Int {
    Int(truncatingIfNeeded: type >> 4 ^ type >> 10) & (recentCount - 1)
  }

  /// The last ones that were asked for are found without hashing.
  private var recent = unsafe [(type: UInt, writer: Unmanaged<ClassWriter>)?](
    repeating: nil, count: recentCount)
  private var all = ShortMap<ObjectIdentifier, ClassWriter>()

  subscript(type: AnyClass) -> Unmanaged<ClassWriter>? {
    mutating get {
      let identity = UInt(bitPattern: ObjectIdentifier(type))
      let place = Self.place(of: identity)
      if let entry = unsafe recent[place], unsafe entry.type == identity { return unsafe entry.writer }
      guard let writer = all[ObjectIdentifier(type)] else { return nil }
      unsafe recent[place] = unsafe (identity, .passUnretained(writer))
      return unsafe .passUnretained(writer)
    }
  }

  mutating func add(_ writer: ClassWriter, for type: AnyClass) {
    _ = all.insert(writer, for: ObjectIdentifier(type))
  }

  /// Says that no object was met.
  func restart() { all.forEachValue { $0.isMet = false } }

  /// Forgets the writers of classes from an index on.
  mutating func remove(from index: Int) {
    all.removeAll { $0.index >= index }
    for place in 0..<Self.recentCount { unsafe recent[place] = nil }
  }

  /// Whether one of the classes is coded by keys.
  var isKeyed: Bool {
    var isKeyed = false
    all.forEachValue { isKeyed = isKeyed || $0.isKeyed }
    return isKeyed
  }
}
