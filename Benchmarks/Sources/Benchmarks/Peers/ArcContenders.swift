import Arc

/// A graph that Arc archives and reads, with everything that is needed to measure both.
struct ArcSubject<Root: ArchivableValue> {
  let root: Lazily<Root>
  let objectCount: Int
  /// The classes that no declared type names.
  var classes: [any Archivable.Type] = []
  /// Returns a checksum over all values and links.
  let digest: (Root) throws -> UInt64
  /// Breaks cycles, or a depth that overflows the stack when the graph is freed.
  var dismantle: (Root) throws -> Void = { _ in }

  /// The uncompressed archive.
  var archive: Lazily<[UInt8]> { Lazily { try Archiver().archive(root.value()) } }

  /// Archiving and unarchiving, and the floors of handling their bytes.
  var contenders: [Contender] {
    let archive = archive
    return [archiving(.none), unarchiving(.none)]
      + Operation.allCases.flatMap { Contender.bytes(archive, objectCount: objectCount, operation: $0) }
  }

  /// Archiving with ordered keys of sets and dictionaries, which writes the same bytes in every process.
  var canonicalContender: Contender { archiving(.none, isCanonical: true) }

  /// The same with compression, compared with zlib in one thread.
  func compressedContenders(levels: [Int] = [1, 6]) -> [Contender] {
    let archive = archive
    return levels.flatMap { level in
      [archiving(.zlib(level: level)), unarchiving(.zlib(level: level))]
        + Contender.zlib(archive, level: level, objectCount: objectCount)
    }
  }

  /// Creating a snapshot, which is the time for which an autosave stops its actor. The snapshot is released
  /// without being written.
  var snapshotContenders: [Contender] {
    [Compression.none, .zlib].map { compression in
      Contender(
        name: compression == .none ? Contender.Name.snapshot : "\(Contender.Name.snapshot), zlib",
        role: .option,
        operation: .archive, objectCount: objectCount, remark: "nothing packed yet"
      ) { _ in
        let root = try self.root.value()
        return Call(bytesAreResult: true) {
          try Archiver(compression: compression).snapshot(of: root)
        } byteCount: { _ in
          0
        } check: {
          guard try $0.archive() == Archiver(compression: compression).archive(root) else {
            throw WrongResult(description: "a snapshot gives other bytes")
          }
        }
      }
    }
  }

  /// Copying the graph, archiving and reading it in memory, and comparing it with another copy.
  var valueContenders: [Contender] {
    let dismantle = dismantle
    let copy = Lazily(dismantle: dismantle) { try ObjectGraph.copy(root.value()) }
    return [
      Contender(
        name: Contender.Name.deepCopy, role: .option, operation: .unarchive, objectCount: objectCount,
        remark: "archived before"
      ) { _ in
        let root = try self.root.value()
        return Call(bytesAreResult: false) {
          try ObjectGraph.copy(root)
        } byteCount: { _ in
          0
        } dismantle: {
          try dismantle($0)
        } check: {
          guard try digest($0) == digest(root) else {
            throw WrongResult(description: "a copy of another graph")
          }
        }
      },
      Contender(
        name: Contender.Name.isIsomorphic, role: .option, operation: .archive, objectCount: objectCount,
        remark: "two graphs"
      ) { _ in
        let (root, other) = try (self.root.value(), copy.value())
        return Call(bytesAreResult: true) {
          try ObjectGraph.isIsomorphic(root, other)
        } byteCount: { _ in
          0
        } check: {
          guard $0 else { throw WrongResult(description: "a copy that differs") }
        }
      },
    ]
  }

  private func archiving(_ compression: Compression, isCanonical: Bool = false) -> Contender {
    let archiver = Archiver(compression: compression, isCanonical: isCanonical)
    return Contender(
      name: isCanonical ? Contender.Name.canonicalArc : name(compression),
      role: isCanonical ? .option : role(compression), operation: .archive, objectCount: objectCount
    ) { _ in
      let root = try self.root.value()
      return Call(bytesAreResult: true) {
        try archiver.archive(root)
      } byteCount: {
        $0.count
      }
    }
  }

  private func unarchiving(_ compression: Compression) -> Contender {
    let input = { try Archiver(compression: compression).archive(root.value()) }
    return Contender(
      name: name(compression), role: role(compression), operation: .unarchive, objectCount: objectCount,
      makeInput: input
    ) { bytes in
      let table = ClassTable()
      for type in classes { try table.register(type) }
      return Call(bytesAreResult: false) {
        try Unarchiver(classes: table).unarchive(Root.self, from: bytes)
      } byteCount: { _ in
        bytes.count
      } dismantle: {
        try dismantle($0)
      } check: {
        guard try digest($0) == digest(self.root.value()) else {
          throw WrongResult(description: "Arc read another graph than it wrote")
        }
      }
    }
  }

  private func name(_ compression: Compression) -> String {
    switch compression {
    case .none: Contender.Name.arc
    case .zlib(let level): Contender.Name.arc(zlibLevel: level)
    }
  }

  private func role(_ compression: Compression) -> Contender.Role {
    compression == .none ? .arc : .option
  }
}

extension ArcSubject {
  /// Creates a subject from a graph that an array of walkable objects reaches.
  init<Node: Walkable>(
    graph: Lazily<[Node]>, objectCount: Int, classes: [any Archivable.Type] = [],
    dismantle: @escaping ([Node]) throws -> Void = { _ in }
  ) where Root == [Node] {
    root = graph
    self.objectCount = objectCount
    self.classes = classes
    digest = { WalkMemory(capacity: objectCount).digest($0, comparesLinks: true) }
    self.dismantle = dismantle
  }
}
