import ArcFormat

/// Converts values of one column into values of another column, as a reader of the other column's type does.
///
/// The values pass through columns in memory, so what fits what is decided by `ColumnResolver` and
/// `ColumnConverter` alone. Spec: 06-evolution, section 3.
final class ValueConversion {
  private let description: ClassDescription
  private let stored: ColumnLayout
  private let wanted: ColumnLayout
  private let set: ColumnReaderSet

  /// Compares two types of columns. Nil if the wanted column cannot be read from the stored one.
  ///
  /// - Parameters:
  ///   - stored: the column that the values are of.
  ///   - wanted: the nodes of the column that they become values of.
  init?(from stored: ColumnDescription, to wanted: ColumnLayout) {
    let column = ColumnDescription(
      declaringClassIndex: 0, key: stored.key, attributes: stored.attributes, flags: [])
    description = ClassDescription(name: "", superclassIndex: nil, columns: [column])
    // A column without a layout has no values to convert.
    guard let file = try? ColumnLayout(description) else { return nil }
    var resolver = ColumnResolver(wanted: wanted, file: file)
    guard let sources = resolver.resolve(root: 0, fileRoot: 0) else { return nil }
    (self.stored, self.wanted) = (file, wanted)
    set = ColumnReaderSet(
      wanted, sources: sources, in: file, locations: [ColumnLocation(className: "", key: stored.key)],
      strings: StringTable(), context: nil)
  }

  /// Converts a value without absent fields. Returns nil if it is not a value of the stored type, or of the
  /// wanted one.
  func converted(_ value: ArchiveValue) -> ArchiveValue? {
    // A value that cannot be written or read is not of the types, so there is no conversion.
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

/// Converts values into those of another column if reading them as what they were gives them again.
final class ReversibleConversion {
  private let forward: ValueConversion
  private let back: ValueConversion

  /// Compares two types of columns. Nil if one cannot be read from the other, in one direction or both.
  init?(
    from stored: ColumnDescription, _ storedLayout: ColumnLayout, to wanted: ColumnDescription,
    _ wantedLayout: ColumnLayout
  ) {
    guard let forward = ValueConversion(from: stored, to: wantedLayout),
      let back = ValueConversion(from: wanted, to: storedLayout)
    else { return nil }
    (self.forward, self.back) = (forward, back)
  }

  /// Converts a value. Returns nil if it would be another value when it is read as what it was.
  func converted(_ value: ArchiveValue) -> ArchiveValue? {
    guard let new = forward.converted(value), let again = back.converted(new) else { return nil }
    // Equality tells nil from a reference to nothing, and sameness tells numbers bit by bit.
    guard again == value, again.isSame(as: value) else { return nil }
    return new
  }
}
