/// The entries of an index.
///
/// Invariant: the first `count` of the `capacity` entries at `start` are initialized. All access by index is
/// checked against `count`.
@usableFromInline
@safe struct JSONWordBuffer: ~Copyable, @unchecked Sendable {  // Nothing else has the memory.
  @usableFromInline private(set) var count = 0
  private var capacity: Int
  @usableFromInline private(set) var start: UnsafeMutablePointer<JSONWord>

  /// An empty buffer.
  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// Adds an entry.
  @inline(__always) mutating func append(_ word: JSONWord) {
    if count == capacity { grow() }
    unsafe (start + count).initialize(to: word)
    count &+= 1
  }

  @usableFromInline subscript(index: Int) -> JSONWord {
    @inlinable @inline(__always) get {
      precondition(index >= 0 && index < count)
      return unsafe start[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count)
      unsafe start[index] = newValue
    }
  }

  @inline(never) private mutating func grow() {
    let larger = UnsafeMutablePointer<JSONWord>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = larger
    capacity *= 2
  }
}
