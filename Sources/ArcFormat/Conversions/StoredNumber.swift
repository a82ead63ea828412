/// A number in a file, of any numeric kind.
package enum StoredNumber {
  case integer(Int128)
  /// An integer that `Int128` cannot represent.
  case large(UInt128)
  case floating(Double)

  /// Reads the number at an index of a plain chunk. Nil if the kind is not numeric.
  init?(_ chunk: Chunk, _ kind: ColumnKind, at index: Int) {
    switch kind {
    case .bool: self = .integer(chunk.bit(index) ? 1 : 0)
    case .float16: self = .floating(Double(Float(half: chunk.values.integer(at: index &* 2))))
    case .float32: self = .floating(Double(Float(bitPattern: chunk.values.integer(at: index &* 4))))
    case .float64: self = .floating(Double(bitPattern: chunk.values.integer(at: index &* 8)))
    case .int128: self = .integer(chunk.values.integer(at: index &* 16))
    case .uint128: self.init(chunk.values.integer(at: index &* 16, as: UInt128.self))
    default:
      guard let type = kind.integerType else { return nil }
      self =
        type.isSigned
        ? .integer(Int128(chunk.values.signed(index, width: chunk.width)))
        : .integer(Int128(chunk.values.unsigned(index, width: chunk.width)))
    }
  }

  private init(_ number: UInt128) {
    self = Int128(exactly: number).map(Self.integer) ?? .large(number)
  }

  /// Parses a decimal notation as a number of a kind. Nil if the kind cannot represent the number.
  init?(decimal text: String, as kind: ColumnKind) {
    switch kind {
    case .float32: self.init(Float(text), text)
    case .float64: self.init(Double(text), text)
    default:
      guard let number = Int128(text) else {
        guard let number = UInt128(text) else { return nil }
        self = .large(number)
        return
      }
      self = .integer(number)
    }
  }

  /// Stores `number`, which was parsed from `text`. Nil if parsing failed, or if the notation of `number`
  /// differs from `text`, because then the number is not exactly equal to the text.
  private init?<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number?, _ text: String) {
    guard let number, DecimalNotation.normalized(number.description) == text else { return nil }
    self = .floating(Double(number))
  }

  /// Returns the decimal notation of the number. Nil if it has no such notation, for example negative zero.
  package func decimal(from kind: ColumnKind) -> String? {
    switch self {
    case .integer(let number): number.description
    case .large(let number): number.description
    case .floating(let number) where number == 0 && number.sign == .minus: nil
    case .floating(let number) where kind == .float32: DecimalNotation.normalized(Float(number).description)
    case .floating(let number): DecimalNotation.normalized(number.description)
    }
  }

  /// Converts the number to an integer. Nil if the type cannot represent it exactly.
  func exactly<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    switch self {
    case .integer(let number): Number(exactly: number)
    case .large(let number): Number(exactly: number)
    case .floating(let number): Number(exactly: number)
    }
  }

  /// Converts the number to a floating-point number. Nil if the type cannot represent it exactly. NaN remains
  /// NaN.
  func exactly<Number: BinaryFloatingPoint>(_ type: Number.Type = Number.self) -> Number? {
    switch self {
    case .integer(let number): Number(exactly: number)
    case .large(let number): Number(exactly: number)
    case .floating(let number): number.isNaN ? Number.nan : Number(exactly: number)
    }
  }
}

extension StoredNumber: CustomStringConvertible {
  package var description: String {
    switch self {
    case .integer(let number): number.description
    case .large(let number): number.description
    case .floating(let number): number.description
    }
  }
}
