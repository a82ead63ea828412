import Arc

// Classes with a common superclass for tests of pooled encoders and decoders.

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

/// A class that throws while a graph is archived.
final class Failing: Leaf {
  override class var archiveSchema: ClassSchema { ClassSchema(Failing.self, name: "Failing") }
  override init(_ name: String) { super.init(name) }
  required init(from decoder: borrowing ObjectDecoder) throws { throw Failure() }
  override func encode(to encoder: borrowing ObjectEncoder) throws { throw Failure() }
  struct Failure: Error {}
}

/// Returns the archive that an unused encoder writes. A new root name ensures that the encoder is new. The
/// name is then replaced by the usual name.
func fresh(_ root: some ArchivableValue, _ archiver: Archiver = .init()) throws -> [UInt8] {
  // The pool stores encoders by roots and options. Eight other roots displace all other encoders.
  for index in 0..<9 { _ = try archiver.archive(roots: ["other\(index)": [Leaf("x")]]) }
  return try archiver.archive(root)
}
