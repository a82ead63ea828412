/// The entries of an array's elements or of an object's keys in the index of a document. Entries of nested
/// values are not included.
///
/// The entry of a member's value follows the entry of the member's key.
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

  /// Returns the index of the next element or key. Nil after the last entry.
  @inlinable @inline(__always) package mutating func next() -> Int? {
    guard rest > 0 else { return nil }
    rest &-= 1
    let current = index
    index = document.end(of: areKeys ? current &+ 1 : current)
    return current
  }

  /// The number of remaining entries.
  @inlinable package var underestimatedCount: Int { rest }
}

extension JSONDocument {
  /// Returns the elements of an array. Empty if the entry is not an array.
  @inlinable package func elements(of index: Int) -> JSONEntries {
    JSONEntries(self, of: index, areKeys: false)
  }

  /// Returns the keys of an object. Empty if the entry is not an object.
  @inlinable package func keys(of index: Int) -> JSONEntries { JSONEntries(self, of: index, areKeys: true) }

  /// Returns the number of elements of an array, or 0 if the entry is not an array.
  ///
  /// The entry of the first element is two entries after the entry of the array. The entry of each further
  /// element is at the `end(of:)` of the previous element.
  @inlinable @inline(__always) package func elementCount(of index: Int) -> Int {
    words[index].kind == .array ? words[index].length : 0
  }

  /// Returns the number of members of an object, or 0 if the entry is not an object.
  ///
  /// The entry of the first key is two entries after the entry of the object. The entry of a member's value
  /// follows the entry of its key. The entry of each further key is at the `end(of:)` of the previous value.
  @inlinable @inline(__always) package func memberCount(of index: Int) -> Int {
    words[index].kind == .object ? words[index].length : 0
  }

  /// Returns whether arrays and objects in a value are nested more deeply than a limit.
  ///
  /// A value that is an array or object is itself at level 1.
  ///
  /// - Complexity: O(entries in the value).
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

  /// Returns the index of the entry for element `position` of an array. Nil if the value has no such element.
  package func element(_ position: Int, of index: Int) -> Int? {
    var elements = elements(of: index)
    guard position >= 0, position < elements.underestimatedCount else { return nil }
    for _ in 0..<position { _ = elements.next() }
    return elements.next()
  }

  /// Returns the index of the entry for the value of an object's member. Nil if there is no such member.
  ///
  /// If several members have the name, `duplicateKeys` determines which member is used.
  package func member(_ name: String, of index: Int) -> Int? {
    var found: Int?
    for key in keys(of: index) where isString(at: key, name) {
      found = key + 1
      if duplicateKeys == .first { break }
    }
    return found
  }
}
