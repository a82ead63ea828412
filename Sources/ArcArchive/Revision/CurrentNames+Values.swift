package import ArcFormat
import ArcRuntime

// Values of a file under the names that the program has for their fields and cases.

extension CurrentNames {
  /// A value of the file's type as one of `type`.
  ///
  /// - Throws: `valueOutOfRange` for a value that the joined type does not hold.
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

  /// The conversions that were made for one value.
  private final class FieldConversions {
    private var known: [Key: ValueConversion] = [:]

    private struct Key: Hashable {
      let record: Record
      let position: Int
    }

    /// A value of a field as one of another type. Returns nil if it is no such value.
    func converted(
      _ value: ArchiveValue, _ record: Record, _ position: Int, _ conversion: FieldConversion
    ) -> ArchiveValue? {
      let key = Key(record: record, position: position)
      guard let made = known[key] ?? ValueConversion(from: conversion.stored, to: conversion.wanted) else {
        return nil
      }
      known[key] = made
      return made.converted(value)
    }
  }

  /// Throws if the type of the first name of a field cannot hold a value under another name. Recursive over
  /// the value, as deep as values nest.
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

  /// The program's field that has the values of some fields of a structure of the file.
  private func renamed(
    _ source: FieldSources, _ fields: [ArchiveValue.Field], of name: String, _ conversions: FieldConversions
  ) throws(ArchiveError) -> ArchiveValue.Field {
    // The first field that has a value; nil if none has one.
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

/// Row 0 of a file, with the names that the program has for fields and cases in its roots.
package final class RenamedRoots {
  /// What the columns of the row are.
  package let description: ClassDescription
  package let layout: ColumnLayout
  private let names: [Int: CurrentNames]

  /// Describes the row.
  ///
  /// - Parameters:
  ///   - roots: the class of row 0 in the file.
  ///   - names: the names in roots, by the indices of their columns.
  /// - Throws: `malformedEncoding` for a type that no column holds.
  package init(_ roots: ClassDescription, _ names: [Int: CurrentNames]) throws(ArchiveError) {
    self.names = names
    description = roots.renaming(names)
    layout = try ColumnLayout(description)
  }

  /// Row 0 with the references of a view.
  ///
  /// - Throws: what is wrong with row 0 of the file.
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
  /// The class with the names that the program has in the types of some columns, by their indices.
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
