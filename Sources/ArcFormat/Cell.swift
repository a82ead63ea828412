/// A value in memory of its own, which one object owns.
///
/// An access to a stored property of a class is checked for overlapping others, at 80 instructions each, unless the
/// compiler sees that there are none. Here the owner sees to it: while it changes the value, nothing is called that leads
/// back to it.
///
/// Invariant: `place` is initialised until `deinit`.
@safe struct Cell<Value>: ~Copyable {
  private let place: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: value)
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  var value: Value {
    @inline(__always) _read { yield unsafe place.pointee }
    @inline(__always) nonmutating _modify { yield unsafe &place.pointee }
  }
}
