import ArcFormat

// Kinds of columns, as readers of JSON describe and check them.

extension ColumnKind {
  /// A description of the JSON value that a column of this kind expects, for issues.
  var words: String {
    switch self {
    case .bool: "true or false"
    case .int8, .int16, .int32, .int64, .int128: "an integer of \(rangeInWords)"
    case .uint8, .uint16, .uint32, .uint64, .uint128: "an integer of \(rangeInWords)"
    case .float16, .float32, .float64: "a number"
    case .string: "a string"
    case .data: "a string in base64"
    case .date: "a date such as \"2001-01-31T12:00:00Z\", or in seconds since 1970"
    case .uuid: "a UUID"
    case .decimal: "a decimal number"
    case .url: "a URL"
    case .optional: "a value or null"
    case .array, .set: "an array"
    case .dictionary, .structure, .reference, .weak: "an object"
    case .enumeration: "a case"
    }
  }

  var isNumber: Bool {
    switch self {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float16,
      .float32, .float64:
      true
    default: false
    }
  }

  var isInteger: Bool {
    switch self {
    case .float16, .float32, .float64: false
    default: isNumber
    }
  }

  /// Whether JSON strings can represent the values, which are for example dates.
  var hasNotation: Bool {
    switch self {
    case .date, .uuid, .decimal, .url, .data: true
    default: false
    }
  }

  /// Whether a value fits in an integer column of at most 64 bits.
  func holds(_ value: Int64) -> Bool {
    switch self {
    case .int8: Int8(exactly: value) != nil
    case .int16: Int16(exactly: value) != nil
    case .int32: Int32(exactly: value) != nil
    case .uint8: UInt8(exactly: value) != nil
    case .uint16: UInt16(exactly: value) != nil
    case .uint32: UInt32(exactly: value) != nil
    default: true
    }
  }

  /// A description of the width and the sign of an integer column, for issues.
  private var rangeInWords: String {
    switch self {
    case .int8: "8 bits"
    case .int16: "16 bits"
    case .int32: "32 bits"
    case .int128: "128 bits"
    case .uint8: "8 bits without a sign"
    case .uint16: "16 bits without a sign"
    case .uint32: "32 bits without a sign"
    case .uint64: "64 bits without a sign"
    case .uint128: "128 bits without a sign"
    default: "64 bits"
    }
  }
}
