/// The kind of the values in a column. The type encoding of the column determines the kind.
///
/// Spec: 04-columns, section 1.
public enum ColumnKind: UInt8, CaseIterable, Sendable {
  /// `true` or `false`.
  case bool
  /// An integer with the width and sign of the case's name.
  case int8, int16, int32, int64, uint8, uint16, uint32, uint64
  /// An integer of 128 bits.
  case int128, uint128
  /// A floating-point number with the width of the case's name.
  case float16, float32, float64
  /// A string, or a value of the Foundation type with the case's name.
  case string, data, date, uuid, decimal
  /// A URL: two nested columns, the string, and the base as an optional string.
  case url
  /// An optional: one bit per value, and a nested column of the values that are present.
  case optional
  /// An array or a set: one length per value, and a nested column of all elements.
  case array, set
  /// A dictionary: one length per value, and two nested columns, all keys and all values.
  case dictionary
  /// A structure: one nested column per field.
  case structure
  /// An enumeration: one case index per value, and one nested column per case with a payload.
  case enumeration
  /// A reference: the row of an object, or 0 for nil.
  case reference
  /// A weak reference. The chunk of a weak column is in a `LINK` segment.
  case weak

  /// The storage format of a column's values in a chunk.
  package enum Storage: Equatable {
    /// The column has no chunk. Only its nested columns have chunks.
    case none
    /// One bit per value.
    case bits
    /// Integers of at most `width` bytes each.
    case integers(width: Int, isSigned: Bool)
    /// `width` bytes per value.
    case fixed(width: Int)
    /// Byte strings of any length.
    case text

    /// Whether the storage is `none`. Faster than `==`, which also compares associated values.
    package var isNone: Bool {
      if case .none = self { true } else { false }
    }
  }

  /// The storage format of values of this kind. Spec: 04-columns, section 1.
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

  /// How a value of a column contains values of the nested columns.
  package enum Nesting {
    /// A value contains no other values.
    case none
    /// A value contains one value of each nested column. The column itself stores nothing.
    case fields
    /// For each value, the column stores a number: a bit or a length. The value contains this number of
    /// values of each nested column.
    case elements
    /// The column stores a case index per value. If the case has associated values, the value contains one
    /// value of the nested column for the case. Otherwise, the value contains no other value.
    case payload
  }

  /// How values of this kind contain values of nested columns. Spec: 04-columns, section 5.
  package var nesting: Nesting {
    switch self {
    case .structure, .url: .fields
    case .optional, .array, .set, .dictionary: .elements
    case .enumeration: .payload
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float16,
      .float32, .float64, .string, .data, .date, .uuid, .decimal, .reference, .weak:
      .none
    }
  }

  /// The width and signedness of an integer kind. Nil for other kinds.
  package var integerType: (bits: Int, isSigned: Bool)? {
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
    case .bool, .float16, .float32, .float64, .string, .data, .date, .uuid, .decimal, .url, .optional,
      .array, .set, .dictionary, .structure, .enumeration, .reference, .weak:
      nil
    }
  }
}
