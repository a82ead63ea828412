import ArcArchive
import ArcFormat
import ArcRuntime

/// The columns of a class that a hand-written coder reads: by key, in any order, more than once if need be.
///
/// Most have keys that a hand-written coder chose. Those that generated code wrote are among them, unless a
/// property of the program reads them. Spec: 06-evolution, section 2.
@safe final class KeyedColumns {
  /// A column of the file.
  private struct Stored {
    let position: Int
    let root: Int
    let attributes: PropertyAttributes
    let encoding: TypeEncoding
    /// Whether a row may have no value; every row has one that generated code wrote.
    let isKeyed: Bool
  }

  /// A column of the file, read as a type of the program: with columns of its own.
  private final class Typed {
    let set: ColumnReaderSet
    var positions: RowPositions
    var isBound = false
    /// Whether values of the file may have parts that the program's type does not have.
    let lacksParts: Bool
    /// The program's names of fields and cases; nil if they are the file's.
    let names: CurrentNames?
    /// The column under these names; nil if the file's values are read as they are.
    let renamed: RenamedColumn?

    init(set: ColumnReaderSet, lacksParts: Bool, names: CurrentNames?, renamed: RenamedColumn?) {
      self.set = set
      self.lacksParts = lacksParts
      self.names = names
      self.renamed = renamed
      positions = RowPositions(of: set, roots: [0])
    }

    func bind(_ rows: RowsSegment.ClassRows) throws {
      set.bind(try renamed?.chunks(of: rows) ?? rows.chunks)
      positions.begin()
      isBound = true
    }
  }

  private struct TypedKey: Hashable {
    let position: Int
    let type: ObjectIdentifier
  }

  private let description: ClassDescription
  private let file: ColumnLayout
  private let strings: StringTable
  private let references: Handle<ObjectLookup>
  private var stored: [ExactName: [Stored]] = [:]
  private var typed: [TypedKey: Typed] = [:]
  private var rows: RowsSegment.ClassRows?
  /// Whether collections leave out references to nothing.
  var leavesOutNil = false
  /// Whether cases and raw values are left out that the program does not have.
  var leavesOutUnknown = false
  /// The maximum that rewriting values under the program's names may cost.
  var limits = ArchiveLimits.default
  /// Whether the decoder is asked for each reference that is read, to log it.
  var logsReferences = false
  /// The current row, counted among the rows of the class in the segment.
  var row = 0
  /// The columns that the value was in that could not be read last.
  private var failed: Typed?
  var failedColumns: ColumnReaderSet? { failed?.set }
  /// Whether some key holds a set or dictionary of objects: then linking waits until all else is linked.
  let containsHashedReferences: Bool

  /// `asked` are the indices of columns whose keys may be asked for.
  init(
    _ description: ClassDescription, file: ColumnLayout, asked: Set<Int>, references: Handle<ObjectLookup>,
    strings: StringTable
  ) {
    self.description = description
    self.file = file
    self.references = references
    self.strings = strings
    var hashes = false
    for (position, column) in description.columns.enumerated() {
      guard let type = column.attributes.type, asked.contains(position) else { continue }
      let root = file.roots[position]
      hashes = hashes || file.containsHashedReferences(root)
      stored[ExactName(column.key), default: []].append(
        Stored(
          position: position, root: root, attributes: column.attributes, encoding: type,
          isKeyed: column.flags.contains(.keyed)))
    }
    containsHashedReferences = hashes
  }

  /// The indices of the columns that values were read from.
  var readColumns: Set<Int> { Set(typed.keys.map(\.position)) }

  /// What the program calls fields and cases in the columns that values were read from, by their indices,
  /// where it has other names than the file.
  var names: [Int: CurrentNames] {
    typed.reduce(into: [:]) { names, entry in
      if let found = entry.value.names { names[entry.key.position] = found }
    }
  }

  /// Whether values that were read may have parts that the program's types do not have, or had some.
  var leavesPartsOfValues: Bool { typed.values.contains { $0.lacksParts || $0.set.hasLeftOutValues } }

  /// Moves to the first of a segment's rows of the class.
  func bind(_ rows: RowsSegment.ClassRows) {
    self.rows = rows
    row = 0
    for entry in typed.values { entry.isBound = false }
  }

  /// Whether the file has a column with a key that no property reads.
  func hasColumn(forKey key: String) -> Bool { stored[ExactName(key)] != nil }

