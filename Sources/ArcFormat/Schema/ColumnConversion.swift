/// How a column of the program is made of one of another kind in the file, where no value loses anything.
/// Spec: 06-evolution, section 3.
package struct ColumnConversion: Equatable, Sendable {
  /// What becomes of the values.
  package enum Form: Equatable, Sendable {
    /// They stay as they are.
    case unchanged
    /// Each becomes the same value of the other kind, if there is one.
    case values
    /// Each becomes a list of its own: lengths of 1.
    case single
    /// Bits of presence become lengths: lists of one value or none.
    case present
    /// References become lengths: of 0 where there is no object.
    case references
    /// References, without those to no object.
    case objects
    /// Each has no base: the bits of presence of something that the file does not have.
    case absent
    /// Lengths stay, and the elements, in a node of their own, become bytes.
    case bytes(elements: Int)
  }

  /// Bits of presence, one for each value, that must all be the same.
  package struct Condition: Equatable, Sendable {
    /// The node of the file with the bits.
    let node: Int
    /// What they must be.
    let isPresent: Bool
    /// The node of the program whose values they are about.
    let wanted: Int
  }

  var form = Form.unchanged
  /// The kind of the file's node.
  let kind: ColumnKind
  var conditions: [Condition] = []

  /// Whether all is read as it is.
  var isNeeded: Bool { form != .unchanged || !conditions.isEmpty }
}

extension ColumnKind {
  /// Whether values are numbers, truth values among them: 0 and 1.
  var isNumber: Bool {
    switch self {
    case .bool, .float16, .float32, .float64: true
    default: integerType != nil
    }
  }

  /// How values of kind `other` in a file become values of this one; nil if they do not. Kinds with nested
  /// columns fit only themselves here. Spec: 06-evolution, section 3.
  func conversion(of other: ColumnKind) -> ColumnConversion.Form? {
    if self == other { return .unchanged }
    switch (self, other) {
    case (.float32, .float16), (.float64, .float16), (.float64, .float32), (.float64, .date),
      (.string, .decimal), (.array, .set), (.set, .array), (.weak, .reference), (.reference, .weak):
      return .unchanged
    case (.string, .uuid), (.string, .date), (.uuid, .string), (.date, .string), (.decimal, .string):
      return .values
    case (.decimal, .bool), (.bool, .decimal), (.decimal, .float16), (.float16, .decimal): return nil
    case (.decimal, _): return other.isNumber ? .values : nil
    case (_, .decimal): return isNumber ? .values : nil
    default: break
    }
    guard isNumber, other.isNumber else { return nil }
    // A reader of integers takes any width and sign, and tells where a value does not fit.
    if integerType != nil, let bits = other.integerType?.bits, bits <= 64 { return .unchanged }
    return .values
  }
}
