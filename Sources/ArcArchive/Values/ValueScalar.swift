/// A value that contains no other value and is not a reference, simplified for printing: all integer types
/// are one case, and both floating-point types are one case.
package enum ValueScalar {
  /// Nil. The depth is the number of optionals around the innermost nil, minus 1.
  case null(depth: Int)
  /// A Boolean.
  case bool(Bool)
  /// A signed or unsigned integer.
  case integer(IntegerNumber)
  /// A floating-point number of 32 or 64 bits.
  case real(RealNumber)
  /// A string.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A date: seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// A UUID: 16 bytes.
  case uuid([UInt8])
  /// A decimal in its notation.
  case decimal(String)
  /// A URL, and its absolute base if it has a base.
  case url(String, base: String?)

  /// Creates a scalar from a value. Nil if the value is a reference or contains other values.
  package init?(_ value: ArchiveValue) {
    switch value {
    case .null: self = .null(depth: 0)
    case .nestedNull(let depth): self = .null(depth: depth)
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(IntegerNumber(number))
    case .unsigned(let number): self = .integer(IntegerNumber(number))
    case .float(let number): self = .real(.single(number))
    case .double(let number): self = .real(.double(number))
    case .string(let text): self = .string(text)
    case .data(let bytes): self = .data(bytes)
    case .date(let seconds): self = .date(seconds)
    case .uuid(let bytes): self = .uuid(bytes)
    case .decimal(let text): self = .decimal(text)
    case .url(let text, let base): self = .url(text, base: base)
    default: return nil
    }
  }
}

/// An integer of any type. The digits of an integer that fits in `Int` are computed only when they are
/// needed.
package struct IntegerNumber: CustomStringConvertible {
  /// The integer. Nil if `Int` cannot represent the integer.
  package let int: Int?
  /// The digits of an integer that `Int` cannot represent, otherwise empty. They are computed once, because
  /// computing the digits of a 128-bit integer is slow.
  private let digits: String

  fileprivate init(_ number: Int128) {
    int = Int(exactly: number)
    digits = int == nil ? String(number) : ""
  }

  fileprivate init(_ number: UInt128) {
    int = Int(exactly: number)
    digits = int == nil ? String(number) : ""
  }

  /// The decimal digits, after a minus sign if the integer is negative.
  package var description: String { int.map { String($0) } ?? digits }

  /// The integer if its magnitude is below 2^53, so that no reader of JSON rounds it. Otherwise nil.
  package var exactInJSON: Int? { int.flatMap { $0.magnitude < 1 << 53 ? $0 : nil } }
}

/// A floating-point number of 32 or 64 bits.
package enum RealNumber: CustomStringConvertible {
  /// A number of 32 bits.
  case single(Float)
  /// A number of 64 bits.
  case double(Double)

  /// The shortest digits from which a reader of the number's type restores the number. For infinities and
  /// NaN: `inf`, `-inf` or `nan`, possibly with a sign and a payload.
  package var description: String {
    switch self {
    case .single(let number): number.description
    case .double(let number): number.description
    }
  }

  /// Whether the number is NaN.
  package var isNaN: Bool {
    switch self {
    case .single(let number): number.isNaN
    case .double(let number): number.isNaN
    }
  }

  /// The bits of a NaN with a payload or sign, in hexadecimal digits. Nil for other numbers.
  package var bitsOfUnusualNaN: String? {
    switch self {
    case .single(let number): number.isNaN ? Self.digits(number.bitPattern, usual: Float.nan.bitPattern) : nil
    case .double(let number):
      number.isNaN ? Self.digits(number.bitPattern, usual: Double.nan.bitPattern) : nil
    }
  }

  private static func digits(_ bits: some FixedWidthInteger, usual: some FixedWidthInteger) -> String? {
    bits == usual ? nil : String(bits, radix: 16)
  }
}
