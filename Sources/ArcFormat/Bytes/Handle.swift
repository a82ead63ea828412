/// A pointer to one value with its own memory, which several components of a reader or writer share.
///
/// A handle costs as much as a pointer. Copying a handle does not retain anything. Accesses are not checked
/// for overlap: for a stored property of a class, the check costs 80 instructions unless the compiler proves
/// that no accesses overlap.
///
/// Invariant: the code that created the value with `init(_:)` calls `free()` once, after the last use of any
/// handle to the value. While the value is modified, no function is called that accesses it through another
/// handle.
@usableFromInline @frozen @safe package struct Handle<Value: ~Copyable> {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  /// Allocates memory for a value, and moves the value into this memory.
  @inlinable package init(_ value: consuming Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  @inlinable init(pointer: UnsafeMutablePointer<Value>) { unsafe self.pointer = unsafe pointer }

  /// The value in memory.
  @inlinable package var value: Value {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The handle without the type of its value. Columns store such a handle, because they do not know the
  /// type.
  package var opaque: OpaqueHandle { unsafe OpaqueHandle(pointer: UnsafeMutableRawPointer(pointer)) }

  /// Deinitializes the value and frees its memory.
  @inlinable package func free() {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }
}

/// A handle to a value whose type only the creator of the handle knows.
@usableFromInline @frozen @safe package struct OpaqueHandle {
  @usableFromInline let pointer: UnsafeMutableRawPointer

  @usableFromInline init(pointer: UnsafeMutableRawPointer) { unsafe self.pointer = unsafe pointer }

  /// Returns this handle as a handle to a value of a type. The type must be the type of the value.
  @inlinable @inline(__always)
  package func assuming<Value: ~Copyable>(_ type: Value.Type) -> Handle<Value> {
    unsafe Handle(pointer: pointer.assumingMemoryBound(to: Value.self))
  }
}

/// A pointer to several values in their own memory, accessed by index.
///
/// A buffer costs as much as a pointer and a count. The invariant of ``Handle`` applies. Indices are checked
/// only in debug builds.
@usableFromInline @frozen @safe package struct HandleBuffer<Element> {
  @usableFromInline let start: UnsafeMutablePointer<Element>
  /// The number of elements.
  @usableFromInline package let count: Int

  /// Allocates memory for `count` elements. Each element must be set before it is read.
  @inlinable package init(uninitializedCount count: Int) where Element: BitwiseCopyable {
    self.count = count
    unsafe start = .allocate(capacity: max(count, 1))
  }

  /// Allocates memory for elements, and copies the elements into this memory.
  package init(_ elements: [Element]) {
    count = elements.count
    unsafe start = .allocate(capacity: max(count, 1))
    for (index, element) in elements.enumerated() { unsafe (start + index).initialize(to: element) }
  }

  /// Allocates memory for `count` elements, and fills it with copies of an element.
  @inlinable package init(repeating element: Element, count: Int) {
    self.count = count
    unsafe start = .allocate(capacity: max(count, 1))
    unsafe start.initialize(repeating: element, count: count)
  }

  @inlinable init(start: UnsafeMutablePointer<Element>, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// The element at `index`, which must be below `count`.
  @inlinable package subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      assert(index >= 0 && index < count)
      return unsafe UnsafePointer(start + index)
    }
    @inline(__always) nonmutating unsafeMutableAddress {
      assert(index >= 0 && index < count)
      return unsafe start + index
    }
  }

  /// Returns the address of the element at `index`, for prefetching its memory.
  @inlinable @inline(__always)
  package func address(ofElementAt index: Int) -> UInt { unsafe UInt(bitPattern: start + index) }

  /// Returns the elements after the first `dropped` elements. Empty if there are fewer elements. The result
  /// does not own the elements.
  @inlinable @inline(__always)
  package func dropFirst(_ dropped: Int) -> HandleBuffer {
    let dropped = min(max(dropped, 0), count)
    return unsafe HandleBuffer(start: start + dropped, count: count &- dropped)
  }

  /// Returns the index, in this buffer, of the first element of `rest`. `rest` must be a result of
  /// `dropFirst`.
  package func index(ofFirstIn rest: HandleBuffer) -> Int { unsafe rest.start - start }

  /// Sets all elements in a range of indices to one value. The indices must be below `count`.
  package func fill(_ range: Range<Int>, with element: Element) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    unsafe (start + range.lowerBound).update(repeating: element, count: range.count)
  }

  /// Moves the elements into memory for `count` elements. The additional elements are copies of `element`.
  /// `count` must not be less than the current count. Other handles to the elements become invalid.
  package mutating func grow(to count: Int, with element: Element) {
    precondition(count >= self.count)
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
    unsafe grown.moveInitialize(from: start, count: self.count)
    unsafe (grown + self.count).initialize(repeating: element, count: count - self.count)
    unsafe start.deallocate()
    self = unsafe HandleBuffer(start: grown, count: count)
  }

  /// Deinitializes the elements and frees their memory.
  @inlinable package func free() {
    unsafe start.deinitialize(count: count)
    unsafe start.deallocate()
  }
}

/// A value in its own memory that belongs to one owner. When the owner is released, the memory is freed.
@usableFromInline @frozen @safe package struct Cell<Value>: ~Copyable {
  @usableFromInline let handle: Handle<Value>

  /// Allocates memory for a value, and moves the value into this memory.
  @inlinable package init(_ value: Value) { handle = Handle(value) }

  @inlinable deinit { handle.free() }

  /// The value in memory.
  @inlinable package var value: Value {
    @inline(__always) _read { yield handle.value }
    @inline(__always) nonmutating _modify { yield &handle.value }
  }
}
