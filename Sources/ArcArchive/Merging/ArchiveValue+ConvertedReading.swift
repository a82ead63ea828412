import ArcFormat
import ArcRuntime

extension ArchiveValue {
  /// Whether the value is the result of reading `stored` as another type without loss: a number of another
  /// kind, a parsed string, or an equal value. The value must not contain other values.
  func isConverted(from stored: ArchiveValue) -> Bool {
    switch (self, stored) {
    case (.bool(let flag), .integer(let number)), (.integer(let number), .bool(let flag)):
      number == (flag ? 1 : 0)
    case (.double(let seconds), .date(let other)): seconds.bitPattern == other.bitPattern
    case (.decimal(let text), _) where stored.decimalNotation != nil:
      stored.decimalNotation == text.normalized
    case (_, .decimal(let text)) where decimalNotation != nil: decimalNotation == text.normalized
    // Foundation percent-encodes some characters of a URL that it reads.
    case (.url(let address, let base), .url(let other, let otherBase)):
      address.withoutPercentEncoding == other.withoutPercentEncoding
        && base?.withoutPercentEncoding == otherBase?.withoutPercentEncoding
    case (.data(let bytes), .array(let elements)), (.array(let elements), .data(let bytes)):
      elements == bytes.map { .integer(Int128($0)) }
    default:
      // Numbers are compared by bits, because a zero that is read as an integer loses its sign.
      isSame(as: stored) || isConvertedText(stored)
        || double != nil && double?.bitPattern == stored.double?.bitPattern
    }
  }

  /// The normalized decimal notation of a number. Nil if the number has no decimal notation, or if the value
  /// is not a number.
  private var decimalNotation: String? {
    switch self {
    case .integer(let number): number.description
    case .unsigned(let number): number.description
    case .double(let number): StoredNumber.floating(number).decimal(from: .float64)
    case .float(let number): StoredNumber.floating(Double(number)).decimal(from: .float32)
    default: Optional.none
    }
  }

  /// Whether one of the values is a string, and the other value is the result of reading the string as
  /// another type.
  private func isConvertedText(_ stored: ArchiveValue) -> Bool {
    switch (self, stored) {
    case (.string(let text), let value), (let value, .string(let text)): value.isNoted(as: text)
    default: false
    }
  }

  /// Whether a string is a notation of the value.
  private func isNoted(as text: String) -> Bool {
    switch self {
    case .uuid(let bytes): UUIDNotation.bytes(text) == UUIDNotation.bytes(UUIDNotation.text(bytes))
    case .date(let seconds):
      DateNotation.seconds(text) == seconds || DateNotation.text(seconds)?.hasSameBytes(as: text) ?? false
    case .decimal(let number): text.normalized != nil && text.normalized == number.normalized
    case .url(let address, base: nil): address.withoutPercentEncoding == text.withoutPercentEncoding
    default: false
    }
  }
}

extension String {
  /// The normalized notation of a decimal number. Nil if the string is not a number.
  fileprivate var normalized: String? { DecimalNotation.normalized(self) }

  /// The bytes of the string, with percent-encoded bytes decoded.
  fileprivate var withoutPercentEncoding: [UInt8] {
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
