public import ArcFormat
public import ArcRuntime

/// A column of one class in one segment: all values of a property, or of a type nested in the property.
///
///     let samples = try batch.column("samples")   // $[d]
///     let lengths = try samples.lengths()         // the element count of each object's array
///     let sum = try samples.elements.withValues(as: Double.self) { numbers in
///       numbers.indices.reduce(0) { $0 + numbers[$1] }   // the elements of all arrays, not copied
///     }
///
/// A column has nested columns if its values contain other values. For example, a column of arrays contains
/// the lengths of the arrays, and its nested column contains the elements of all arrays. Spec: 04-columns,
/// section 5.
public struct ArchiveColumn {
  /// The type encoding of the values. If hand-written coding wrote the property, the type is an optional,
  /// because objects may then have no value for the property.
  public let type: TypeEncoding
  /// The number of values in the column.
  public let count: Int

  private let tree: ColumnTree
  private let node: Int

  private init(_ tree: ColumnTree, node: Int, type: TypeEncoding, count: Int) {
    self.tree = tree
    self.node = node
    self.type = type
    self.count = count
  }

  init(
    _ segment: RowsSegment, _ rows: RowsSegment.ClassRows, position: Int, of file: ArchiveFile
  ) throws(ArchiveError) {
    let column = file.classes[rows.classIndex].columns[position]
    tree = try ColumnTree(segment, rows, position: position, of: file)
    node = 0
    count = rows.rowCount
    var type = column.attributes.type ?? .object(className: nil, protocols: [])
    if column.attributes.flags.contains(.weak) { type = .weak(type) }
    self.type = column.flags.contains(.keyed) ? .optional(type) : type
  }

  /// The kind of the values, such as an integer, a string or an array.
  public var kind: ColumnKind { tree.layout.nodes[node].kind }

  /// Reads the values as a type of the program.
  ///
  ///     let ages = try batch.column("age").values(as: Int.self)
  ///
  /// The type of the program may differ from the type of the column, for example in the width of integers.
  /// Spec: 06-evolution, rules M4 and M5.
  ///
  /// - Parameter type: a type to which values of the column's type can be converted.
  /// - Returns: the values, ``count`` in all.
  /// - Throws: `typeMismatch` if the column's type cannot be converted to `type`, `valueOutOfRange` if a
  ///   value cannot be converted without loss, or the code of the damage if a value is damaged.
  /// - Complexity: O(*n*) in the number of values.
  public func values<Value: ColumnValue>(as type: Value.Type) throws -> [Value] {
    guard let columns = try tree.columns(of: node, as: type) else {
      throw mismatch("values that can be read as '\(type)'")
    }
    let reader = columns.column(0)
    defer { withExtendedLifetime(columns) {} }
    return try reader.values(count)
  }

  /// Reads the values as `ArchiveValue`, a type that can represent values of every type.
  ///
  ///     for value in try batch.column("style").values() { print(value) }
  ///
  /// - Parameter type: the type `ArchiveValue`.
  /// - Returns: the values, ``count`` in all.
  /// - Throws: `limitExceeded` if reading the values exceeds the limits of the file, or the code of the
  ///   damage if a value is damaged.
  /// - Complexity: O(*n*) in the number of values.
  public func values(as type: ArchiveValue.Type = ArchiveValue.self) throws -> [ArchiveValue] {
    let (column, reader) = tree.dynamicReader(atStartOf: node)
    return try column.array(count) { try reader.value(column, node: node) }
  }

  /// Calls a closure with the numbers of the column, without copying them if possible.
  ///
  ///     let sum = try batch.column("price").withValues(as: Double.self) { prices in
  ///       prices.indices.reduce(0) { $0 + prices[$1] }
  ///     }
  ///
  /// If the numbers have the same bytes in the file as in an array of `type`, the numbers are not copied. The
  /// call then needs constant time and memory. Arc stores long arrays of numbers in this layout.
  ///
  /// - Parameters:
  ///   - type: a number type to which values of the column's type can be converted.
  ///   - body: called once with the numbers, which are valid until the closure returns.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `values(as:)`, or what `body` throws.
  public func withValues<Value: __ColumnNumber, Result>(
    as type: Value.Type, _ body: (Span<Value>) throws -> Result
  ) throws -> Result {
    if try tree.holds(type, in: node),
      let result = try tree.withPlainValues(of: node, count: count, as: type, body)
    {
      return result
    }
    let copy = try values(as: type)
    return try body(copy.span)
  }

  // MARK: Nested columns

  /// Reads whether each optional of the column has a value.
  ///
  /// - Returns: one Boolean for each value of the column.
  /// - Throws: `typeMismatch` if the column does not contain optionals.
  public func presence() throws(ArchiveError) -> [Bool] {
    try require([.optional], "optionals")
    return tree.bits(of: node, count: count)
  }

