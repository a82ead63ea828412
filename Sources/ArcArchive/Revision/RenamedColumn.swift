package import ArcFormat
import ArcRuntime

/// A column of a file, rewritten with the names that the program uses for fields and cases.
///
/// This is necessary if the file has several names for one field of the program, because an older release
/// saved values under another name. The column has a value for each row of a segment. If the column of the
/// file is keyed, the value is nil for rows without a value.
package final class RenamedColumn {
  /// The nodes of the rewritten column, which is the only column of the layout.
  package let layout: ColumnLayout
  private let position: Int
  private let isKeyed: Bool
  private let names: CurrentNames
  private let description: ClassDescription
  /// The class in the file, with its columns.
  private let stored: ClassDescription
  private let file: ColumnLayout
  private let strings: StringTable
  private let limits: ArchiveLimits
  /// The segment whose chunks were returned last. Nil before the first call.
  private var segment: RowsSegment?

  /// Creates the description of a column.
  ///
  /// - Parameters:
  ///   - position: the index of the column in its class.
  ///   - stored: the class of the file.
  ///   - file: the layout of that class.
  ///   - names: the program's names for the type of the column.
  ///   - strings: the strings of the file.
  ///   - limits: the maximum costs of reading the values of a segment.
  /// - Throws: `malformedEncoding` if no column can store the type.
  package init(
    _ position: Int, of stored: ClassDescription, _ file: ColumnLayout, names: CurrentNames,
    strings: StringTable, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let column = stored.columns[position]
    isKeyed = column.flags.contains(.keyed)
    let attributes = names.attributes(column.attributes)
    let type = isKeyed ? TypeEncoding.optional(names.type) : names.type
    description = ClassDescription(
      name: stored.name, superclassIndex: nil,
      columns: [
        ColumnDescription(
          declaringClassIndex: 0, key: column.key, attributes: column.attributes.replacingType(type),
          flags: [])
      ])
    var layout = try ColumnLayout(of: type)
    layout.markAbsentFields(attributes.nodesOfAbsentFields, ofRoot: 0, isKeyed: isKeyed)
    self.layout = layout
    (self.position, self.names, self.limits) = (position, names, limits)
    (self.stored, self.file, self.strings) = (stored, file, strings)
  }

  /// Returns the chunks of the column for the rows of a class in a segment. They are valid until the next
  /// call.
  ///
  /// - Throws: the code of the damage if a value is damaged, or `limitExceeded`.
  /// - Complexity: O(values of the column in the segment).
  package func chunks(of rows: RowsSegment.ClassRows) throws -> [Chunk?] {
    let set = ColumnReaderSet(
      file, sources: file.nodes.indices.map { ResolvedColumn(identity: $0, in: file) },
      locations: stored.columns.map { ColumnLocation(className: stored.name, key: $0.key) },
      strings: strings, context: nil)
    defer { withExtendedLifetime(set) {} }
    set.bind(rows.chunks, rowCount: rows.rowCount)
    let reader = ValueReader(
      layout: file, areEmpty: set.areEmpty, budget: DynamicBudget(limits), nesting: limits.valueNesting)
    let renamed = try NewRows(description)
    let (column, node) = (set.column(position), file.valueNode(ofRoot: position, isKeyed: isKeyed))
    for row in 0..<rows.rowCount {
      // Nothing reads the numbers of the rows.
      let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row + 1))
      guard isKeyed else {
        renamed.add(id, [try names.value(reader.value(column, node: node))])
        continue
      }
      guard try column.bit() else {
        renamed.add(id, [.null])
        continue
      }
      renamed.add(id, [try names.value(reader.value(column.child(0), node: node)).wrapped])
    }
    let segment = try renamed.segment(classIndex: 0)
    self.segment = segment
    return segment.classes.first?.chunks ?? []
  }
}
