import Arc

// Classes of one family, which tests of pooled encoders and decoders archive.

@Archivable class Leaf {
  var name: String
  init(_ name: String) { self.name = name }
}

@Archivable final class Twig: Leaf {
  var length: Int
  init(_ name: String, _ length: Int) {
    self.length = length
    super.init(name)
  }
}

@Archivable final class Bough: Leaf {
  var leaves: [Leaf] = []
  weak var tree: Bough?
  init(_ name: String, _ leaves: [Leaf]) {
    self.leaves = leaves
    super.init(name)
  }
}

@Archivable final class Bud: Leaf {
  var opens = 0.5
  override init(_ name: String) { super.init(name) }
}

/// Throws in the middle of a graph.
final class Failing: Leaf {
  override class var archiveSchema: ClassSchema { ClassSchema(Failing.self, name: "Failing") }
  override init(_ name: String) { super.init(name) }
  required init(from decoder: borrowing ObjectDecoder) throws { throw Failure() }
  override func encode(to encoder: borrowing ObjectEncoder) throws { throw Failure() }
  struct Failure: Error {}
}

/// Bytes of an encoder that no other archive used: the root's name is new, and is then put in place of the
/// other.
func fresh(_ root: some ArchivableValue, _ archiver: Archiver = .init()) throws -> [UInt8] {
  // A pool is told by roots and options; eight other roots push everything else out of it.
  for index in 0..<9 { _ = try archiver.archive(roots: ["other\(index)": [Leaf("x")]]) }
  return try archiver.archive(root)
}
