import ArcTestSupport

@testable import ArcFormat

/// The files in `Fixtures/invalid`. Each file breaks the rule of the Spec with which its name begins.
enum InvalidFixtures {
  struct File {
    let name: String
    let bytes: [UInt8]
    var rule: String { String(name.prefix { $0 != "-" }) }
  }

  static func all() throws -> [File] {
    try [container(), segments(), classes(), columns(), graph(), limits()].joined().map {
      File(name: $0.0, bytes: $0.1)
    }
  }

  typealias Named = (String, [UInt8])
  typealias Entry = HandMadeArchive.ClassEntry
  typealias Column = HandMadeArchive.Column

  /// An archive with one root, the number 7.
  static let simple = HandMadeArchive(rootTypes: ["C"], chunks: [HandMadeArchive.chunk([7])])

  /// Returns the simple archive after a change.
  static func changed(_ change: (inout HandMadeArchive) throws -> Void) throws -> [UInt8] {
    var archive = simple
    try change(&archive)
    return try archive.bytes()
  }

  static func chunk(_ values: [UInt8]) -> [UInt8] {
    HandMadeArchive.chunk(values)
  }

  /// Returns an archive with one root of this type and with these chunks.
  static func root(_ type: String, _ chunks: [UInt8]...) throws -> [UInt8] {
    try HandMadeArchive(rootTypes: [type], chunks: chunks).bytes()
  }

  /// Returns the bytes of the simple archive after a change, with correct checksums.
  static func sealed(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
    var bytes = try simple.bytes()
    change(&bytes)
    return HandMadeArchive.sealed(bytes)
  }

  // MARK: Limits of `.untrusted`: 07-limits

  static func limits() throws -> [Named] {
    let limits = ArchiveLimits.untrusted
    let rows = limits.rows / ArchiveLimits.costWithoutBytes + 1
    func compressed(_ archive: HandMadeArchive) throws -> [UInt8] {
      var archive = archive
      archive.segments[0].isCompressed = true
      return try archive.bytes()
    }
    func classes(_ entries: [Entry]) -> HandMadeArchive {
      HandMadeArchive([.classes(entries), .rows(runs: [(0, 1)], classes: [(0, [])])])
    }
    let fields = String(repeating: "C", count: limits.columnsPerClass)
    let wide = Column(declaringClass: 1, key: "k", attributes: "T{S=\(fields)}")
    let long = Column(declaringClass: 1, key: "k", attributes: "Ti," + String(repeating: "x", count: 600_000))
    let nested = [UInt8](repeating: 1, count: limits.nesting + 1) + [0]
    return [
      (
        "A3-rows-without-bytes",
        try HandMadeArchive(
          [
            .classes([Entry(name: "$roots"), Entry(name: "A")]),
            .rows(runs: [(0, 1), (1, rows)], classes: [(0, []), (0, [])]),
          ], rowCount: rows + 1
        ).bytes()
      ),
      (
        "A4-classes",
        try compressed(classes((0...limits.classes).map { Entry(name: $0 == 0 ? "$roots" : "C\($0)") }))
      ),
      ("A5-attributes", try compressed(classes([Entry(name: "$roots"), Entry(name: "A", columns: [long])]))),
      ("A6-fields", try compressed(classes([Entry(name: "$roots"), Entry(name: "A", columns: [wide])]))),
      (
        "A7-elements-without-bytes", try root("$[{E=}]", HandMadeArchive.chunk(1, encoding: 4, [0, 0, 0, 1]))
      ),
      ("A8-tree", try root("{T=\"c\"$[{T}]}", chunk(nested))),
    ]
  }
}
