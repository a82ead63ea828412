extension Goal {
  /// The goals for Arc's speed and memory: first the goals for archiving, then the goals for unarchiving.
  static var all: [Goal] {
    Operation.allCases.flatMap { times($0) + compression($0) + cold($0) + memory($0) } + sizes
  }

  private static func times(_ operation: Operation) -> [Goal] {
    let isArchive = operation == .archive
    var goals: [Goal] = []
    for name in ["people", "mixed", "packages"] {
      goals.append(.floor(name, operation, atMost: isArchive ? 2.5 : 1.3))
    }
    for name in ["tree-depth", "tree-level"] {
      goals.append(.floor(name, operation, atMost: isArchive ? 1.5 : 1.3))
    }
    goals.append(.floor("chain", operation, atMost: isArchive ? 1.5 : 3))
    for name in valueWorkloads { goals.append(.values(name, operation, atMost: 2)) }
    if isArchive {
      // The time for which an asynchronous save may stop its actor.
      goals.append(.floor("game", operation, of: Contender.Name.snapshot, atMost: 1.3))
      // In addition to the floor, which follows addresses: the walk in ordinary Swift, which counts
      // references.
      for name in ["tree-depth", "tree-level", "chain"] {
        goals.append(.speed(name, operation, over: Contender.Name.plainWalk, atLeast: 1 / 1.5))
      }
    }
    goals.append(.speed("numbers", operation, over: Contender.Name.memcpy, atLeast: 0.7))
    goals.append(.time("strings", operation, atMost: isArchive ? 25 : 12))
    for peer in [Contender.Name.json, Contender.Name.protobuf] {
      goals.append(.speed("small", operation, over: peer, atLeast: 1))
    }
    goals.append(.time("small", operation, atMost: 2000))
    return goals
  }

  /// The workloads whose graphs are copied and compared.
  private static var valueWorkloads: [String] { ["people", "tree-level", "mixed", "small", "packages"] }

  private static func compression(_ operation: Operation) -> [Goal] {
    [1, 6].flatMap { level in
      ["people", "numbers"].map { name in
        .speed(
          name, operation, of: Contender.Name.arc(zlibLevel: level), over: Contender.Name.zlib(level: level),
          atLeast: 1.6)
      }
    }
  }

  private static func cold(_ operation: Operation) -> [Goal] {
    WorkloadCatalog.all.map { .cold($0.name, operation, atMost: 1.5) }
  }

  private static func memory(_ operation: Operation) -> [Goal] {
    WorkloadCatalog.all.filter { $0.fullCount > 1 }.map {
      .memory($0.name, operation, perByte: operation == .archive ? 1.5 : 1.2, perObject: 16)
    }
  }

  private static var sizes: [Goal] {
    [
      .size(compressed: false, of: Contender.Name.json, atMost: 0.5),
      .size(compressed: true, of: Contender.Name.propertyList, atMost: 2.0 / 3),
      .size(compressed: true, of: Contender.Name.json, atMost: 1),
    ]
  }
}
