package import ArcRuntime

/// A class of a file: its name, its superclass, and the columns of its rows, inherited ones included.
///
/// Invariant: `superclassIndex` is the index of an earlier class in the table, and every
/// `declaringClassIndex` that of the class itself or an earlier one; so no chain of superclasses is a cycle.
/// Spec: 03-classes, rules C2 and C3.
package struct ClassDescription: Hashable, Sendable {
  /// The coded name of the class.
  package let name: String
  /// The index of the superclass in the class table; nil if it has none that is archivable.
  package let superclassIndex: Int?
  /// The version that the class states of itself; 0 if it states none.
  package let version: UInt64
  /// All columns of the class in order.
  ///
  /// A keyed column may be added after rows of the class were written.
  package var columns: [ColumnDescription]

  package init(name: String, superclassIndex: Int?, version: UInt64 = 0, columns: [ColumnDescription] = []) {
    self.name = name
    self.superclassIndex = superclassIndex
    self.version = version
    self.columns = columns
  }

  /// Returns the indices of the columns with a key: several if superclasses declare the same key.
  ///
  /// - Complexity: O(columns).
  package func columns(withKey key: String) -> Set<Int> {
    Set(columns.indices.filter { columns[$0].key.hasSameBytes(as: key) })
  }

  /// The name of the class of row 0, whose columns are the named roots. Spec: 05-graph, rule G1.
  package static let rootsName = "$roots"
}

/// A column of a class: a property, or a key that a hand-written coder used.
@usableFromInline package struct ColumnDescription: Hashable, Sendable {
  /// Properties of a column that are stored with it.
  ///
  /// Spec: 03-classes, section 3.
  @usableFromInline package struct Flags: OptionSet, Hashable, Sendable {
    /// The bits as stored.
    @usableFromInline package let rawValue: UInt8
    /// Makes flags of stored bits.
    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// References in the column lead to earlier rows: the object cannot be built before their targets.
    package static let construction = Flags(rawValue: 1 << 0)
    /// The column was written by a hand-written coder: a row may have no value in it, which differs from nil.
    package static let keyed = Flags(rawValue: 1 << 1)
    static let known: Flags = [.construction, .keyed]
  }

  /// The key of the version that a row is of, if that is not the version of the class: an older release added
  /// the row to an archive of a newer one. The column is of the class whose version it is. Spec:
  /// 06-evolution, section 5.
  package static let versionKey = "$version"

  /// The key of the keys under which a release set values in a row that it did not read all of: they count
  /// before values under other names. The column is of the row's own class. Spec: 06-evolution, section 2.
  package static let changesKey = "$changed"

  /// Whether the column states versions of rows.
  package var isOfVersions: Bool { flags.contains(.keyed) && key.hasSameBytes(as: Self.versionKey) }

  /// Whether the column states which values of rows were changed last.
  package var isOfChanges: Bool { flags.contains(.keyed) && key.hasSameBytes(as: Self.changesKey) }

  /// Whether a row may be without a value, or have nil for one.
  package var mayBeAbsent: Bool {
    if flags.contains(.keyed) { return true }
    switch attributes.type {
    case .optional?: return true
    case .object(let name, _)?: return !(name.map(ColumnLayout.isReserved) ?? false)
    default: return false
    }
  }

  /// The index in the class table of the class that declares the property.
  package let declaringClassIndex: Int
  /// The key: the name of the property, or what the coder used.
  package let key: String
  /// The property attributes, whose type encoding determines the layout of the column.
  package let attributes: PropertyAttributes
  /// Whether the column is a construction column, a keyed one, or neither.
  package let flags: Flags

  package init(declaringClassIndex: Int, key: String, attributes: PropertyAttributes, flags: Flags) {
    self.declaringClassIndex = declaringClassIndex
    self.key = key
    self.attributes = attributes
    self.flags = flags
  }
}

/// The payload of a `CLSS` segment: new classes, and new columns of known classes.
///
/// Spec: 03-classes, section 2.
struct ClassTableSegment {
  /// Appends new classes and columns to `classes`, and the indices of new classes to `indices`.
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

  /// Reads a column. That the declaring class is a superclass is checked once all classes are known.
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

  /// Writes the classes and columns that are not among those written; `written` has their number of columns,
  /// for each class.
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
