import ArcRuntime

/// A cache of the fingerprints of long strings. A string that many values contain is read once, not once for
/// each value.
///
/// A string is found by its storage, so recently used strings are retained.
package final class LongTexts {
  /// A number that represents the bytes of a string. Two different strings have equal fingerprints with a
  /// probability of 2^-128.
  package struct Fingerprint: Hashable, Sendable {
    package let high: Int
    package let low: Int
    /// The number of bytes of UTF-8.
    package let byteCount: Int
  }

  /// The bits of a string value. While the string exists, no string with another storage has the same bits.
  private struct Bits: Hashable {
    let first: UInt64
    let second: UInt64

    init?(_ text: String) {
      guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return nil }
      (first, second) = unsafe unsafeBitCast(text, to: (UInt64, UInt64).self)
    }
  }

  /// The minimum length of a string in the cache. Shorter strings are read each time, because finding a
  /// string in the cache would take as long as reading it.
  private static let minimumByteCount = 128
  /// The maximum number of bytes of retained strings.
  private static let maximumByteCount = 64 << 20

  private var known: [Bits: (text: String, fingerprint: Fingerprint)] = [:]
  private var byteCount = 0

  package init() {}

  /// Returns the fingerprint of a long string. Nil for a short string.
  ///
  /// - Complexity: O(bytes) for the first use of a storage, then O(1).
  package func fingerprint(of text: String) -> Fingerprint? {
    let count = text.utf8.count
    guard count >= Self.minimumByteCount, let bits = Bits(text) else { return nil }
    if let known = known[bits] { return known.fingerprint }
    let fingerprint = Fingerprint(high: hash(of: text, 0), low: hash(of: text, 1), byteCount: count)
    if byteCount > Self.maximumByteCount - count {
      known.removeAll()
      byteCount = 0
    }
    if count <= Self.maximumByteCount {
      known[bits] = (text, fingerprint)
      byteCount += count
    }
    return fingerprint
  }

  private func hash(of text: String, _ number: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(number)
    ExactName(text).hash(into: &hasher)
    return hasher.finalize()
  }

  /// Whether two strings have the same bytes.
  package func areEqual(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    guard let fingerprint = fingerprint(of: one) else { return one.hasSameBytes(as: other) }
    return fingerprint == self.fingerprint(of: other)
  }
}
