extension Contender {
  /// The floor of archiving a graph that an array reaches: a `Walk` in two orders, of which the faster one
  /// counts. `suffix` names the kind of objects.
  static func walk<Node: Walkable>(_ roots: Lazily<[Node]>, objectCount: Int, suffix: String = "")
    -> [Contender]
  {
    Walk.Order.allCases.map { order in
      Contender(
        name: "walk, \(order.rawValue)\(suffix)", role: .floor, operation: .archive, objectCount: objectCount
      ) { _ in
        let objects = try roots.value()
        let memory = WalkMemory(capacity: objectCount)
        return Call(bytesAreResult: true) {
          memory.digest(objects, order: order)
        } byteCount: { _ in
          0
        }
      }
    }
  }

  /// A walk without pointers, breadth first.
  static func plainWalk<Node: PlainWalkable>(_ roots: Lazily<[Node]>, objectCount: Int) -> Contender {
    Contender(
      name: Name.plainWalk, role: .peer, operation: .archive, objectCount: objectCount,
      remark: "references counted, no pointers"
    ) { _ in
      let objects = try roots.value()
      var walk = PlainWalk<Node>(capacity: objectCount)
      return Call(bytesAreResult: true) {
        walk.run(objects)
      } byteCount: { _ in
        0
      }
    }
  }

  /// The floor of archiving for a graph with its own walk. `prepare` returns the walk.
  static func walk<Root>(
    _ root: Lazily<Root>, objectCount: Int, prepare: @escaping (Root) -> () -> UInt64
  ) -> Contender {
    Contender(name: "walk", role: .floor, operation: .archive, objectCount: objectCount) { _ in
      Call(bytesAreResult: true, perform: prepare(try root.value()), byteCount: { _ in 0 })
    }
  }

  /// The floor of unarchiving: allocates and links the graph from plain arrays in memory.
  static func rebuild<Columns, Root>(
    _ columns: Lazily<Columns>, name: String = "rebuild", objectCount: Int,
    dismantle: @escaping (Root) throws -> Void = { _ in }, build: @escaping (Columns) -> Root
  ) -> Contender {
    Contender(name: name, role: .floor, operation: .unarchive, objectCount: objectCount) { _ in
      let columns = try columns.value()
      return Call(bytesAreResult: false) {
        build(columns)
      } byteCount: { _ in
        0
      } dismantle: {
        try dismantle($0)
      }
    }
  }

  /// The simplest implementation of a copy: recursive, with a dictionary of copies, on a stack of any depth.
  static func naiveClone<Root>(
    _ root: Lazily<Root>, objectCount: Int, dismantle: @escaping (Root) throws -> Void = { _ in },
    clone: @escaping (Root) -> Root
  ) -> Contender {
    Contender(
      name: "naive clone", role: .peer, operation: .unarchive, objectCount: objectCount,
      remark: "recursive, in memory, both directions in one"
    ) { _ in
      let root = try root.value()
      return Call(bytesAreResult: false) {
        try DeepStack.run { clone(root) }
      } byteCount: { _ in
        0
      } dismantle: {
        try dismantle($0)
      }
    }
  }
}
