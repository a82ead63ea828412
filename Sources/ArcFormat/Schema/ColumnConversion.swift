/// A lossless conversion of the values of a column in the file to the kind of a column in the program. Spec:
/// 06-evolution, section 3.
package struct ColumnConversion: Equatable, Sendable {
  /// How values are converted.
  package enum Form: Equatable, Sendable {
    /// The values stay unchanged.
    case unchanged
    /// Each value is converted to an equal value of the program's kind. If there is no equal value, reading
    /// the value is an error.
    case values
    /// Each value becomes a list with one element, so all lengths are 1.
    case single
    /// The presence bits of optionals become lengths of lists: 1 if there is a value, 0 if there is none.
    case present
    /// References become lengths of lists: 0 for a null reference, otherwise 1.
    case references
    /// Null references are removed. The other references stay unchanged.
    case objects
    /// The values are presence bits that are all false. The node represents the bases of URLs, which the file
    /// does not have.
    case absent
    /// Null references become nil or an empty collection: presence bits that are all false, or lengths that
    /// are all 0. A reference to an object is an error.
    case nothing
    /// Reading a value is an error. The file has null references here, to which no value of the program's
    /// type corresponds.
    case refused
    /// The lengths stay unchanged. The elements, which are in the node `elements`, become bytes.
    case bytes(elements: Int)
  }

  /// A requirement that all presence bits of a node are equal to `isPresent`. There is one bit per value.
  package struct Condition: Equatable, Sendable {
    /// The file's node that contains the presence bits.
    let node: Int
    /// The value that each presence bit must have.
    let isPresent: Bool
    /// The program's node whose values depend on the presence bits.
    let wanted: Int
  }

  var form = Form.unchanged
  /// The kind of the values in the file.
  let kind: ColumnKind
  var conditions: [Condition] = []

  /// Whether the conversion is needed, because it converts values or checks conditions.
  var isNeeded: Bool { form != .unchanged || !conditions.isEmpty }
}

extension ColumnKind {
  /// Whether values of the kind are numbers. Boolean values count as the numbers 0 and 1.
  var isNumber: Bool {
    switch self {
    case .bool, .float16, .float32, .float64: true
    default: integerType != nil
    }
  }

  /// Returns the conversion from the kind `other` of a file to this kind. Nil if there is no conversion. A
  /// kind with nested columns is converted only to itself, except that arrays and sets are converted to each
  /// other. Spec: 06-evolution, section 3.
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
    // A reader of integers accepts each width and sign, and throws if a value does not fit.
    if integerType != nil, let bits = other.integerType?.bits, bits <= 64 { return .unchanged }
    return .values
  }
}
