import ArcRuntime

/// The columns of a class whose keys a hand-written coder chose: read by key, in any order, again if need be.
@safe final class KeyedColumns {
  /// A column of the file.
  private struct Stored {
    let position: Int
    let root: Int
    let encoding: TypeEncoding
  }

  /// A column of the file as a type of the program: columns of its own, which stand before row `nextRow`.
  private final class Typed {
    let set: ColumnReaderSet
    var nextRow = 0
    /// Where the columns stood before the value that was read last.
    var before: [Int] = []
    var isBound = false
    /// Where the columns stood before every 64th row, as far as they were passed: going back costs little.
    private var waypoints: [[Int]] = []
    private static let waypointDistance = 64

    init(set: ColumnReaderSet) { self.set = set }

    func bind(_ chunks: [ChunkView?]) {
      set.bind(chunks)
      nextRow = 0
      waypoints = []
      isBound = true
    }

    /// Puts the columns before the value of a row. O(rows passed) forwards, O(1) rows backwards.
    func seek(_ row: Int) throws {
      if nextRow == row + 1 {
        set.restore(before, ofRoot: 0)
        return
      }
      if nextRow > row {
        let place = min(row / Self.waypointDistance, waypoints.count - 1)
        set.restore(waypoints[place], ofRoot: 0)
        nextRow = place * Self.waypointDistance
      }
      while true {
        if nextRow == waypoints.count * Self.waypointDistance { waypoints.append(set.state(ofRoot: 0)) }
        guard nextRow < row else { break }
        let stop = min(row, waypoints.count * Self.waypointDistance)
        try set.skip(root: 0, count: stop - nextRow)
        nextRow = stop
      }
      before = set.state(ofRoot: 0)
    }
  }

  private struct TypedKey: Hashable {
    let position: Int
    let type: ObjectIdentifier
  }

  private let description: ClassDescription
  private let file: ColumnLayout
  private let strings: StringTable
  private let references: UnsafeMutablePointer<ReferenceReader>
  private var stored: [ExactName: [Stored]] = [:]
  private var typed: [TypedKey: Typed] = [:]
  private var rows: RowsSegment.ClassRows?
  /// The row in hand, counted among the rows of the class in the segment.
  var row = 0
  /// Whether some key holds a set or dictionary of objects: then linking waits until all else is linked.
  let hashesReferences: Bool

  init(
    _ description: ClassDescription, file: ColumnLayout, references: UnsafeMutablePointer<ReferenceReader>,
    strings: StringTable
  ) {
    self.description = description
    self.file = file
    unsafe self.references = unsafe references
    self.strings = strings
    var hashes = false
    for (position, column) in description.columns.enumerated() where column.flags.contains(.keyed) {
      guard let type = column.attributes.type else { continue }
      let root = file.roots[position]
      hashes = hashes || file.hashesReferences(root)
      stored[ExactName(column.key), default: []].append(
        Stored(position: position, root: root, encoding: type))
    }
    hashesReferences = hashes
  }

  func bind(_ rows: RowsSegment.ClassRows) {
    self.rows = rows
    row = 0
    for entry in typed.values { entry.isBound = false }
  }

  /// Whether the file has a property with that key which no hand-written coder wrote.
  func isProperty(_ key: String) -> Bool {
    description.columns.contains { !$0.flags.contains(.keyed) && $0.key.hasSameBytes(as: key) }
  }

  func hasValue(forKey key: String) -> Bool { presentColumn(key) != nil }

  /// The column in which the row in hand has a value for the key.
  private func presentColumn(_ key: String) -> Stored? {
    stored[ExactName(key)]?.first { column in
      guard let chunk = rows?.chunks[column.root], row < chunk.count else { return false }
      return chunk.bit(row)
    }
  }

  func value<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value? {
    guard let column = presentColumn(key), let rows else { return nil }
    let typed = try typed(type, column, key)
    if !typed.isBound { typed.bind(rows.chunks) }
    try typed.seek(row)
    typed.nextRow = row + 1
    let root = typed.set.column(0)
    do {
      return try root.__bit() ? Value.__read(from: root.__child(0)) : nil
    } catch {
      // The columns may stand within the value; who catches the error can go on with other rows.
      typed.isBound = false
      throw error
    }
  }

  private func typed<Value: ArchivableValue>(_ type: Value.Type, _ column: Stored, _ key: String) throws
    -> Typed
  {
    let identity = TypedKey(position: column.position, type: ObjectIdentifier(type))
    if let known = typed[identity] { return known }
    let context = TypeEncodingContext()
    let encoding = type.__typeEncoding(in: context)
    try context.checkNames()
    var layout = ColumnLayout()
    try layout.append(encoding, isKeyed: true)
    let names = context.olderNames
    var matcher = ColumnMatcher(wanted: layout, file: file) { names[ExactName($0)]?[ExactName($1)] ?? [] }
    guard let sources = matcher.match(root: 0, fileRoot: column.position) else {
      throw ArchiveError(
        .typeMismatch, found: "type encoding '\(column.encoding)'",
        expected: "'\(encoding)' or one that it can hold",
        className: description.name, key: key)
    }
    let made = Typed(
      set: unsafe ColumnReaderSet(
        layout, sources: sources, places: [ColumnPlace(className: description.name, key: key)],
        strings: strings,
        context: UnsafeMutableRawPointer(references)))
    typed[identity] = made
    return made
  }
}
