import Synchronization

/// A dictionary that grows and never shrinks: any thread may read and insert at any time, without a lock.
///
/// It is a tree over the bits of the keys' hashes, in which each node is one entry. An entry never changes
/// after it was linked into the tree, and stays until the map is freed, so readers need neither a lock nor a
/// reference count: they follow pointers. Inserting is one compare-and-swap of a free child pointer; a thread
/// that loses it goes on from the winner's node. The road not taken: an immutable snapshot in an atomic
/// pointer needs a copy of everything per registration, and all old copies, since readers do not tell when
/// they are done.
///
/// Invariant: every pointer in the tree leads to an initialized node that is deinitialized in `deinit` only;
/// nodes are linked with release and followed with acquire ordering.
@safe final class PublishedMap<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  @safe private struct Node: ~Copyable {
    let hash: Int
    let key: Key
    let value: Value
    /// The entry that was inserted before; set before the node becomes `latest`, and read through it.
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
    // Every node is in the list of insertions, so no recursion over the tree is needed.
    var next = unsafe latest.load(ordering: .acquiring)
    while let node = unsafe next {
      unsafe next = node.pointee.older
      unsafe Self.free(node)
    }
  }

  /// The value of a key.
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

  /// Inserts a value unless the key has one, and returns the value that the key has then.
  func insert(_ value: Value, for key: Key) -> Value {
    let hash = key.hashValue
    var bits = UInt(bitPattern: hash)
    var parent: Pointer?
    var made: Pointer?
    while true {
      if let node = unsafe child(of: parent, bits) {
        if unsafe node.pointee.hash == hash, unsafe node.pointee.key == key {
          if let made = unsafe made { unsafe Self.free(made) }
          return unsafe node.pointee.value
        }
        // The root is no choice among four: its bits are used one level below.
        if unsafe parent != nil { bits = Self.rotated(bits) }
        unsafe parent = unsafe node
        continue
      }
      let new = unsafe made ?? Self.make(Node(hash: hash, key: key, value: value, older: nil))
      unsafe made = unsafe new
      if unsafe link(new, below: parent, bits) {
        unsafe addToList(new)
        return value
      }
    }
  }

  /// All entries, in the order of insertion.
  var entries: [(key: Key, value: Value)] {
    var found: [(key: Key, value: Value)] = []
    var next = unsafe latest.load(ordering: .acquiring)
    while let node = unsafe next {
      unsafe found.append((node.pointee.key, node.pointee.value))
      unsafe next = node.pointee.older
    }
    return found.reversed()
  }

  /// The child that the two lowest bits choose below a node, or the first node of all.
  private func child(of parent: Pointer?, _ bits: UInt) -> Pointer? {
    guard let parent = unsafe parent else { return unsafe root.load(ordering: .acquiring) }
    switch bits & 3 {
    case 0: return unsafe parent.pointee.first.load(ordering: .acquiring)
    case 1: return unsafe parent.pointee.second.load(ordering: .acquiring)
    case 2: return unsafe parent.pointee.third.load(ordering: .acquiring)
    default: return unsafe parent.pointee.fourth.load(ordering: .acquiring)
    }
  }

  /// Sets a free child pointer to a node; returns whether it still was free.
  private func link(_ new: Pointer, below parent: Pointer?, _ bits: UInt) -> Bool {
    guard let parent = unsafe parent else { return unsafe Self.exchangeNil(in: root, for: new) }
    switch bits & 3 {
    case 0: return unsafe Self.exchangeNil(in: parent.pointee.first, for: new)
    case 1: return unsafe Self.exchangeNil(in: parent.pointee.second, for: new)
    case 2: return unsafe Self.exchangeNil(in: parent.pointee.third, for: new)
    default: return unsafe Self.exchangeNil(in: parent.pointee.fourth, for: new)
    }
  }

  private static func exchangeNil(in place: borrowing Atomic<Pointer?>, for new: Pointer) -> Bool {
    unsafe place.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing).exchanged
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
