import ArcArchive
import ArcFormat
import ArcRuntime

/// The columns of a class that are read by key. A hand-written coder, or a conversion of older values, can
/// read these columns in any order and repeatedly.
///
/// A hand-written coder wrote most of these columns. A column that generated code wrote is included if no
/// property of the program reads it. Spec: 06-evolution, section 2.
@safe final class KeyedColumns {
  /// A column of the file.
  private struct Stored {
    let position: Int
    let root: Int
    let attributes: PropertyAttributes
    let encoding: TypeEncoding
    /// Whether some rows may have no value. False if generated code wrote the column, because then every row
    /// has a value.
    let isKeyed: Bool
  }

  /// A column of the file that is read as a type of the program. It is read by its own readers, so it can be
  /// at another row than other columns.
  private final class Typed {
    let set: ColumnReaderSet
    var positions: RowPositions
    var isBound = false
    /// Whether the file's type has fields or cases that the program's type does not have.
    let lacksParts: Bool
    /// The program's names for fields and cases. Nil if they are equal to the names in the file.
    let names: CurrentNames?
    /// The column rewritten with the program's names. Nil if the file's values are read unchanged.
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
  /// Whether collections omit each reference that is nil only because its target was omitted, for example
  /// because a migration removed it.
  var omitsNilReferences = false
  /// Whether values with a case or raw value that the program does not have are omitted.
  var omitsUnknown = false
  /// The maximum costs of rewriting values with the program's names.
  var limits = ArchiveLimits.default
  /// Whether the decoder is called for each reference that is read, so that it can log the reference.
  var logsReferences = false
  /// The index of the current row among the rows of the class in the segment.
  var row = 0
  /// The column of the last value that could not be read. Nil if all values were read.
  private var failed: Typed?
  var failedColumns: ColumnReaderSet? { failed?.set }
  /// Whether a column contains a set or dictionary whose keys refer to objects. If true, objects of the class
  /// are linked after all other objects.
  let containsHashedReferences: Bool

  /// Creates the columns of a class that are read by key. `asked` contains the indices of the file's columns
  /// that code of the program may request.
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

  /// The indices of the columns from which values were read.
  var readColumns: Set<Int> { Set(typed.keys.map(\.position)) }

  /// The program's names for fields and cases in the columns from which values were read, by column index.
  /// Contains only columns in which the names of the program and the file differ.
  var names: [Int: CurrentNames] {
    typed.reduce(into: [:]) { names, entry in
      if let found = entry.value.names { names[entry.key.position] = found }
    }
  }

  /// Whether the values that were read may lack a part of the values in the file: fields or cases that the
  /// program's types do not have, or values that were omitted.
  var leavesPartsOfValues: Bool { typed.values.contains { $0.lacksParts || $0.set.hasOmittedValues } }

  /// Moves to the first row of the class in a segment.
  func bind(_ rows: RowsSegment.ClassRows) {
    self.rows = rows
    row = 0
    for entry in typed.values { entry.isBound = false }
  }

  /// Whether the file has a column with a key. Columns that a property reads are not considered.
  func hasColumn(forKey key: String) -> Bool { stored[ExactName(key)] != nil }

  /// Whether the current row has a value for a key.
  func hasValue(forKey key: String) -> Bool { presentColumn(key) != nil }

  /// Returns the column in which the current row has a value for a key. Nil if the row has no value.
  private func presentColumn(_ key: String) -> Stored? {
    guard let rows else { return nil }
    return stored[ExactName(key)]?.first { column in
      guard column.position < rows.columnCount else { return false }
      guard column.isKeyed else { return true }
      guard let chunk = rows.chunks[column.root], row < chunk.count else { return false }
      return chunk.bit(row)
    }
  }

  /// Returns the value of the current row for a key. Nil if the row has no value.
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

  /// Returns the rows to which the references in a value refer. The value is the last value that could not be
  /// read.
  func targetsOfFailedValue() throws -> [Int] {
    guard let failed else { return [] }
    try failed.positions.seek(row)
    return try failed.set.targets(ofRoot: 0)
  }

  /// Returns a column of the file, read as a type. Throws `typeMismatch` if the values of the column cannot
  /// be read as the type. Spec: 06-evolution, rule M4.
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
    // If several names in the file are one name in the program, the column is rewritten. This occurs after an
    // older release has saved the file.
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
    if omitsNilReferences { made.set.omitNilReferences() }
    if omitsUnknown { made.set.omitUnknown(Self.marks(of: type, isKeyed: column.isKeyed)) }
    typed[identity] = made
    return made
  }
}

extension KeyedColumns {
  /// Returns the marks of a type, by node of its column. In a keyed column, node 0 states whether the row has
  /// a value. A row whose value is unknown still has a value. Therefore, node 0 gets the mark
  /// `requiresAllParts`, so that the reader does not omit it together with the value.
  private static func marks(of type: any ArchivableValue.Type, isKeyed: Bool) -> [Int: ColumnMark] {
    let marks = ColumnMarks.of(type)
    guard isKeyed else { return marks }
    var shifted: [Int: ColumnMark] = [0: .requiresAllParts]
    for (node, mark) in marks { shifted[node + 1] = mark }
    return shifted
  }
}

extension ClassResolution {
  /// Creates the columns that are read by key. Nil if the class is not hand-written and no property is
  /// converted from older values.
  func keyedColumns(references: Handle<ObjectLookup>, strings: StringTable) throws
    -> KeyedColumns?
  {
    let requestable = requestableColumns
    guard programClass.isKeyed || !requestable.isEmpty else { return nil }
    return KeyedColumns(fileClass, file: layout, asked: requestable, references: references, strings: strings)
  }
}
