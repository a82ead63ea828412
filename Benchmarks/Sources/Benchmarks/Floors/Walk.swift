/// An object whose fields a walk can read.
protocol Walkable: AnyObject {
  /// Folds every value into `walk.digest` and passes every reference to `walk`, in the order of declaration.
  func visit(_ walk: inout Walk)
}

/// The floor of archiving: visits each object of a graph once, reads every field, and retains the objects
/// that it found. An archiver must do the same, and also write bytes.
///
/// The memory is allocated beforehand and reused. The graph keeps all objects alive, so an address can be
/// converted back to a reference.
struct Walk {
  /// The order in which objects are read. Which order is faster depends on how the graph was built.
  enum Order: String, CaseIterable {
    case breadthFirst = "breadth first"
    case depthFirst = "depth first"
  }

  var digest = Digest()
  private let order: Order
  private let table: VisitedTable
  private var found: RetainedObjects
  /// The objects that are not yet read. Only used depth first.
  private let stack: UnsafeMutablePointer<UInt>
  private var stackCount = 0
  /// Not nil if the digest depends on the target of each reference.
  private var numbers: ObjectNumbers?

  fileprivate init(_ memory: WalkMemory, _ order: Order, comparesLinks: Bool) {
    self.order = order
    table = memory.table
    found = memory.found
    stack = memory.stack
    numbers = comparesLinks ? ObjectNumbers() : nil
  }

  /// Adds an object if it is new.
  @inline(__always) mutating func reach(_ object: Reference) {
    if object.address == 0 { return digest.fold(UInt64(11)) }
    if table.insert(object.address) {
      found.append(object)
      if order == .depthFirst {
        stack[stackCount] = object.address
        stackCount += 1
      }
    }
    if numbers != nil { foldNumber(of: object) }
  }

  /// Adds the elements of an array.
  @inline(__always) mutating func reach<Object: AnyObject>(all objects: [Object]) {
    digest.fold(objects.count)
    objects.withUnsafeBytes { bytes in
      for address in bytes.assumingMemoryBound(to: UInt.self) { reach(Reference(address: address)) }
    }
  }

  @inline(never) private mutating func foldNumber(of object: Reference) {
    if let number = numbers?.number(of: object) { digest.fold(number) }
  }

  /// Reads all objects until no new object is found, then releases them.
  fileprivate mutating func run<Node: Walkable>(_ type: Node.Type) {
    switch order {
    case .breadthFirst:
      var position = 0
      while position < found.count {
        found[position].unmanaged(type)?._withUnsafeGuaranteedRef { $0.visit(&self) }
        position += 1
      }
    case .depthFirst:
      while stackCount > 0 {
        stackCount -= 1
        let object = Reference(address: stack[stackCount])
        object.unmanaged(type)?._withUnsafeGuaranteedRef { $0.visit(&self) }
      }
    }
    found.removeAll()
  }
}

/// The memory of walks over graphs of up to `capacity` objects, allocated and touched before a walk is timed.
///
/// Invariant of the pointer work: `stack` has space for every object, and a walk pushes each object once.
final class WalkMemory {
  fileprivate let table: VisitedTable
  fileprivate let found: RetainedObjects
  fileprivate let stack: UnsafeMutablePointer<UInt>

  init(capacity: Int) {
    table = VisitedTable(capacity: capacity)
    found = RetainedObjects(capacity: capacity)
    stack = .allocate(capacity: capacity)
    stack.initialize(repeating: 0, count: capacity)
  }

  deinit {
    table.deallocate()
    found.deallocate()
    stack.deallocate()
  }

  /// Returns the digest of all fields of the objects that an array reaches.
  @inline(__always) func digest<Node: Walkable>(
    _ roots: [Node], order: Walk.Order = .breadthFirst, comparesLinks: Bool = false
  ) -> UInt64 {
    table.removeAll()
    var walk = Walk(self, order, comparesLinks: comparesLinks)
    walk.reach(all: roots)
    walk.run(Node.self)
    return walk.digest.value
  }
}
