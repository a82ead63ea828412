package import ArcFormat
import ArcRuntime

/// A column of a file, rewritten under the names that the program has for fields and cases.
///
/// Needed where several names of the file are one in the program, because an archive that an older release
/// saved has values under each of them. The column has a value for each row of a segment, or nil for a row
/// without one if the column of the file is keyed.
package final class RenamedColumn {
  /// The nodes of the column, which is the only one.
  package let layout: ColumnLayout
  private let position: Int
  private let isKeyed: Bool
  private let names: CurrentNames
  private let description: ClassDescription
  /// The class of the file and its columns.
  private let stored: ClassDescription
  private let file: ColumnLayout
  private let strings: StringTable
  private let limits: ArchiveLimits
  /// The segment whose chunks were returned last.
  private var segment: RowsSegment?

  /// Describes a column.
  ///
  /// - Parameters:
  ///   - position: the index of the column in its class.
  ///   - stored: the class of the file.
  ///   - file: the columns of the class.
  ///   - names: the program's names in the column.
  ///   - strings: the strings of the file.
  ///   - limits: the maximum that reading the values of a segment may cost.
  /// - Throws: `malformedEncoding` for a type that no column holds.
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

  /// The chunks of the column for the rows of a class in a segment. They are valid until the next call.
  ///
  /// - Throws: what is wrong with a value, and `limitExceeded`.
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
    let made = try NewRows(description)
    let (column, node) = (set.column(position), file.valueNode(ofRoot: position, isKeyed: isKeyed))
    for row in 0..<rows.rowCount {
      // The numbers of the rows do not matter.
      let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row + 1))
      guard isKeyed else {
        made.add(id, [try names.value(reader.value(column, node: node))])
        continue
      }
      guard try column.bit() else {
        made.add(id, [.null])
        continue
      }
      made.add(id, [try names.value(reader.value(column.child(0), node: node)).wrapped])
    }
    let segment = try made.segment(classIndex: 0)
    self.segment = segment
    return segment.classes.first?.chunks ?? []
  }
}
