import ArcFormat

// The functions to which `@Key("…", from:)` on a field of a structure expands.

/// The values of the older fields from which a field marked `@Key(_:from:)` is converted.
///
/// `Values` is the type of the older value, or a tuple for several older fields.
public struct __OlderFields<Values> {
  /// The values. Nil if at least one of the fields has no value.
  let values: Values?
  /// Whether an older release set at least one of the fields after a newer release wrote the structure.
  let areChanged: Bool
  /// The index of the first field without a value. Nil if all fields have values.
  let missingField: Int?
}

/// The value of one older field of a structure.
private struct OlderField<Value: ArchivableValue> {
  let index: Int
  /// The value. Nil if the structure has no value for the field, or if the value is nil.
  let value: Value?
  /// Whether an older release set the field after a newer release wrote the structure. Such a field is marked
  /// as a field that structures may lack, and the structure has it.
  let isChanged: Bool

  /// Returns the value of this field for a conversion of several fields. Nil if the field has no value. If
  /// `areChanged` is true because an older release changed one of the fields, an optional field without a
  /// value has the value nil.
  func value(ifChanged areChanged: Bool) -> Value? {
    value ?? (areChanged && Value.__traits.contains(.optional) ? Value.__emptyValue : nil)
  }
}

extension ColumnReader {
  /// Reads the value of an older field of a structure. A field marked `@Key(_:from:)` is converted from this
  /// value.
  ///
  /// Generated code calls this function for each value of the structure, even if the older value is not
  /// needed, because the values of a column must be read in order.
  public func __older<Old: ArchivableValue>(_ index: Int, _ type: Old.Type) throws -> __OlderFields<Old> {
    let old = try older(index, type)
    return __OlderFields(
      values: old.value, areChanged: old.isChanged, missingField: old.value == nil ? index : nil)
  }

