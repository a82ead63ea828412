/// Remembers what was computed of long texts: a file may mention one a million times, and a reader builds it
/// once.
///
/// Texts are known by their storage, without being read. What is in memory is limited.
package final class SharedTexts {
  /// A shorter text is computed anew.
  private static let longByteCount = 256
  /// The maximum number of bytes of the texts that are remembered.
  private static let byteLimit = 64 << 20

  private var numbers = StringCache()
  private var byteCount = 0

  /// Remembers nothing yet.
  package init() {}

  deinit { numbers.free() }

  /// What a function makes of a text, which is not called for a text that is remembered.
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
