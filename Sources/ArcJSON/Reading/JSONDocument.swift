/// A JSON text that was checked, with an index of its values: nothing is converted before it is asked for.
///
///     let document = try JSONDocument("{\"id\": 18446744073709551615}")
///     document.root["id"]?.number?.integer(UInt64.self)   // 18446744073709551615
///
/// The text must be JSON as RFC 8259 has it, in UTF-8, all of it. A byte order mark, comments, commas before
/// a closing bracket, and numbers like `NaN` are refused.
///
/// It keeps a copy of the text, and eight bytes for each value and key, sixteen for an array or object.
public final class JSONDocument: Sendable {
  @usableFromInline let text: JSONText
  @usableFromInline let words: JSONWordBuffer

  /// What becomes of an object with several members of one name. RFC 8259 leaves it open, and programs that
  /// decide it differently can be played against each other.
  public enum DuplicateKeys: Hashable, Sendable {
    /// The text is refused.
    case refused
    /// The first one counts.
    case first
    /// The last one counts.
    case last
  }

  /// What becomes of members of one name.
  public let duplicateKeys: DuplicateKeys

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - limits: what it may cost at most.
  ///   - duplicateKeys: what becomes of members of one name.
  /// - Throws: the first thing that is wrong with the text.
  /// - Complexity: O(bytes), without recursion.
  public init(
    _ bytes: Span<UInt8>, limits: JSONLimits = .default, duplicateKeys: DuplicateKeys = .refused
  ) throws(JSONError) {
    text = JSONText(bytes)
    self.duplicateKeys = duplicateKeys
    words = try JSONIndexer.index(of: text, limits)
    if duplicateKeys == .refused { try checkKeys() }
  }

  /// Reads a text, as `init(_:limits:duplicateKeys:)` does for its bytes.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public convenience init(
    _ bytes: [UInt8], limits: JSONLimits = .default, duplicateKeys: DuplicateKeys = .refused
  ) throws(JSONError) {
    try self.init(bytes.span, limits: limits, duplicateKeys: duplicateKeys)
  }

  /// Reads a text, as `init(_:limits:duplicateKeys:)` does for its UTF-8.
  ///
  /// - Throws: the first thing that is wrong with the text.
  public convenience init(
    _ text: String, limits: JSONLimits = .default, duplicateKeys: DuplicateKeys = .refused
  ) throws(JSONError) {
    try self.init(Array(text.utf8), limits: limits, duplicateKeys: duplicateKeys)
  }

  /// An entry of the index.
  @inlinable @inline(__always) package func word(at index: Int) -> JSONWord { words[index] }

  /// The number of entries of the index.
  @inlinable package var wordCount: Int { words.count }

  /// The value of the text.
  public var root: JSONNode { JSONNode(self, 0) }

  /// Throws `duplicateKey` if some object has two members of one name.
  private func checkKeys() throws(JSONError) {
    guard let key = secondKey(in: 0..<words.count) else { return }
    throw JSONError(
      .duplicateKey, found: "a second member '\(string(at: key).printable)'", expected: "one of that name",
      at: words[key].offset, in: text)
  }

  /// The entry of the first key in a value whose object has a member of that name before it, at any depth;
  /// nil if there is none.
  ///
  /// - Complexity: O(entries in the value).
  package func secondKey(inside index: Int) -> Int? { secondKey(in: index..<end(of: index)) }

  private func secondKey(in entries: Range<Int>) -> Int? {
    var names: Set<JSONName> = []
    var beginnings: [UInt64] = []
    for index in entries where words[index].kind == .object && words[index].length > 1 {
      if areKeysDistinct(in: index, &beginnings) { continue }
      names.removeAll(keepingCapacity: true)
      for key in keys(of: index) where !names.insert(JSONName(string(at: key))).inserted { return key }
    }
    return nil
  }

  /// Whether the names in a small object differ in length or in their first seven bytes; false if more must
  /// be compared.
  private func areKeysDistinct(in index: Int, _ beginnings: inout [UInt64]) -> Bool {
    guard words[index].length <= 16 else { return false }
    beginnings.removeAll(keepingCapacity: true)
    for key in keys(of: index) {
      let word = words[key]
      guard word.kind != .escapedString else { return false }
      let count = UInt64(truncatingIfNeeded: min(word.length, 7))
      let beginning = text.word(at: word.offset) & ((1 << (count * 8)) - 1)
      let name = beginning | UInt64(truncatingIfNeeded: word.length) << 56
      if beginnings.contains(name) { return false }
      beginnings.append(name)
    }
    return true
  }
}
