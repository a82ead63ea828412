import ArcRuntime

/// What tells long strings apart, so that a string to which many values refer is read once, not once for each
/// of them.
///
/// Strings that share their storage are found by it. So the most recent ones are retained.
package final class LongTexts {
  /// What a string is known by instead of its bytes: two that differ have one in common with a probability of
  /// 2^-128.
  package struct Fingerprint: Hashable, Sendable {
    package let high: Int
    package let low: Int
    /// The number of bytes of UTF-8.
    package let byteCount: Int
  }

  /// The bits of a string, which are those of no other while it is alive.
  private struct Bits: Hashable {
    let first: UInt64
    let second: UInt64

    init?(_ text: String) {
      guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return nil }
      (first, second) = unsafe unsafeBitCast(text, to: (UInt64, UInt64).self)
    }
  }

  /// Shorter strings are read each time: that is as fast as finding them.
  private static let minimumByteCount = 128
  /// The most bytes of strings that are retained.
  private static let maximumByteCount = 64 << 20

  private var known: [Bits: (text: String, fingerprint: Fingerprint)] = [:]
  private var byteCount = 0

  package init() {}

  /// The fingerprint of a long string; nil for a short one.
  ///
  /// - Complexity: O(bytes) for the first string with some storage, then O(1).
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
