import ArcFormat

/// Converts values of one column to the type of another column. The result equals the result of reading the
/// stored column as the other type.
///
/// The values are written to columns in memory and read from them, so only `ColumnResolver` and
/// `ChunkConverter` decide which conversions exist. Spec: 06-evolution, section 3.
final class ValueConversion {
  private let description: ClassDescription
  private let stored: ColumnLayout
  private let wanted: ColumnLayout
  private let set: ColumnReaderSet

  /// Compares two types of columns. Nil if the stored column cannot be read as the wanted column.
  ///
  /// - Parameters:
  ///   - stored: the column from which the values come.
  ///   - wanted: the layout of the column to which the values are converted.
  init?(from stored: ColumnDescription, to wanted: ColumnLayout) {
    let column = ColumnDescription(
      declaringClassIndex: 0, key: stored.key, attributes: stored.attributes, flags: [])
    description = ClassDescription(name: "", superclassIndex: nil, columns: [column])
    // If the column has no layout, there are no values to convert.
    guard let file = try? ColumnLayout(description) else { return nil }
    var resolver = ColumnResolver(wanted: wanted, file: file)
    guard let sources = resolver.resolve(root: 0, fileRoot: 0) else { return nil }
    (self.stored, self.wanted) = (file, wanted)
    set = ColumnReaderSet(
      wanted, sources: sources, in: file, locations: [ColumnLocation(className: "", key: stored.key)],
      strings: StringTable(), context: nil)
  }

  /// Converts a value to the wanted type. The structures in the result have a value in each field. Nil if the
  /// value is not of the stored type, or cannot be converted.
  func converted(_ value: ArchiveValue) -> ArchiveValue? {
    // An error means that the value does not have one of the types, so there is no conversion.
    guard let value = value.held(by: stored), let rows = try? NewRows(description) else { return nil }
    rows.add(ObjectID(rawValue: 1), [value])
    guard let segment = try? rows.segment(classIndex: 0), let chunks = segment.classes.first?.chunks else {
      return nil
    }
    set.bind(chunks)
    let reader = ValueReader(
      layout: wanted, areEmpty: set.areEmpty, budget: DynamicBudget(.ofOwnArchives),
      nesting: ArchiveLimits.ofOwnArchives.nesting)
    return withExtendedLifetime(segment) {
      let value = try? reader.value(set.column(0), node: wanted.roots[0])
      return value.map { TypedValue($0, layout: wanted, node: wanted.roots[0]).withoutAbsentFields }
    }
  }
}

/// Converts values of one column to values of another column if the reverse conversion restores the values.
final class ReversibleConversion {
  private let forward: ValueConversion
  private let back: ValueConversion

  /// Compares the types of two columns. Nil if one of the columns cannot be read as the other.
  init?(
    from stored: ColumnDescription, _ storedLayout: ColumnLayout, to wanted: ColumnDescription,
    _ wantedLayout: ColumnLayout
  ) {
    guard let forward = ValueConversion(from: stored, to: wantedLayout),
      let back = ValueConversion(from: wanted, to: storedLayout)
    else { return nil }
    (self.forward, self.back) = (forward, back)
  }

  /// Converts a value. Nil if the reverse conversion does not restore the value.
  func converted(_ value: ArchiveValue) -> ArchiveValue? {
    guard let new = forward.converted(value), let again = back.converted(new) else { return nil }
    // `==` distinguishes nil from a nil reference. `isSame(as:)` compares numbers bit by bit.
    guard again == value, again.isSame(as: value) else { return nil }
    return new
  }
}
