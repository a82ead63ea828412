/// The name of a member. Names are equal if their UTF-8 bytes are equal. So names that are only canonically
/// equivalent in Unicode are different.
struct JSONName: Hashable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (left: JSONName, right: JSONName) -> Bool {
    left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
  }
}

extension String {
  /// The first 80 scalars of the string. Control and format characters are escaped, because a terminal could
  /// interpret them.
  var printable: String {
    var result = ""
    for scalar in unicodeScalars.prefix(80) {
      if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result.unicodeScalars.count < unicodeScalars.count ? result + "…" : result
  }
}

extension [UInt64] {
  /// Appends the bytes of a name, eight per word. The first byte is in the lowest bits. The unused bytes of
  /// the last word are 0.
  mutating func append(packing bytes: [UInt8]) {
    for first in stride(from: 0, to: bytes.count, by: 8) {
      append(bytes[first...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }
}