  /// Whether the current row has a value under a key.
  func hasValue(forKey key: String) -> Bool { presentColumn(key) != nil }

  /// The column in which the current row has a value for the key.
  private func presentColumn(_ key: String) -> Stored? {
    guard let rows else { return nil }
    return stored[ExactName(key)]?.first { column in
      guard column.position < rows.columnCount else { return false }
      guard column.isKeyed else { return true }
      guard let chunk = rows.chunks[column.root], row < chunk.count else { return false }
      return chunk.bit(row)
    }
  }

  /// The value of the current row under a key; nil if it has none.
  func value<Value: ArchivableValue>(_ type: Value.Type, key: String) throws -> Value? {
    guard let column = presentColumn(key), let rows else { return nil }
    let typed = try typed(type, column, key)
    if !typed.isBound { try typed.bind(rows) }
    let root = typed.set.column(0)
    if logsReferences { references.value.beginLogging() }
    defer { if logsReferences { references.value.endLogging() } }
    do {
      try typed.positions.seek(row)
      let value =
        try column.isKeyed && !root.bit() ? nil : Value.__read(from: column.isKeyed ? root.child(0) : root)
      typed.positions.finishRow()
      return value
    } catch {
      failed = typed
      throw error
    }
  }

  /// The rows to which the value refers that could not be read last.
  func targetsOfFailedValue() throws -> [Int] {
    guard let failed else { return [] }
    try failed.positions.seek(row)
    return try failed.set.targets(ofRoot: 0)
  }

  /// The columns to read a column of the file as a type. Throws `typeMismatch` if they do not fit.
  /// Spec: 06-evolution, rule M4.
  private func typed<Value: ArchivableValue>(_ type: Value.Type, _ column: Stored, _ key: String) throws
    -> Typed
  {
    let identity = TypedKey(position: column.position, type: ObjectIdentifier(type))
    if let known = typed[identity] { return known }
    let context = __TypeEncodingContext()
    let encoding = type.__typeEncoding(in: context)
    try context.checkNames()
    let layout = try ColumnLayout(
      of: context.readEncoding(of: type, encoding), isKeyed: column.isKeyed, includesOlderFields: true)
    let names = CurrentNames(column.attributes, as: encoding, olderNames: context.olderNames)
    // Several names of the file that are one in the program, as after a save by an older release.
    let renamed =
      try names.joinsSeveral
      ? RenamedColumn(
        column.position, of: description, file, names: names, strings: strings, limits: limits) : nil
    let file = renamed?.layout ?? file
    var resolver = ColumnResolver(
      wanted: layout, file: file, olderNames: context.olderNames, hasInitialValues: true)
    guard let sources = resolver.resolve(root: 0, fileRoot: renamed == nil ? column.position : 0) else {
      throw ArchiveError(
        .typeMismatch, found: TypeWords.named(column.encoding),
        expected: TypeWords.named(encoding) + " or a type that it can hold",
        className: description.name, key: key)
    }
    let made = Typed(
      set: ColumnReaderSet(
        layout, sources: sources, in: file,
        locations: [ColumnLocation(className: description.name, key: key)], strings: strings,
        context: references.opaque),
      lacksParts: encoding.lacksParts(of: column.encoding), names: names.isChanged ? names : nil,
      renamed: renamed)
    if leavesOutNil { made.set.leaveOutNil() }
    if leavesOutUnknown { made.set.leaveOutUnknown(Self.marks(of: type, isKeyed: column.isKeyed)) }
    typed[identity] = made
    return made
  }
}

extension KeyedColumns {
  /// What a type says of the nodes of a column. That the row has a value does not depend on which it is.
  private static func marks(of type: any ArchivableValue.Type, isKeyed: Bool) -> [Int: ColumnMark] {
    let marks = ColumnMarks.of(type)
    guard isKeyed else { return marks }
    var shifted: [Int: ColumnMark] = [0: .takesNoLoss]
    for (node, mark) in marks { shifted[node + 1] = mark }
    return shifted
  }
}

extension ClassResolution {
  /// The columns with dynamic keys, if the class reads by key, or if some property is made of older values.
  func keyedColumns(references: Handle<ObjectLookup>, strings: StringTable) throws
    -> KeyedColumns?
  {
    let requestable = requestableColumns
    guard programClass.isKeyed || !requestable.isEmpty else { return nil }
    return KeyedColumns(fileClass, file: layout, asked: requestable, references: references, strings: strings)
  }
}
