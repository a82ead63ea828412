package import ArcFormat
import ArcRuntime

/// An archive that a program has read, possibly only in part, and a record of how the program used the
/// archive's rows and columns. When the program archives the graph again, the record determines which unread
/// content is added to the new archive.
package struct ReadArchive: Sendable {
  /// The bytes of the archive.
  let bytes: [UInt8]
  /// The number of rows in the archive.
  package let rowCount: Int
  /// The limits for reading the archive.
  let limits: ArchiveLimits
  /// The program's use of each class, in the order of the class table.
  let classes: [ClassUse]
  /// The rows whose objects the program removed or replaced by another object during a migration. The value
  /// is the row of the other object, or 0 if the object was removed.
  let replacedRows: [Int: Int]
  /// The columns whose values the program's migration code removed or replaced, by the row of the object.
  /// Only the program has the new values.
  let touchedColumns: [Int: Set<Int>]
  /// The older fields that the program converts to fields of its structures.
  let convertedFields: ConvertedFields
  /// The archive that the program would have written directly after reading. Nil if the program preserves all
  /// values that it reads.
  let unchanged: Unchanged?

  /// How a program reads a class of an archive: with which of its classes, and into which properties.
  package struct ClassUse: Sendable {
    /// The name of the class in the program. Nil if the program does not have the class.
    package let programName: String?
    /// Whether the program reads the objects as objects of a substitute class. The objects keep their own
    /// class in the archive.
    let hasSubstitute: Bool
    /// Whether the program's migration code changed the objects before they were built. If true, an object
    /// that the program built and then removed is not preserved.
    let isMigrated: Bool
    /// Whether the objects are boxes, which contain values of type `any P`.
    let isOfBoxes: Bool
    /// How the program reads each column.
    package let columns: [ColumnUse]
    /// The program's names of fields and cases, by column index, for columns in which they differ from the
    /// archive's names.
    package let names: [Int: CurrentNames]
    /// The properties that the program converts from columns with older keys.
    let conversions: [Conversion]

    /// Creates a description of the use of a class.
    package init(
      programName: String?, hasSubstitute: Bool = false, isMigrated: Bool = false, isOfBoxes: Bool = false,
      columns: [ColumnUse], names: [Int: CurrentNames] = [:], conversions: [Conversion] = []
    ) {
      self.names = names
      self.conversions = conversions
      self.programName = programName
      self.hasSubstitute = hasSubstitute
      self.isMigrated = isMigrated
      self.isOfBoxes = isOfBoxes
      self.columns = columns
    }
  }

  /// A program's use of a column of a class.
  package enum ColumnUse: Sendable, Equatable {
    /// The program does not read the column.
    case unread
    /// The program reads the column as the value of a property.
    case read(key: String, declaringClass: String)
    /// The program converts the values to other values, or another column contains the value of the same
    /// property.
    case replaced
  }

  /// A property that the program converts from older columns, in rows without a value in the property's own
  /// column.
  package struct Conversion: Sendable {
    /// The property. The case is always `ColumnUse.read`.
    let property: ColumnUse
    /// The indices of the older columns.
    let columns: Set<Int>

    /// Creates a description of a property that is converted from older columns.
    package init(_ property: ColumnUse, from columns: Set<Int>) {
      self.property = property
      self.columns = columns
    }
  }

  /// The archive that the program would have written directly after reading another archive.
  package struct Unchanged: Sendable {
    let graph: WrittenGraph
    /// For each row of the archive that was read, the object's row in the unchanged archive. 0 if there is no
    /// such row.
    let rows: [UInt32]

    /// Creates a description of the archive of the unchanged graph.
    package init(_ graph: WrittenGraph, rows: [UInt32]) {
      self.graph = graph
      self.rows = rows
    }
  }

  /// Creates a description of an archive that was read.
  package init(
    bytes: [UInt8], rowCount: Int, limits: ArchiveLimits, classes: [ClassUse],
    replacedRows: [Int: Int] = [:], touchedColumns: [Int: Set<Int>] = [:],
    convertedFields: ConvertedFields = ConvertedFields(), unchanged: Unchanged?
  ) {
    self.convertedFields = convertedFields
    self.bytes = bytes
    self.touchedColumns = touchedColumns
    self.replacedRows = replacedRows
    self.rowCount = rowCount
    self.limits = limits
    self.classes = classes
    self.unchanged = unchanged
  }
}

/// The archive of a graph, which this program has just written.
package struct WrittenGraph: Sendable {
  let bytes: [UInt8]
  /// The indices of the classes whose objects are boxes. The program creates new boxes each time it writes a
  /// graph.
  let boxClasses: Set<Int>

  /// Creates a description of the archive of a graph.
  package init(bytes: [UInt8], boxClasses: Set<Int>) {
    self.bytes = bytes
    self.boxClasses = boxClasses
  }
}
