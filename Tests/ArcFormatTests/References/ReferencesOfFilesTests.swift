import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// The references read from columns equal the references in the objects.
final class ReferencesOfFilesTests: XCTestCase {
  /// Returns objects with references of each strength, in each kind of column that can contain references.
  private func archive(compression: Compression) throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("first", type: #"@"Node""#), .init("all", type: #"$[@"Node"]"#)], compression: compression
    )
    try builder.addClass(
      "Node",
      properties: [
        .init("next", attributes: #"T@"Node",&,N,V_next"#), .init("number", type: "q"),
        .init("back", attributes: #"T@"Node",W,V_back"#),
        .init("owner", attributes: #"T@"Node",N,V_owner"#),
        .init("nodes", type: #"$[@"Node"]"#),
        .init("pairs", type: #"{Pair="left"@"Node""counts"$[q]"right"@"Node"}"#),
        .init("more", type: #"$?$[@"Node"]"#),
      ])
    try builder.addClass("Leaf", properties: [.init("number", type: "q")])
    let nodes = try (0..<40).map { _ in try builder.reserveObject(ofClass: "Node") }
    try builder.setRoots([
      "first": .reference(nodes[3]), "all": .array(nodes.prefix(5).map { .reference($0) }),
    ])
    for (index, node) in nodes.enumerated() {
      func other(_ step: Int) -> ArchiveValue { .reference(nodes[(index * 3 + step) % nodes.count]) }
      try builder.setValues(
        [
          "next": index % 5 == 0 ? .reference(nil) : other(1), "number": .integer(Int128(index)),
          "back": index % 7 == 0 ? .reference(nil) : other(2), "owner": other(0),
          "nodes": .array((0..<index % 4).map(other)),
          "pairs": .structure(
            name: "Pair",
            fields: [
              .init(name: "left", value: other(5)), .init(name: "counts", value: .array([7, 8])),
              .init(name: "right", value: index % 2 == 0 ? .reference(nil) : other(6)),
            ]),
          "more": index % 3 == 0 ? .null : .array([other(7), other(8)]),
        ], of: node)
    }
    return try builder.finish()
  }

  func testRowReferencesMatchTheReferencesOfObjects() throws {
    for compression in [Compression.none, .zlib] {
      let file = try ArchiveFile(bytes: archive(compression: compression))
      let references = try RowReferences(of: file)
      XCTAssertEqual(references.rowCount, file.rowCount)
      for row in 0..<file.rowCount {
        let object = try file.object(ObjectID(rawValue: UInt32(row)))
        let layout = file.layouts[object.classIndex]
        var expected: [String] = []
        for property in object.properties {
          property.value.forEachReference(layout, node: layout.roots[property.columnIndex]) { id, isWeak in
            let isUnowned = property.key == "owner"
            expected.append("\(id.rawValue) \(isWeak ? "weak" : isUnowned ? "unowned" : "strong")")
          }
        }
        let found = references[row].map { "\(references.target($0)) \(references.strength($0))" }
        XCTAssertEqual(found.sorted(), expected.sorted(), "row \(row)")
      }
    }
  }

  func testReferencesThatExceedMemoryLimitsAreRefused() throws {
    let file = try ArchiveFile(bytes: archive(compression: .none), limits: .untrusted)
    let bytes = file.limits.rawBytes
    XCTAssertNoThrow(try RowReferences(of: file, bytesPerRow: bytes / 64))
    for (bytesPerRow, bytesPerReference) in [(bytes / 40, 5), (8, bytes / 100)] {
      XCTAssertThrowsError(
        try RowReferences(of: file, bytesPerRow: bytesPerRow, bytesPerReference: bytesPerReference)
      ) { XCTAssertEqual(($0 as? ArchiveError)?.code, .limitExceeded) }
    }
  }
}