  /// Reads the number of elements of each array, set or dictionary.
  ///
  /// - Returns: one number for each value of the column.
  /// - Throws: `typeMismatch` if the column does not contain collections.
  public func lengths() throws(ArchiveError) -> [Int] {
    try require([.array, .set, .dictionary], "arrays, sets or dictionaries")
    return tree.integers(of: node, count: count)
  }

  /// Reads the case of each enumeration value, as an index in the cases of ``type``.
  ///
  /// - Returns: one index for each value of the column.
  /// - Throws: `typeMismatch` if the column does not contain enumerations.
  public func cases() throws(ArchiveError) -> [Int] {
    try require([.enumeration], "enumerations")
    return tree.integers(of: node, count: count)
  }

  /// Returns the numbers of the strings in the string table of the file. Equal strings have equal numbers.
  ///
  /// - Returns: one number for each value; nil if the column does not contain strings, or stores strings as
  ///   text instead of numbers.
  /// - Complexity: O(*n*) in the number of values; no string is built.
  package func stringNumbers() -> [Int]? {
    kind == .string ? tree.stringNumbers(of: node, count: count) : nil
  }

  /// Returns the string with a number that `stringNumbers` returned.
  package func string(_ number: Int) throws(ArchiveError) -> String { try tree.string(number) }

  /// The column of the wrapped values of all optionals that are not nil.
  ///
  /// - Throws: `typeMismatch` if the column does not contain optionals, or if their type is recursive.
  public var wrapped: ArchiveColumn {
    get throws(ArchiveError) {
      guard case .optional(let wrapped) = type else { throw mismatch("optionals") }
      return try child(0, wrapped, presence().count { $0 })
    }
  }

  /// The column of the elements of all arrays or sets, or of the values of all dictionaries.
  ///
  /// - Throws: `typeMismatch` if the column does not contain collections, or if their type is recursive.
  public var elements: ArchiveColumn {
    get throws(ArchiveError) {
      switch type {
      case .list(let element), .set(let element): try child(0, element, lengths().reduce(0, &+))
      case .dictionary(_, let value): try child(1, value, lengths().reduce(0, &+))
      default: throw mismatch("arrays, sets or dictionaries")
      }
    }
  }

  /// The column with the keys of all dictionaries of this column.
  ///
  /// - Throws: `typeMismatch` if this column does not contain dictionaries, or if the type of the
  ///   dictionaries is recursive.
  public var keys: ArchiveColumn {
    get throws(ArchiveError) {
      guard case .dictionary(let key, _) = type else { throw mismatch("dictionaries") }
      return try child(0, key, lengths().reduce(0, &+))
    }
  }

  /// Returns the column of one field of all structures.
  ///
  /// - Parameter name: the label of the field. If several fields have the label, the first field is used.
  /// - Returns: a column with as many values as this column.
  /// - Throws: `typeMismatch` if the column does not contain structures with the field, or if the type of the
  ///   structures is recursive.
  public func field(_ name: String) throws(ArchiveError) -> ArchiveColumn {
    guard case .structure(_, let fields?) = type,
      let position = fields.firstIndex(where: { ($0.name ?? "").hasSameBytes(as: name) })
    else { throw mismatch("structures with a field '\(name)'") }
    return try child(position, fields[position].type, count)
  }

  /// Returns the column of the associated values of one case of an enumeration.
  ///
  /// - Parameter name: the name of the case.
  /// - Returns: a column of structures, one structure for each value with this case.
  /// - Throws: `typeMismatch` if the column does not contain enumerations with the case, if the case has no
  ///   associated values, or if the type of the enumerations is recursive.
  public func payload(ofCase name: String) throws(ArchiveError) -> ArchiveColumn {
    guard case .enumeration(_, let cases?) = type,
      let index = cases.firstIndex(where: { ($0.name ?? "").hasSameBytes(as: name) }),
      let position = tree.layout.nodes[node].payloads[index]
    else { throw mismatch("enumerations with a case '\(name)' that has a payload") }
    return try child(position, cases[index].type, self.cases().count { $0 == index })
  }

  private func child(
    _ position: Int, _ type: TypeEncoding, _ count: Int
  ) throws(ArchiveError) -> ArchiveColumn {
    // The values of one level of a recursive type are not contiguous.
    guard !tree.layout.nodes[node].isRecursive else {
      throw mismatch(
        "a type that is not recursive", found: "a column of the recursive \(TypeWords.named(self.type))")
    }
    return ArchiveColumn(tree, node: tree.layout.nodes[node].children[position], type: type, count: count)
  }

  private func require(_ kinds: [ColumnKind], _ wanted: String) throws(ArchiveError) {
    guard kinds.contains(kind) else { throw mismatch(wanted) }
  }

  private func mismatch(_ wanted: String, found: String? = nil) -> ArchiveError {
    tree.error(
      .typeMismatch, found: found ?? "a column of \(TypeWords.named(type))",
      expected: "a column of \(wanted)",
      remedy: "read the column as ArchiveValue, which can hold every type")
  }
}
