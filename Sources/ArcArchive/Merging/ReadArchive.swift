package import ArcFormat
package import ArcRuntime

/// An archive of which a program read a part, and what it did with its rows and columns: what is needed to
/// put the rest of it into an archive of the graph that the program made of it.
package struct ReadArchive: Sendable {
  /// The bytes of the archive.
  let bytes: [UInt8]
  /// The number of its rows.
  package let rowCount: Int
  /// The maximum that reading it may cost.
  let limits: ArchiveLimits
  /// What the program does with each class, in the order of the class table.
  let classes: [ClassUse]
  /// The rows whose objects the program removed when it migrated others, or merged with another object, each
  /// with the row of that object; 0 for a removed object.
  let replacedRows: [Int: Int]
  /// The columns whose values the program's own code removed or replaced when it migrated an object, by the
  /// row of the object: only the program knows these values.
  let touchedColumns: [Int: Set<Int>]
  /// The keys of older fields that structures of the program convert, by the name of the structure.
  let convertedFields: [ExactName: Set<ExactName>]
  /// The graph as the program would have written it again at once; nil if it has all values that it read.
  let unchanged: Unchanged?

  /// What a program does with a class of an archive.
  package struct ClassUse: Sendable {
    /// The name of the class in the program; nil if the program does not have it.
    package let programName: String?
    /// Whether objects of another class stand for its objects, which remain of this one.
    let hasStandIn: Bool
    /// Whether the program's own code changed its objects before they were built. Objects that the program
    /// built and removed since then are not preserved.
    let isMigrated: Bool
    /// Whether its objects stand for values in places of any type.
    let isOfBoxes: Bool
    /// What the program does with each column.
    package let columns: [ColumnUse]
    /// What the program calls fields and cases in the columns, by their indices, where it has other names.
    package let names: [Int: CurrentNames]
    /// The properties that the program converts from columns with older keys.
    let conversions: [Conversion]

    /// Describes the use of a class.
    package init(
      programName: String?, hasStandIn: Bool = false, isMigrated: Bool = false, isOfBoxes: Bool = false,
      columns: [ColumnUse], names: [Int: CurrentNames] = [:], conversions: [Conversion] = []
    ) {
      self.names = names
      self.conversions = conversions
      self.programName = programName
      self.hasStandIn = hasStandIn
      self.isMigrated = isMigrated
      self.isOfBoxes = isOfBoxes
      self.columns = columns
    }
  }

  /// What a program does with a column of a class.
  package enum ColumnUse: Sendable, Equatable {
    /// It does not read it.
    case unread
    /// A property gets its values.
    case read(key: String, declaringClass: String)
    /// Other values are made of its values, or a property that may have its value has one.
    case replaced
  }

  /// A property that a program converts from older columns, in rows without a value in its own column.
  package struct Conversion: Sendable {
    /// The property, as the use of a column that it would read.
    let property: ColumnUse
    /// The indices of the older columns.
    let columns: Set<Int>

    /// Describes the conversion of a property.
    package init(_ property: ColumnUse, from columns: Set<Int>) {
      self.property = property
      self.columns = columns
    }
  }

  /// The graph of an archive as the program that read it would have written it at once.
  package struct Unchanged: Sendable {
    let graph: WrittenGraph
    /// For each row of the archive that was read the row in that of the graph, 0 for none.
    let rows: [UInt32]

    /// Describes the archive of the unchanged graph.
    package init(_ graph: WrittenGraph, rows: [UInt32]) {
      self.graph = graph
      self.rows = rows
    }
  }

  /// Describes an archive that was read.
  package init(
    bytes: [UInt8], rowCount: Int, limits: ArchiveLimits, classes: [ClassUse],
    replacedRows: [Int: Int] = [:], touchedColumns: [Int: Set<Int>] = [:],
    convertedFields: [ExactName: Set<ExactName>] = [:], unchanged: Unchanged?
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

/// The archive of a graph that this program has just written.
package struct WrittenGraph: Sendable {
  let bytes: [UInt8]
  /// The indices of the classes whose objects stand for values in places of any type: a new one each time.
  let boxClasses: Set<Int>

  /// Describes the archive of a graph.
  package init(bytes: [UInt8], boxClasses: Set<Int>) {
    self.bytes = bytes
    self.boxClasses = boxClasses
  }
}
