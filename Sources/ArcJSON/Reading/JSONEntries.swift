/// The entries directly inside of an array or object: the elements of the one, or the keys of the other, each
/// of which has its value behind it.
@usableFromInline package struct JSONEntries: Sequence, IteratorProtocol, Sendable {
  @usableFromInline let document: JSONDocument
  @usableFromInline let areKeys: Bool
  @usableFromInline var index: Int
  @usableFromInline var rest: Int

  @inlinable init(_ document: JSONDocument, of index: Int, areKeys: Bool) {
    self.document = document
    self.areKeys = areKeys
    self.index = index + 2
    rest = areKeys ? document.memberCount(of: index) : document.elementCount(of: index)
  }

  /// The next element or key; nil behind the last one.
  @inlinable @inline(__always) package mutating func next() -> Int? {
    guard rest > 0 else { return nil }
    rest &-= 1
    let found = index
    index = document.end(of: areKeys ? found &+ 1 : found)
    return found
  }

  /// The number of entries that are left.
  @inlinable package var underestimatedCount: Int { rest }
}

extension JSONDocument {
  /// The elements of an array; none of any other value.
  @inlinable package func elements(of index: Int) -> JSONEntries {
    JSONEntries(self, of: index, areKeys: false)
  }

  /// The keys of an object; none of any other value.
  @inlinable package func keys(of index: Int) -> JSONEntries { JSONEntries(self, of: index, areKeys: true) }

  /// The number of elements of an array; 0 for any other value. They follow each other from the entry behind
  /// the next one on, each up to its `end(of:)`.
  @inlinable @inline(__always) package func elementCount(of index: Int) -> Int {
    words[index].kind == .array ? words[index].length : 0
  }

  /// The number of members of an object; 0 for any other value. Their keys follow each other from the entry
  /// behind the next one on, each with its value behind it.
  @inlinable @inline(__always) package func memberCount(of index: Int) -> Int {
    words[index].kind == .object ? words[index].length : 0
  }

  /// Whether there are more than some arrays and objects inside each other in an entry, itself counted.
  ///
  /// - Complexity: O(entries in it).
  package func isDeeper(than limit: Int, at index: Int) -> Bool {
    var ends: [Int] = []
    var next = index
    while next < end(of: index) {
      while let last = ends.last, next >= last { ends.removeLast() }
      guard word(at: next).isContainer else {
        next += 1
        continue
      }
      ends.append(end(of: next))
      if ends.count > limit { return true }
      next += 2
    }
    return false
  }

  /// An element of an array; nil if there is none, or if it is no array.
  package func element(_ position: Int, of index: Int) -> Int? {
    var elements = elements(of: index)
    guard position >= 0, position < elements.underestimatedCount else { return nil }
    for _ in 0..<position { _ = elements.next() }
    return elements.next()
  }

  /// The value of a member of an object, of several of that name the one that the document says; nil if there
  /// is none, or if it is no object.
  package func member(_ name: String, of index: Int) -> Int? {
    var found: Int?
    for key in keys(of: index) where isString(at: key, name) {
      found = key + 1
      if duplicateKeys == .first { break }
    }
    return found
  }
}
