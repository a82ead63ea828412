import ArcFormat

/// The numbers in a text such as `{{0, 0}, {1, 2}}`, in which Foundation stores points, sizes, rectangles and
/// ranges.
enum NumberText {
  case integer(Int128)
  case real(Double)
  case list([NumberText])

  /// The maximum length of a text. A rectangle with long numbers has about 100 bytes.
  static let maximumByteCount = 512
  /// The maximum nesting depth of lists. A rectangle has depth 2: it consists of a point and a size.
  private static let maximumDepth = 3

  /// Parses a list in braces or brackets. Nil for other text.
  init?(_ text: String) {
    var rest = Substring(text).utf8
    guard let list = Self.list(&rest, depth: 1), rest.allSatisfy(XMLScanner.isSpace) else { return nil }
    self = list
  }

  private static func skipSpaces(_ rest: inout Substring.UTF8View) {
    rest = rest.drop(while: XMLScanner.isSpace)
  }

  private static func list(_ rest: inout Substring.UTF8View, depth: Int) -> NumberText? {
    skipSpaces(&rest)
    guard depth <= maximumDepth, let open = rest.first, open == UInt8(ascii: "{") || open == UInt8(ascii: "[")
    else { return nil }
    let close = open + 2
    rest.removeFirst()
    var items: [NumberText] = []
    while true {
      skipSpaces(&rest)
      guard let next = rest.first else { return nil }
      let isNested = next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
      guard let item = isNested ? list(&rest, depth: depth + 1) : number(&rest) else { return nil }
      items.append(item)
      skipSpaces(&rest)
      guard let end = rest.popFirst() else { return nil }
      if end == close { return .list(items) }
      guard end == UInt8(ascii: ",") || end == UInt8(ascii: ";") else { return nil }
    }
  }

  private static func number(_ rest: inout Substring.UTF8View) -> NumberText? {
    let digits = rest.prefix {
      $0 == UInt8(ascii: ".") || $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    guard !digits.isEmpty, let text = String(digits) else { return nil }
    rest = rest.dropFirst(digits.count)
    if let number = Int64(text) { return .integer(Int128(number)) }
    return XMLScanner.real(text).map { .real($0) }
  }
}
