package import ArcFormat
import ArcRuntime

// Values of a file with the names that the program uses for fields and cases.

extension CurrentNames {
  /// Converts a value of the file's type to a value of `type`.
  ///
  /// - Throws: `valueOutOfRange` if a renamed field cannot store the value.
  /// - Complexity: O(parts of the value).
  package func value(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue {
    guard isChanged || joinsSeveral else { return value }
    let renamed = try self.renamed(value, FieldConversions())
    guard let fittingLayout else { return renamed }
    guard let held = renamed.held(by: fittingLayout) else { throw unfitting }
    return held
  }

  private var unfitting: ArchiveError {
    ArchiveError(
      .valueOutOfRange, found: "a renamed field or case with a value that does not fit the new type",
      expected: "a value that fits the type '\(type)'")
  }

  /// The field conversions that were created for one value.
  private final class FieldConversions {
    private var known: [Key: ValueConversion] = [:]

    private struct Key: Hashable {
      let record: Record
      let position: Int
    }

    /// Converts the value of a field to another type. Nil if the value cannot be converted.
    func converted(
      _ value: ArchiveValue, _ record: Record, _ position: Int, _ types: FieldConversion
    ) -> ArchiveValue? {
      let key = Key(record: record, position: position)
      guard let conversion = known[key] ?? ValueConversion(from: types.stored, to: types.wanted) else {
        return nil
      }
      known[key] = conversion
      return conversion.converted(value)
    }
  }

  /// Renames the fields and cases in a value. Recursive over the value.
  ///
  /// Throws an error if the file stores the value of a field under another name than the first, and the value
  /// does not fit the type that the file has for the first name.
  private func renamed(
    _ value: ArchiveValue, _ conversions: FieldConversions
  ) throws(ArchiveError) -> ArchiveValue {
    if case .structure(let name, let fields) = value,
      let sources = structures[
        Record(name: ExactName(name), labels: fields.map { ExactName($0.name) })]
    {
      var current: [ArchiveValue.Field] = []
      for source in sources { current.append(try renamed(source, fields, of: name, conversions)) }
      return .structure(name: name, fields: current)
    }
    let new = try value.mapChildren { _, child throws(ArchiveError) in try renamed(child, conversions) }
    guard case .enumeration(let name, let label, let payload) = new,
      let current = cases[ExactName(name)]?[ExactName(label)]
    else { return new }
    return .enumeration(name: name, case: current, payload: payload)
  }

  /// Returns a field of the program's structure. `source` lists the file's fields from which the value can
  /// come.
  private func renamed(
    _ source: FieldSources, _ fields: [ArchiveValue.Field], of name: String, _ conversions: FieldConversions
  ) throws(ArchiveError) -> ArchiveValue.Field {
    // The first field that has a value is used. If none has a value, the first field is used, which is nil.
    let position =
      source.positions.first { fields[$0].value != .null && fields[$0].value != .reference(nil) }
      ?? source.positions[0]
    var value = try renamed(fields[position].value, conversions)
    if let conversion = source.conversions[position] {
      let record = Record(name: ExactName(name), labels: fields.map { ExactName($0.name) })
      guard let new = conversions.converted(value, record, position, conversion) else { throw unfitting }
      value = new
    }
    return ArchiveValue.Field(name: source.name, value: value)
  }
}

/// Row 0 of a file, with the names that the program uses for fields and cases of its roots.
package final class RenamedRoots {
  /// The description of the row's columns.
  package let description: ClassDescription
  package let layout: ColumnLayout
  private let names: [Int: CurrentNames]

  /// Creates the description of the row.
  ///
  /// - Parameters:
  ///   - roots: the class of row 0 in the file.
  ///   - names: the program's names for the types of roots, by the index of the root's column.
  /// - Throws: `malformedEncoding` if no column can store a type.
  package init(_ roots: ClassDescription, _ names: [Int: CurrentNames]) throws(ArchiveError) {
    self.names = names
    description = roots.renaming(names)
    layout = try ColumnLayout(description)
  }

  /// Reads row 0 and renames its fields and cases. References to redirected rows of `view` get new targets.
  ///
  /// - Throws: the code of the damage if row 0 of the file is damaged.
  package func row(in view: RowsView) throws -> RowsSegment {
    let stored = try view.file.roots().properties
    let rows = try NewRows(description)
    var values: [ArchiveValue] = []
    for position in description.columns.indices {
      guard let value = stored.first(where: { $0.columnIndex == position })?.value else {
        throw ArchiveError(
          .malformedColumn, found: "no value for the root '\(description.columns[position].key)'",
          expected: "a value for each root of the file",
          key: description.columns[position].key)
      }
      values.append(try names[position]?.value(value) ?? value)
    }
    rows.add(ObjectID(rawValue: 0), values)
    return view.redirectingReferences(of: try rows.segment(classIndex: 0), [layout])
  }
}

extension ClassDescription {
  /// Returns the class with the program's names in the types of some columns. `names` contains the names by
  /// the index of the column.
  package func renaming(_ names: [Int: CurrentNames]) -> ClassDescription {
    ClassDescription(
      name: name, superclassIndex: superclassIndex, version: version,
      columns: columns.enumerated().map { position, column in
        guard let names = names[position] else { return column }
        return ColumnDescription(
          declaringClassIndex: column.declaringClassIndex, key: column.key,
          attributes: names.attributes(column.attributes), flags: column.flags)
      })
  }
}
