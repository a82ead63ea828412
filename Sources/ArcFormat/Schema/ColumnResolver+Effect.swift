import ArcRuntime

// The effect of reading a column as another type, determined from the types without reading values. Spec:
// 06-evolution, section 3.

extension ColumnResolver {
  /// The worst effect of the differences between the types of the root that was resolved last. Fields that
  /// the file lacks are not considered. Nil if the values are read unchanged.
  package var effect: SchemaDifference.Effect? {
    let ofFields: [SchemaDifference.Effect] = dropsFields ? [.lossy] : []
    let ofNodes = sources.enumerated().compactMap { effect(of: $1, on: wanted.nodes[firstNode + $0]) }
    return (ofFields + (unwrapsRecursiveValues ? [.checked] : []) + ofNodes).max()
  }

  /// Returns the effect of the fields that the file lacks. Nil if all of these fields are optional.
  /// `anyValueIsPossible` is true if the column may contain any value of its type, even a value that cannot
  /// be read. `mayBeAbsent` is true if a row may have no value in the column.
  package func effectOfLack(anyValueIsPossible: Bool, mayBeAbsent: Bool) -> SchemaDifference.Effect? {
    if lackedFields.isEmpty { return nil }
    // Only the code that reads another field knows whether the field has an initial value.
    let isRefused = lackedFields.contains {
      $0.isRequired && (anyValueIsPossible || $0.isInEachValue && !mayBeAbsent)
    }
    return isRefused ? .refused : .checked
  }

  private func effect(of source: ResolvedColumn?, on want: ColumnLayout.Node) -> SchemaDifference.Effect? {
    let kind = want.kind
    // Only the program's conversion decides which older values it accepts.
    if want.isOlder { return source?.isMissing ?? true ? nil : .checked }
    guard let source, !source.isAlwaysPresent, !source.isMissing else { return .compatible }
    if source.cases.contains(where: { $0 == nil }) { return .checked }
    // Objects may be of a class that fits the program's declaration, whatever class the file declares.
    if kind == .reference || kind == .weak, let name = want.name, let node = source.node,
      !(file.nodes[node].name?.hasSameBytes(as: name) ?? false)
    {
      return .checked
    }
    if let conversion = source.conversion {
      if !conversion.conditions.isEmpty { return .checked }
      // For example, a string might not be a valid URL.
      let mayFail =
        [.absent, .nothing, .refused].contains(conversion.form)
        || conversion.form == .values && !kind.holdsAll(of: conversion.kind)
      return mayFail ? .checked : .converted
    }
    guard let node = source.node else { return nil }
    let other = file.nodes[node].kind
    switch (kind, other) {
    case (.weak, .reference), (.reference, .weak): return .compatible
    case (.set, .array): return .checked
    default: return kind == other ? nil : kind.holdsAll(of: other) ? .converted : .checked
    }
  }
}

extension ColumnKind {
  /// Whether this kind can represent every value of the kind `other`. Precondition: `other` has a conversion
  /// to this kind.
  fileprivate func holdsAll(of other: ColumnKind) -> Bool {
    if other == .bool { return isNumber }
    guard let (bits, isSigned) = other.integerType else {
      switch (self, other) {
      case (.string, .uuid), (.string, .decimal), (.float32, .float16), (.float64, .float16),
        (.float64, .float32), (.float64, .date), (.array, .set), (.array, .data):
        return true
      default: return false
      }
    }
    switch self {
    case .float16: return bits <= 8
    case .float32: return bits <= 16
    case .float64: return bits <= 32
    case .decimal: return bits <= 64
    default:
      guard let (wantedBits, wantedSign) = integerType else { return false }
      return wantedSign == isSigned ? wantedBits >= bits : wantedSign && wantedBits > bits
    }
  }
}