  /// Reads the values of two older fields of a structure, which are converted to one field.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue>(
    _ index: Int, _ types: (Old1, Old2).Type
  ) throws -> __OlderFields<(Old1, Old2)> {
    let (field1, field2) = (try older(index, Old1.self), try older(index + 1, Old2.self))
    let areChanged = field1.isChanged || field2.isChanged
    let (old1, old2) = (field1.value(ifChanged: areChanged), field2.value(ifChanged: areChanged))
    guard let old1, let old2 else {
      let missing = old1 == nil ? field1.index : field2.index
      return __OlderFields(values: nil, areChanged: areChanged, missingField: missing)
    }
    return __OlderFields(values: (old1, old2), areChanged: areChanged, missingField: nil)
  }

  /// Reads the values of three older fields of a structure, which are converted to one field.
  public func __older<Old1: ArchivableValue, Old2: ArchivableValue, Old3: ArchivableValue>(
    _ index: Int, _ types: (Old1, Old2, Old3).Type
  ) throws -> __OlderFields<(Old1, Old2, Old3)> {
    let (field1, field2) = (try older(index, Old1.self), try older(index + 1, Old2.self))
    let field3 = try older(index + 2, Old3.self)
    let areChanged = field1.isChanged || field2.isChanged || field3.isChanged
    let (old1, old2) = (field1.value(ifChanged: areChanged), field2.value(ifChanged: areChanged))
    guard let old1, let old2, let old3 = field3.value(ifChanged: areChanged) else {
      let missing = old1 == nil ? field1.index : old2 == nil ? field2.index : field3.index
      return __OlderFields(values: nil, areChanged: areChanged, missingField: missing)
    }
    return __OlderFields(values: (old1, old2, old3), areChanged: areChanged, missingField: nil)
  }

  private func older<Old: ArchivableValue>(_ index: Int, _ type: Old.Type) throws -> OlderField<Old> {
    guard let field = try olderField(index) else {
      return OlderField(index: index, value: nil, isChanged: false)
    }
    // If the type is not optional, the column contains optionals of it, see
    // `__TypeEncodingContext.structure`.
    let value: Old? =
      if type.__traits.contains(.optional) {
        isRecursive ? try readNested(field.column) as Old : try Old.__read(from: field.column)
      } else {
        isRecursive ? try readNested(field.column) as Old? : try Old?.__read(from: field.column)
      }
    return OlderField(index: index, value: value, isChanged: field.isMarked && value != nil)
  }

  /// Converts the value of an older field with the function in `@Key(_:from:)`.
  ///
  /// Returns nil if neither `old` nor `older` has a value that the call needs. `older` converts fields that
  /// are older than `old`. If `changesOnly` is true, the function converts only values that an older release
  /// changed. It then calls `older` first, because the release with the oldest fields has changed the
  /// structure last.
  public func __converted<Old, Value>(
    _ old: __OlderFields<Old>, _ changesOnly: Bool, _ convert: (Old) throws -> Value,
    older: () throws -> Value? = { nil }
  ) throws -> Value? {
    try converted(old, changesOnly, convert, older)
  }

  /// Converts the values of two older fields with the function in `@Key(_:from:)`.
  ///
  /// Returns nil if neither `old` nor `older` has values that the call needs.
  public func __converted<Old1, Old2, Value>(
    _ old: __OlderFields<(Old1, Old2)>, _ changesOnly: Bool, _ convert: (Old1, Old2) throws -> Value,
    older: () throws -> Value? = { nil }
  ) throws -> Value? {
    try converted(old, changesOnly, { try convert($0.0, $0.1) }, older)
  }

  /// Converts the values of three older fields with the function in `@Key(_:from:)`.
  ///
  /// Returns nil if neither `old` nor `older` has values that the call needs.
  public func __converted<Old1, Old2, Old3, Value>(
    _ old: __OlderFields<(Old1, Old2, Old3)>, _ changesOnly: Bool,
    _ convert: (Old1, Old2, Old3) throws -> Value, older: () throws -> Value? = { nil }
  ) throws -> Value? {
    try converted(old, changesOnly, { try convert($0.0, $0.1, $0.2) }, older)
  }

  private func converted<Old, Value>(
    _ old: __OlderFields<Old>, _ changesOnly: Bool, _ convert: (Old) throws -> Value,
    _ older: () throws -> Value?
  ) throws -> Value? {
    guard changesOnly else { return try old.values.map(convert) ?? older() }
    if let value = try older() { return value }
    guard old.areChanged else { return nil }
    if let missing = old.missingField { throw incompleteChange(missing) }
    return try old.values.map(convert)
  }

  /// Returns the error for an incomplete change: an older release set some of the fields from which a field
  /// is converted, but the structure has no value for another of these fields. Spec: 06-evolution, rule M3.
  private func incompleteChange(_ index: Int) -> ArchiveError {
    error(
      .missingKey,
      found: "no value for the older field \(fieldName(index)), in a structure in which an older release set "
        + "another field of the same conversion",
      expected: "a value for each older field of the conversion",
      remedy: "declare the types of the older fields as optionals, as in @Key(\"a\", \"b\", from: (Int?, "
        + "Int?).self, …)")
  }

  /// Returns the value of a field that is marked `@Key(_:from:)`.
  ///
  /// The function calls `older`, which converts the values of older fields. The argument `true` requests only
  /// values that an older release changed after a newer release wrote the structure. They precede `value`,
  /// which was read under the field's own key. If there is neither a changed value nor `value`, the result is
  /// the value that `older(false)` returns. If it is also nil and the type of the field is optional, the
  /// result is nil. Spec: 06-evolution, section 3.
  ///
  /// - Throws: `ArchiveError` with code `missingKey` if there is no value, and the type of the field is not
  ///   optional.
  public func __value<Value: ArchivableValue>(
    _ index: Int, _ value: Value?, older: (_ changesOnly: Bool) throws -> Value?
  ) throws -> Value {
    // A nil in the file also counts as missing, because an older release writes initial values for the fields
    // that it knows.
    if let changed = try older(true) { return changed }
    if let value { return value }
    return try older(false) ?? readMissing(index)
  }

  /// Returns the value of a field that is marked `@Key(_:from:)` and has an initial value.
  ///
  /// The function looks for a value in the same order as for a field without an initial value. If it finds no
  /// value, the result is the initial value.
  public func __value<Value: ArchivableValue>(
    _ index: Int, _ value: Value?, default initial: @autoclosure () throws -> Value,
    older: (_ changesOnly: Bool) throws -> Value?
  ) throws -> Value {
    if let changed = try older(true) { return changed }
    if let value { return value }
    return try older(false) ?? initial()
  }
}
