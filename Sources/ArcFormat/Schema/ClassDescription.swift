package import ArcRuntime

/// A class of a file: its name, its superclass, and the columns of its rows, including inherited columns.
///
/// Invariant: `superclassIndex` is the index of an earlier class in the table, and each `declaringClassIndex`
/// is the index of this class or of an earlier class. So the superclasses of a class do not form a cycle.
/// Spec: 03-classes, rules C2 and C3.
package struct ClassDescription: Hashable, Sendable {
  /// The coded name of the class.
  package let name: String
  /// The index of the superclass in the class table. Nil if the class has no archivable superclass.
  package let superclassIndex: Int?
  /// The version that the class declares. 0 if it declares no version.
  package let version: UInt64
  /// All columns of the class, in the order of the file.
  ///
  /// Keyed columns can be added after rows of the class were written.
  package var columns: [ColumnDescription]

  package init(name: String, superclassIndex: Int?, version: UInt64 = 0, columns: [ColumnDescription] = []) {
    self.name = name
    self.superclassIndex = superclassIndex
    self.version = version
    self.columns = columns
  }

  /// Returns the indices of the columns with a key. Several columns have the key if superclasses declare it,
  /// too.
  ///
  /// - Complexity: O(columns).
  package func columns(withKey key: String) -> Set<Int> {
    Set(columns.indices.filter { columns[$0].key.hasSameBytes(as: key) })
  }

  /// The name of class 0, whose columns are the named roots. This class is the first class of the table, and
  /// row 0 is its only row. Spec: 05-graph, rule G1.
  package static let rootsName = "$roots"
}

/// A column of a class: the values of a property, or of a key that a hand-written coder used.
@usableFromInline package struct ColumnDescription: Hashable, Sendable {
  /// The flags of a column, as a bit set in one byte.
  ///
  /// Spec: 03-classes, section 3.
  @usableFromInline package struct Flags: OptionSet, Hashable, Sendable {
    /// The bits as stored.
    @usableFromInline package let rawValue: UInt8
    /// Creates flags from the stored bits.
    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The flag of a construction column. Its references refer only to earlier rows, because the reader must
    /// build the referenced objects before it builds the object of the row.
    package static let construction = Flags(rawValue: 1 << 0)
    /// The flag of a keyed column, which a hand-written coder wrote. A row may have no value in the column,
    /// which is different from the value nil.
    package static let keyed = Flags(rawValue: 1 << 1)
    static let known: Flags = [.construction, .keyed]
  }

  /// The key of the column with the versions of rows. A row has a value in this column if the version of the
  /// row differs from the version of the class. Such rows exist if an older release added rows to an archive
  /// of a newer release. The column is declared by the class that declares the version. Spec: 06-evolution,
  /// section 5.
  package static let versionKey = "$version"

  /// The key of the column that contains a list of keys for each row. A release that sets a value without
  /// reading all values of the row adds the key of the value to the list. The value then takes precedence
  /// over values under other names of the same property. The column is declared by the class of the row.
  /// Spec: 06-evolution, section 2.
  package static let changesKey = "$changed"

  /// Whether the column has the key `versionKey`, so it contains the versions of rows.
  package var isOfVersions: Bool { flags.contains(.keyed) && key.hasSameBytes(as: Self.versionKey) }

  /// Whether the column has the key `changesKey`, so it contains a list of keys for each row.
  package var isOfChanges: Bool { flags.contains(.keyed) && key.hasSameBytes(as: Self.changesKey) }

  /// Whether a row can have no value in the column, or the value nil.
  package var mayBeAbsent: Bool {
    if flags.contains(.keyed) { return true }
    switch attributes.type {
    case .optional?: return true
    case .object(let name, _)?: return !(name.map(ColumnLayout.isReserved) ?? false)
    default: return false
    }
  }

  /// The class that declares the column, as an index in the class table.
  package let declaringClassIndex: Int
  /// The name of the property, or the key that the hand-written coder used.
  package let key: String
  /// The property attributes. Their type encoding determines the layout of the column.
  package let attributes: PropertyAttributes
  /// The flags of the column, such as whether it is a construction column or a keyed column.
  package let flags: Flags

  package init(declaringClassIndex: Int, key: String, attributes: PropertyAttributes, flags: Flags) {
    self.declaringClassIndex = declaringClassIndex
    self.key = key
    self.attributes = attributes
    self.flags = flags
  }
}

