/// A validated JSON text with an index of its values. Values are converted only when they are accessed.
///
///     let document = try JSONDocument("{\"id\": 18446744073709551615}")
///     let id = document.root["id"]?.number?.integer(UInt64.self)
///     print(id ?? 0)   // 18446744073709551615
///
/// The whole text must be valid JSON by RFC 8259, in UTF-8. Comments, trailing commas, and numbers such as
/// `NaN` are rejected. A byte order mark at the start of the text is ignored.
///
/// The document stores a copy of the text. The index needs 16 bytes per array or object, and 8 bytes per key,
/// string, number, Boolean or `null`.
public final class JSONDocument: Sendable {
  @usableFromInline let text: JSONText
  @usableFromInline let words: JSONWordBuffer

  /// The treatment of members with the same name in one object.
  ///
  /// RFC 8259 does not define this treatment. If two programs treat such members differently, an attacker can
  /// exploit the difference.
  public enum DuplicateKeys: Hashable, Sendable {
    /// A text is rejected if an object has two members with the same name.
    case refused
    /// The first member with a name is used.
    case first
    /// The last member with a name is used.
    case last
  }

  /// The treatment of members with the same name in one object.
  public let duplicateKeys: DuplicateKeys

  /// Reads a JSON text from its UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - limits: the maximum size and nesting depth of the text.
  ///   - duplicateKeys: the treatment of members with the same name in one object.
  /// - Throws: `JSONError` with the first error in the text.
  /// - Complexity: O(bytes), without recursion.
  public init(
    _ bytes: Span<UInt8>, limits: JSONLimits = .default, duplicateKeys: DuplicateKeys = .refused
  ) throws(JSONError) {
    text = JSONText(bytes)
    self.duplicateKeys = duplicateKeys
    words = try JSONIndexer.index(of: text, limits)
    if duplicateKeys == .refused { try checkKeys() }
  }

  /// Reads a JSON text from its UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8.
  ///   - limits: the maximum size and nesting depth of the text.
  ///   - duplicateKeys: the treatment of members with the same name in one object.
  /// - Throws: `JSONError` with the first error in the text.
  /// - Complexity: O(bytes), without recursion.
  public convenience init(
    _ bytes: [UInt8], limits: JSONLimits = .default, duplicateKeys: DuplicateKeys = .refused
  ) throws(JSONError) {
    try self.init(bytes.span, limits: limits, duplicateKeys: duplicateKeys)
  }

  /// Reads a JSON text from a string.
  ///
  ///     let document = try JSONDocument("[1, 2, 3]", limits: JSONLimits(depth: 8))
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - limits: the maximum size and nesting depth of the text.
  ///   - duplicateKeys: the treatment of members with the same name in one object.
  /// - Throws: `JSONError` with the first error in the text.
  /// - Complexity: O(bytes), without recursion.
  public convenience init(
    _ text: String, limits: JSONLimits = .default, duplicateKeys: DuplicateKeys = .refused
  ) throws(JSONError) {
    try self.init(Array(text.utf8), limits: limits, duplicateKeys: duplicateKeys)
  }

  /// The document of the text `null`.
  package static let null = JSONDocument(nullText: Array("null".utf8))

  private init(nullText bytes: [UInt8]) {
    text = JSONText(bytes.span)
    duplicateKeys = .last
    words = JSONIndexer.indexOfNull()
  }

  /// Creates an index of the value at an offset of a text, and moves the offset after the value. Does not
  /// check for duplicate names.
  init(
    valueAt offset: inout Int, of text: JSONText, levels: Int, _ duplicateKeys: DuplicateKeys
  ) throws(JSONError) {
    self.text = text
    self.duplicateKeys = duplicateKeys
    words = try JSONIndexer.index(ofValueAt: &offset, in: text, levels: levels)
  }

  /// Returns the entry at an index.
  @inlinable @inline(__always) package func word(at index: Int) -> JSONWord { words[index] }

  /// The number of entries in the index.
  @inlinable package var wordCount: Int { words.count }

  /// The outermost value of the text.
  public var root: JSONNode { JSONNode(self, 0) }

  /// Throws `duplicateKey` if an object has two members with the same name.
  private func checkKeys() throws(JSONError) {
    guard let key = secondKey(in: 0..<words.count) else { return }
    throw JSONError(
      .duplicateKey, found: "a second member '\(string(at: key).printable)' of one object",
      expected: "members with distinct names", at: words[key].offset, in: text)
  }

  /// Returns the index of the first key that equals an earlier key of the same object. Searches a value and
  /// all nested values.
  ///
  /// Nil if the keys of each object differ.
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

  /// Whether the names in a small object certainly differ: any two names differ in length or in the first
  /// seven bytes. If false, some names may still differ, so they must be compared as a whole.
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
