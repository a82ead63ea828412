/// What one column holds; fixed by its type encoding. Spec: 04-columns, section 1.
public enum ColumnKind: UInt8, CaseIterable, Sendable {
  case bool
  case int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case int128, uint128
  case float16, float32, float64
  case string, data, date, uuid, decimal
  /// Two columns: the string, and the base as an optional string.
  case url
  /// One bit a value, and a column of the values that are there.
  case optional
  /// One length a value, and a column of all elements.
  case array, set
  /// One length a value, and two columns: keys and values.
  case dictionary
  /// A column per field.
  case structure
  /// One case index a value, and a column per payload.
  case enumeration
  /// The row of an object, 0 for nil.
  case reference
  /// As `reference`, but the column stands in a `LINK` segment.
  case weak

  /// How the values of a column lie in its chunk.
  package enum Storage: Equatable {
    /// No chunk of its own: only its children have chunks.
    case none
    /// One bit each.
    case bits
    /// Integers in the narrowest width that holds all of the chunk; `width` bytes at most.
    case integers(width: Int, isSigned: Bool)
    /// `width` bytes each.
    case fixed(width: Int)
    /// Byte strings of any length.
    case text

    /// Whether it is `none`: comparing with `==` looks at the numbers, too.
    var isNone: Bool {
      if case .none = self { true } else { false }
    }
  }

  /// How values of this kind are stored.
  package var storage: Storage {
    switch self {
    case .structure, .url: .none
    case .bool, .optional: .bits
    case .int8: .integers(width: 1, isSigned: true)
    case .int16: .integers(width: 2, isSigned: true)
    case .int32: .integers(width: 4, isSigned: true)
    case .int64: .integers(width: 8, isSigned: true)
    case .uint8: .integers(width: 1, isSigned: false)
    case .uint16: .integers(width: 2, isSigned: false)
    case .uint64, .array, .set, .dictionary: .integers(width: 8, isSigned: false)
    case .uint32, .enumeration, .reference, .weak: .integers(width: 4, isSigned: false)
    case .float16: .fixed(width: 2)
    case .float32: .fixed(width: 4)
    case .float64, .date: .fixed(width: 8)
    case .int128, .uint128, .uuid: .fixed(width: 16)
    case .string, .data, .decimal: .text
    }
  }

  /// Of integers, what they are.
  var integerType: (bits: Int, isSigned: Bool)? {
    switch self {
    case .int8: (8, true)
    case .int16: (16, true)
    case .int32: (32, true)
    case .int64: (64, true)
    case .int128: (128, true)
    case .uint8: (8, false)
    case .uint16: (16, false)
    case .uint32: (32, false)
    case .uint64: (64, false)
    case .uint128: (128, false)
    default: nil
    }
  }
}