/// The payload of a `CLSS` segment: new classes, and new columns of earlier classes.
///
/// Spec: 03-classes, section 2.
struct ClassTableSegment {
  /// Reads a segment. Appends its new classes and columns to `classes`, and the indices of the new classes to
  /// `indices`.
  ///
  /// Spec: 03-classes, rules C1, C2 and C7; 07-limits, rules A4 and A6.
  static func read(
    _ reader: inout ByteReader, into classes: inout [ClassDescription],
    indices: inout ShortMap<ExactName, Int>, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let entryCount = try reader.count(itemBytes: 2)
    for _ in 0..<entryCount {
      let start = reader.offset
      let index = try reader.count(itemBytes: 0)
      guard index <= classes.count else {
        throw ArchiveError(
          .malformedClassTable, found: "class index \(index)",
          expected: "a class index of at most \(classes.count)",
          byteOffset: start)
      }
      let isKnown = index < classes.count
      if !isKnown {
        let name = try reader.string()
        let superclass = try reader.count(itemBytes: 0)
        let version = try reader.varint()
        guard superclass <= index, !name.isEmpty, indices.insert(index, for: ExactName(name)) else {
          throw ArchiveError(
            .malformedClassTable,
            found: name.isEmpty
              ? "a class without a name"
              : superclass > index
                ? "class '\(name)' with the superclass index \(superclass)"
                : "two classes with the name '\(name)'",
            expected: superclass > index
              ? "the index of an earlier class, at most \(index)" : "distinct names", byteOffset: start)
        }
        classes.append(
          ClassDescription(
            name: name, superclassIndex: superclass == 0 ? nil : superclass - 1, version: version))
        try ArchiveLimits.check(classes.count, within: limits.classes, "classes", byteOffset: start)
      }
      let columnCount = try reader.count(itemBytes: 4)
      try ArchiveLimits.check(
        classes[index].columns.count + columnCount, within: limits.columnsPerClass, "columnsPerClass",
        byteOffset: start)
      for _ in 0..<columnCount {
        let column = try readColumn(&reader, classCount: index + 1, className: classes[index].name)
        guard !isKnown || column.flags.contains(.keyed) else {
          throw ArchiveError(
            .malformedClassTable,
            found: "a new column without the flag 'keyed' for a class that may have rows",
            expected: "a new column with the flag 'keyed'",
            byteOffset: start, className: classes[index].name, key: column.key)
        }
        classes[index].columns.append(column)
      }
    }
    try reader.finish("class table")
  }

  /// Reads a column. After all classes are read, the caller checks that the declaring class is the class
  /// itself or a superclass.
  ///
  /// Spec: 03-classes, rules C3, C8, E1 and P1.
  private static func readColumn(
    _ reader: inout ByteReader, classCount: Int, className: String
  ) throws(ArchiveError) -> ColumnDescription {
    let start = reader.offset
    let declaringClass = try reader.count(itemBytes: 0)
    let key = try reader.string()
    let text = try reader.string()
    let flags = ColumnDescription.Flags(rawValue: try reader.fixed())
    guard declaringClass < classCount, flags.isSubset(of: .known) else {
      throw ArchiveError(
        .malformedClassTable,
        found: declaringClass < classCount
          ? "the column flags \(flags.rawValue)" : "a column declared by class \(declaringClass)",
        expected: declaringClass < classCount
          ? "only flags that the format defines" : "a class index below \(classCount)", byteOffset: start,
        className: className,
        key: key)
    }
    do {
      let attributes = try PropertyAttributes(parsingColumn: text)
      return ColumnDescription(
        declaringClassIndex: declaringClass, key: key, attributes: attributes, flags: flags)
    } catch {
      throw ArchiveError(
        .malformedEncoding, found: "the property attributes '\(text)' (\(error.code))",
        expected: "property attributes with a valid type encoding, such as 'Tq'",
        byteOffset: start, className: className, key: key)
    }
  }

  /// Writes the classes and columns that no earlier segment contains. `written` contains the number of
  /// columns that earlier segments contain, for each class in them.
  static func write(
    _ classes: ArraySlice<ClassDescription>, beyond written: [Int], to writer: inout ByteWriter
  ) {
    let changed = classes.indices.filter { $0 >= written.count || classes[$0].columns.count > written[$0] }
    writer.varint(changed.count)
    for index in changed {
      let description = classes[index]
      writer.varint(index)
      if index >= written.count {
        writer.string(description.name)
        writer.varint(description.superclassIndex.map { $0 + 1 } ?? 0)
        writer.varint(description.version)
      }
      let columns = description.columns[(index < written.count ? written[index] : 0)...]
      writer.varint(columns.count)
      for column in columns {
        writer.varint(column.declaringClassIndex)
        writer.string(column.key)
        writer.string(column.attributes.description)
        writer.fixed(column.flags.rawValue)
      }
    }
  }
}
