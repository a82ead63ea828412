/// The entries of the index of a JSON text.
///
/// Invariant: the `count` entries at `start` are initialized. Each access by index is checked against
/// `count`.
@usableFromInline
@safe struct JSONWordBuffer: ~Copyable, @unchecked Sendable {  // Only this value refers to the memory.
  @usableFromInline let count: Int
  @usableFromInline let start: UnsafeMutablePointer<JSONWord>

  /// Creates a buffer that owns the memory of an appender. The appender must not be used afterwards.
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

/// The entries of an index while it is built. This type is a plain value, so that it stays in registers. Its
/// memory must be passed to a `JSONWordBuffer`, or freed by `free()`.
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

  /// Reserves memory for four more entries.
  @inline(__always) mutating func reserveFour() {
    // `grown()` is called on a copy, because a value that is passed by reference is in memory.
    if capacity &- count < 4 { self = grown() }
  }

  @inline(never) private func grown() -> JSONWordAppender {
    var larger = JSONWordAppender(capacity: capacity * 2)
    unsafe larger.start.moveInitialize(from: start, count: count)
    larger.count = count
    unsafe start.deallocate()
    return larger
  }

  /// Appends an entry. At most four calls may follow one call of `reserveFour()`.
  @inline(__always) mutating func append(_ word: JSONWord) {
    assert(count < capacity)
    unsafe (start + count).initialize(to: word)
    count &+= 1
  }

  /// Accesses an appended entry.
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
