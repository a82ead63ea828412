import ArcRuntime

// What reading a column as another type means for its values, told before any is read. Spec: 06-evolution,
// section 3.

extension ColumnResolver {
  /// What becomes of the values of the root that was resolved last, apart from fields that the file lacks;
  /// nil if they are what they were.
  package var effect: SchemaDifference.Effect? {
    let ofFields: [SchemaDifference.Effect] = dropsFields ? [.lossy] : []
    let ofNodes = sources.enumerated().compactMap { effect(of: $1, on: wanted.nodes[firstNode + $0]) }
    return (ofFields + (unwrapsRecursiveValues ? [.checked] : []) + ofNodes).max()
  }

  /// What becomes of the values for want of fields; nil if all are there that are not optional. Where
  /// `anyValueIsPossible`, some is one that cannot be read; a row that `mayBeAbsent` has perhaps none.
  package func effectOfLack(anyValueIsPossible: Bool, mayBeAbsent: Bool) -> SchemaDifference.Effect? {
    if lackedFields.isEmpty { return nil }
    // Whether another has an initial value is known only to the code that reads it.
    let isRefused = lackedFields.contains {
      $0.isRequired && (anyValueIsPossible || $0.isInEachValue && !mayBeAbsent)
    }
    return isRefused ? .refused : .checked
  }

  private func effect(of source: ResolvedColumn?, on want: ColumnLayout.Node) -> SchemaDifference.Effect? {
    let kind = want.kind
    // Only the conversion decides which older values it accepts.
    if want.isOlder { return source?.isMissing ?? true ? nil : .checked }
    guard let source, !source.isAlwaysPresent, !source.isMissing else { return .compatible }
    if source.cases.contains(where: { $0 == nil }) { return .checked }
    // Objects may be of a class that the program's declaration takes, whatever the file's says.
    if kind == .reference || kind == .weak, let name = want.name, let node = source.node,
      !(file.nodes[node].name?.hasSameBytes(as: name) ?? false)
    {
      return .checked
    }
    if let conversion = source.conversion {
      if !conversion.conditions.isEmpty { return .checked }
      // A text need not be a URL.
      let mayFail =
        conversion.form == .absent || conversion.form == .values && !kind.holdsAll(of: conversion.kind)
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
  /// Whether every value of a kind that has a conversion is one of this kind.
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
