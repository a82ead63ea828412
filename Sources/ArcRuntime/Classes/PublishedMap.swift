import Synchronization

/// A dictionary that only grows. Any thread can read and insert at any time, without a lock.
///
/// The dictionary is a tree over the bits of the keys' hashes. Each node is one entry, which never changes
/// after it was linked into the tree and is freed only with the map. Therefore readers follow pointers
/// without a lock or a reference count. An insertion is one compare-and-swap of a free child pointer. A
/// thread that loses the race continues at the winner's node.
///
/// An immutable snapshot in an atomic pointer would need a copy of all entries per registration. It would
/// also retain all old copies, because readers do not report when they finish.
///
/// Invariant: every pointer in the tree refers to an initialized node, which only `deinit` deinitializes.
/// Nodes are linked with release ordering and followed with acquire ordering.
@safe final class PublishedMap<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  @safe private struct Node: ~Copyable {
    let hash: Int
    let key: Key
    let value: Value
    /// The entry inserted before this one. Set before the node becomes `latest`, and read only through
    /// `latest`.
    var older: Pointer?
    let first = unsafe Atomic<Pointer?>(nil)
    let second = unsafe Atomic<Pointer?>(nil)
    let third = unsafe Atomic<Pointer?>(nil)
    let fourth = unsafe Atomic<Pointer?>(nil)
  }
  private typealias Pointer = UnsafeMutablePointer<Node>

  private let root = unsafe Atomic<Pointer?>(nil)
  private let latest = unsafe Atomic<Pointer?>(nil)

  init() {}

  deinit {
    // The list of insertions contains every node, so no recursion over the tree is needed.
    var next = unsafe latest.load(ordering: .acquiring)
    while let node = unsafe next {
      unsafe next = node.pointee.older
      unsafe Self.free(node)
    }
  }

  /// Returns the value of a key. Nil if the key has no value.
  func value(for key: Key) -> Value? {
    let hash = key.hashValue
    var bits = UInt(bitPattern: hash)
    var next = unsafe child(of: nil, bits)
    while let node = unsafe next {
      if unsafe node.pointee.hash == hash, unsafe node.pointee.key == key { return unsafe node.pointee.value }
      unsafe next = unsafe child(of: node, bits)
      bits = Self.rotated(bits)
    }
    return nil
  }

  /// Inserts a value if the key has no value yet. Returns the value that the key has after the call: the
  /// inserted value, or the earlier value.
  func insert(_ value: Value, for key: Key) -> Value {
    let hash = key.hashValue
    var bits = UInt(bitPattern: hash)
    var parent: Pointer?
    var unlinked: Pointer?
    while true {
      if let node = unsafe child(of: parent, bits) {
        if unsafe node.pointee.hash == hash, unsafe node.pointee.key == key {
          if let unlinked = unsafe unlinked { unsafe Self.free(unlinked) }
          return unsafe node.pointee.value
        }
        // The root pointer is not chosen by bits, so the first bits choose among the children of the root
        // node.
        if unsafe parent != nil { bits = Self.rotated(bits) }
        unsafe parent = unsafe node
        continue
      }
      let new = unsafe unlinked ?? Self.make(Node(hash: hash, key: key, value: value, older: nil))
      unsafe unlinked = unsafe new
      if unsafe link(new, below: parent, bits) {
        unsafe addToList(new)
        return value
      }
    }
  }

  var entries: [(key: Key, value: Value)] {
    var entries: [(key: Key, value: Value)] = []
    var next = unsafe latest.load(ordering: .acquiring)
    while let node = unsafe next {
      unsafe entries.append((node.pointee.key, node.pointee.value))
      unsafe next = node.pointee.older
    }
    return entries.reversed()
  }

  /// Returns the child that the two lowest bits choose. Without a parent, returns the root node.
  private func child(of parent: Pointer?, _ bits: UInt) -> Pointer? {
    guard let parent = unsafe parent else { return unsafe root.load(ordering: .acquiring) }
    switch bits & 3 {
    case 0: return unsafe parent.pointee.first.load(ordering: .acquiring)
    case 1: return unsafe parent.pointee.second.load(ordering: .acquiring)
    case 2: return unsafe parent.pointee.third.load(ordering: .acquiring)
    default: return unsafe parent.pointee.fourth.load(ordering: .acquiring)
    }
  }

  /// Links `new` into the tree: as the child of `parent` that the two lowest bits choose or, without a
  /// parent, as the root. Returns false if the tree has a node there already.
  private func link(_ new: Pointer, below parent: Pointer?, _ bits: UInt) -> Bool {
    guard let parent = unsafe parent else { return unsafe Self.exchangeNil(in: root, for: new) }
    switch bits & 3 {
    case 0: return unsafe Self.exchangeNil(in: parent.pointee.first, for: new)
    case 1: return unsafe Self.exchangeNil(in: parent.pointee.second, for: new)
    case 2: return unsafe Self.exchangeNil(in: parent.pointee.third, for: new)
    default: return unsafe Self.exchangeNil(in: parent.pointee.fourth, for: new)
    }
  }

  private static func exchangeNil(in child: borrowing Atomic<Pointer?>, for new: Pointer) -> Bool {
    unsafe child.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  private func addToList(_ new: Pointer) {
    var current = unsafe latest.load(ordering: .acquiring)
    while true {
      unsafe new.pointee.older = unsafe current
      let result = unsafe latest.compareExchange(
        expected: current, desired: new, ordering: .acquiringAndReleasing)
      if unsafe result.exchanged { return }
      unsafe current = unsafe result.original
    }
  }

  private static func rotated(_ bits: UInt) -> UInt { bits >> 2 | bits << (UInt.bitWidth - 2) }

  private static func make(_ node: consuming Node) -> Pointer {
    let pointer = Pointer.allocate(capacity: 1)
    unsafe pointer.initialize(to: node)
    return unsafe pointer
  }

  private static func free(_ node: Pointer) {
    unsafe node.deinitialize(count: 1)
    unsafe node.deallocate()
  }
}
