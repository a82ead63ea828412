/// The entries of an index.
///
/// Invariant: the first `count` of the `capacity` entries at `start` are initialized. All access by index is
/// checked against `count`.
@usableFromInline
@safe struct JSONWordBuffer: ~Copyable, @unchecked Sendable {  // Nothing else has the memory.
  @usableFromInline let count: Int
  @usableFromInline let start: UnsafeMutablePointer<JSONWord>

  /// The entries that were appended; the appender is not used any more.
  init(_ appender: consuming JSONWordAppender) {
    count = appender.count
    unsafe start = appender.start
  }

  deinit { unsafe start.deallocate() }

  @inlinable subscript(index: Int) -> JSONWord {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return unsafe start[index]
    }
  }
}

/// Entries of an index that is being made. A plain value, so that it stays in registers: it owns its memory,
/// which either a `JSONWordBuffer` takes over or `free()` frees.
///
/// Invariant: the first `count` of the `capacity` entries at `start` are initialized.
@safe struct JSONWordAppender {
  private(set) var count = 0
  private var capacity: Int
  fileprivate private(set) var start: UnsafeMutablePointer<JSONWord>

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    unsafe start = .allocate(capacity: self.capacity)
  }

  func free() { unsafe start.deallocate() }

  /// Makes sure that there is memory for four more entries.
  @inline(__always) mutating func reserveFour() {
    // Of a copy, as what is passed by reference is in memory.
    if capacity &- count < 4 { self = grown() }
  }

  @inline(never) private func grown() -> JSONWordAppender {
    var larger = JSONWordAppender(capacity: capacity * 2)
    unsafe larger.start.moveInitialize(from: start, count: count)
    larger.count = count
    unsafe start.deallocate()
    return larger
  }

  /// Adds an entry, for which there is memory: at most four since `reserveFour()`.
  @inline(__always) mutating func append(_ word: JSONWord) {
    assert(count < capacity)
    unsafe (start + count).initialize(to: word)
    count &+= 1
  }

  /// An entry that was appended.
  @inline(__always) subscript(index: Int) -> JSONWord {
    get {
      assert(index >= 0 && index < count)
      return unsafe start[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      unsafe start[index] = newValue
    }
  }
}
