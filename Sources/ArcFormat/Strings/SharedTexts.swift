/// A cache of numbers that were computed from long strings. The cache is useful because a reader creates each
/// string of a file only once, even if the file mentions it a million times.
///
/// The cache finds strings by the address of their storage, without reading their text. The total size of the
/// cached strings is limited.
package final class SharedTexts {
  /// The maximum length, in bytes, of a string that is not cached, because computing its number costs little.
  private static let longByteCount = 256
  /// The maximum number of bytes of all cached strings.
  private static let byteLimit = 64 << 20

  private var numbers = StringCache()
  private var byteCount = 0

  /// Creates an empty cache.
  package init() {}

  deinit { numbers.free() }

  /// Returns the number for a string. Calls `compute` only if the cache does not contain the number.
  package func number(of text: String, _ compute: () throws -> UInt32) rethrows -> UInt32 {
    guard text.utf8.count > Self.longByteCount else { return try compute() }
    let known = numbers.id(of: text)
    if known != StringCache.none { return known }
    let number = try compute()
    byteCount += text.utf8.count
    if byteCount > Self.byteLimit {
      numbers.removeAll()
      byteCount = text.utf8.count
    }
    numbers.insert(text, id: number)
    return number
  }
}
