public import ArcRuntime

/// One class as a file describes it: the columns of its rows, those of its superclasses included.
///
/// Invariant: `superclass` and every `declaringClass` are indices of classes that stand earlier in the table, or
/// of the class itself, so that no chain of superclasses can be a cycle. Spec: 03-classes, rules C1 to C4.
public struct ClassDescription: Hashable, Sendable {
  /// The coded name.
  public let name: String
  /// Index of the superclass in the class table, if it is archivable.
  public let superclass: Int?
  /// The version that the class gave itself; 0 if it did not.
  public let version: UInt64
  /// The columns in order. A column with a dynamic key may be added after rows of the class were written.
  public internal(set) var columns: [ColumnDescription]

  package init(name: String, superclass: Int?, version: UInt64 = 0, columns: [ColumnDescription] = []) {
    self.name = name
    self.superclass = superclass
    self.version = version
    self.columns = columns
  }

  /// The name of the class that row 0 has: its columns are the named roots. Spec: 05-graph, rule G1.
  package static let rootsName = "$roots"
}

/// One column: a property of a class, or a key that a hand-written coder used.
public struct ColumnDescription: Hashable, Sendable {
  /// Bits stored with a column. Spec: 03-classes, section 3.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The bits as stored.
    public let rawValue: UInt8
    /// Creates flags from stored bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// References in the column point to earlier rows: the object cannot be built before its targets.
    public static let construction = Flags(rawValue: 1 << 0)
    /// Written by a hand-written coder: a row may have no value, which differs from nil.
    public static let keyed = Flags(rawValue: 1 << 1)
    static let known: Flags = [.construction, .keyed]
  }

  /// Index in the class table of the class that declares the property.
  public let declaringClass: Int
  /// The key.
  public let key: String
  /// The property attributes; their type encoding fixes the layout of the column.
  public let attributes: PropertyAttributes
  /// How the column was written.
  public let flags: Flags

  package init(declaringClass: Int, key: String, attributes: PropertyAttributes, flags: Flags) {
    self.declaringClass = declaringClass
    self.key = key
    self.attributes = attributes
    self.flags = flags
  }
}

/// The payload of a `CLSS` segment: new classes, and new columns of known ones. Spec: 03-classes, section 2.
struct ClassTableSegment {
  /// Adds what the segment says to `classes`, and to `indices` the places of new ones by their names.
  static func read(
    _ reader: inout ByteReader, into classes: inout [ClassDescription],
    indices: inout ShortMap<ExactName, Int>, limits: Limits
  ) throws(ArchiveError) {
    let entryCount = try reader.count(itemBytes: 2)
    for _ in 0..<entryCount {
      let start = reader.offset
      let index = try reader.count(itemBytes: 0)
      guard index <= classes.count else {
        throw ArchiveError(
          .malformedClassTable, found: "class index \(index)", expected: "at most \(classes.count)",
          byteOffset: start)
      }
      let isKnown = index < classes.count
      if !isKnown {
        let name = try reader.string()
        let superclass = try reader.count(itemBytes: 0)
        let version = try reader.varint()
        guard superclass <= index, !name.isEmpty, indices.insert(index, for: ExactName(name)) else {
          throw ArchiveError(
            .malformedClassTable, found: "class '\(name)' with superclass index \(superclass)",
            expected: "a new name and a superclass that stands earlier", byteOffset: start)
        }
        classes.append(
          ClassDescription(name: name, superclass: superclass == 0 ? nil : superclass - 1, version: version))
        try Limits.check(classes.count, within: limits.classes, "classes", byteOffset: start)
      }
      let columnCount = try reader.count(itemBytes: 4)
      try Limits.check(
        classes[index].columns.count + columnCount, within: limits.columnsPerClass, "columnsPerClass",
        byteOffset: start)
      for _ in 0..<columnCount {
        let column = try readColumn(&reader, classCount: index + 1, className: classes[index].name)
        guard !isKnown || column.flags.contains(.keyed) else {
          throw ArchiveError(
            .malformedClassTable, found: "a column without flag 'keyed' for a class that may have rows",
            byteOffset: start, className: classes[index].name, key: column.key)
        }
        classes[index].columns.append(column)
      }
    }
    try reader.finish("class table")
  }

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
        .malformedClassTable, found: "declaring class \(declaringClass), flags \(flags.rawValue)",
        expected: "a class that stands earlier and known flags", byteOffset: start, className: className,
        key: key)
    }
    do {
      let attributes = try PropertyAttributes(parsing: text)
      return ColumnDescription(declaringClass: declaringClass, key: key, attributes: attributes, flags: flags)
    } catch {
      throw ArchiveError(
        .malformedEncoding, found: "property attributes '\(text)': \(error.code)",
        byteOffset: start, className: className, key: key)
    }
  }

  /// Writes what `classes` has beyond `written` (columns already written, per class).
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
        writer.varint(description.superclass.map { $0 + 1 } ?? 0)
        writer.varint(description.version)
      }
      let columns = description.columns[(index < written.count ? written[index] : 0)...]
      writer.varint(columns.count)
      for column in columns {
        writer.varint(column.declaringClass)
        writer.string(column.key)
        writer.string(column.attributes.description)
        writer.fixed(column.flags.rawValue)
      }
    }
  }
}
