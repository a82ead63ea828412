import ArcRuntime

// What reading a column as another type means for its values, told before any is read. Spec: 06-evolution,
// section 3.

/// What becomes of values that are read as another type, from the least on.
package enum ConversionEffect: Int, Comparable, Sendable {
  /// They are what they were.
  case none
  /// They are what they were, in something that the file does not have.
  case compatible
  /// Each becomes another that says the same.
  case converted
  /// As far as they fit, which only the values tell.
  case checked
  /// A part of them is not read.
  case lossy

  package static func < (left: ConversionEffect, right: ConversionEffect) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension ColumnResolver {
  /// What becomes of the values of the root that was resolved last.
  package var effect: ConversionEffect {
    // Whether a field that the file lacks has an initial value is known only to the code that reads it.
    var effect = dropsFields ? ConversionEffect.lossy : lacksFields ? .checked : .none
    for (offset, source) in sources.enumerated() {
      effect = max(effect, self.effect(of: source, on: wanted.nodes[firstNode + offset]))
    }
    return effect
  }

  private func effect(of source: ResolvedColumn?, on want: ColumnLayout.Node) -> ConversionEffect {
    let kind = want.kind
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
    guard let node = source.node else { return .none }
    let other = file.nodes[node].kind
    switch (kind, other) {
    case (.weak, .reference), (.reference, .weak): return .compatible
    case (.set, .array): return .checked
    default: return kind == other ? .none : kind.holdsAll(of: other) ? .converted : .checked
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
