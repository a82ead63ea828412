/// Tests which JSON strings are URLs, by their characters.
///
/// Foundation also accepts other strings, but it changes them. For example, it replaces a space by `%20`. A
/// writer would then write a different string.
enum URLNotation {
  /// Whether a string consists only of characters of a URL or relative reference (RFC 3986, section 2) and of
  /// non-ASCII characters (RFC 3987), which Foundation encodes.
  static func isURL(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0, bytes[0] != UInt8(ascii: ":") else { return false }
    var (hasFragment, hasUser) = (false, false)
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "="),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"), 0x80...:
        break
      case UInt8(ascii: "%"):
        guard isHexDigit(index + 1, bytes), isHexDigit(index + 2, bytes) else { return false }
      case UInt8(ascii: "@"):
        guard isInAuthority(index, bytes) else { continue }
        if hasUser { return false }
        hasUser = true
      case UInt8(ascii: "#"):
        if hasFragment { return false }
        hasFragment = true
      case UInt8(ascii: "["), UInt8(ascii: "]"):
        // Only IPv6 addresses have brackets.
        guard isInAuthority(index, bytes) else { return false }
      default: return false
      }
    }
    return true
  }

  private static func isHexDigit(_ index: Int, _ bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      return true
    default: return false
    }
  }

  /// Whether a position in a URL is in its authority: after the first "//", with no "/", "?" or "#" in
  /// between.
  private static func isInAuthority(_ offset: Int, _ bytes: Span<UInt8>) -> Bool {
    var slashCount = 0
    for index in 0..<offset {
      switch bytes[index] {
      case UInt8(ascii: "/"):
        // Two slashes are at the start or after a scheme.
        guard slashCount > 0 || index == 0 || bytes[index - 1] == UInt8(ascii: ":") else { return false }
        slashCount += 1
      case UInt8(ascii: "?"), UInt8(ascii: "#"): return false
      default: if slashCount == 1 { return false }
      }
    }
    return slashCount == 2
  }
}
