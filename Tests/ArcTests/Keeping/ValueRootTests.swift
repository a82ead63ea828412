import Arc
import ArcArchive
import ArcFormat
import XCTest

/// Roots that are structures with fields that the program does not know. The objects in a root show which
/// archive the root was read from, also after the program changed the root.
final class ValueRootTests: XCTestCase {
  /// The change of the program before it saves.
  private enum Change: CaseIterable { case nothing, title, newObject, nextObject, noObject }

  func testUnknownRootFieldsSurviveWithAndWithoutObjects() throws {
    for (hasLeaf, hasUnknownLeaf) in [(false, false), (false, true), (true, false), (true, true)] {
      for isLeafRegistered in [false, true] {
        for change in Change.allCases {
          let leaf = hasLeaf ? New.Leaf("first", next: New.Leaf("second")) : nil
          let root = New.Root(title: "old", leaf: leaf, unknown: hasUnknownLeaf ? New.Leaf("unknown") : nil)
          let bytes = try Archiver().archive(roots: ["root": root, "other": [1, 2]])
          let content = PreservedContent()
          var read = try self.read(bytes, isLeafRegistered, content)
          XCTAssertEqual(read.title, "old")
          switch change {
          case .nothing: break
          case .title: read.title = "new"
          case .newObject: read.leaf = Old.Leaf("added")
          case .nextObject: read.leaf = read.leaf?.next
          case .noObject: read.leaf = nil
          }
          let saved = try Archiver(preserving: content).archive(read)
          let isAnother = hasLeaf && (change == .newObject || change == .noObject)
          let name = "\(hasLeaf) \(hasUnknownLeaf) \(isLeafRegistered) \(change)"
          let roots = try ArchiveFile(bytes: saved).classes[0].columns.map(\.key).sorted()
          XCTAssertEqual(roots, isAnother ? ["root"] : ["other", "root"], name)
          if isAnother { continue }
          let again = try Unarchiver().unarchive(New.Root.self, from: saved)
          XCTAssertEqual(again.note, "not known", name)
          XCTAssertEqual(again.unknown?.name, hasUnknownLeaf ? "unknown" : nil, name)
          XCTAssertEqual(again.title, read.title, name)
          XCTAssertEqual(again.leaf?.name, read.leaf?.name, name)
        }
      }
    }
  }

  func testUnknownContentIsNotSavedWithAnotherRoot() throws {
    let root = New.Root(title: "old", leaf: nil, unknown: nil)
    let bytes = try Archiver(metadata: ["author": "Ada"]).archive(root)
    let content = PreservedContent()
    let read = try self.read(bytes, true, content)
    for other in [
      try Archiver(preserving: content).archive(Old.Leaf("alone")),
      try Archiver(preserving: content).archive(["text"]),
      try Archiver(preserving: content).archive(roots: ["another": read]),
    ] {
      let file = try ArchiveFile(bytes: other)
      XCTAssertEqual(try file.metadata(), [:])
      XCTAssertEqual(file.classes[0].columns.count, 1)
      XCTAssertThrowsError(try file.value(atPath: "root.note"))
    }
    let own = try ArchiveFile(bytes: Archiver(preserving: content).archive(read))
    XCTAssertEqual(try own.metadata(), ["author": "Ada"])
    XCTAssertEqual(try own.value(atPath: "root.note").value, .string("not known"))
  }

  private func read(
    _ bytes: [UInt8], _ isLeafRegistered: Bool, _ content: PreservedContent
  ) throws -> Old.Root {
    let table = ClassTable(scope: .declared)
    if isLeafRegistered { try table.register(Old.Leaf.self) }
    return try Unarchiver(classes: table, unknownContent: .preserve(in: content))
      .unarchive(Old.Root.self, from: bytes)
  }
}

private enum New {
  @Archivable("ValueRoot.Root") struct Root {
    var title: String
    var leaf: Leaf?
    var note = "not known"
    var unknown: Leaf?
  }
  @Archivable("ValueRoot.Leaf") final class Leaf {
    var name: String
    var next: Leaf?
    init(_ name: String, next: Leaf? = nil) {
      self.name = name
      self.next = next
    }
  }
}

private enum Old {
  @Archivable("ValueRoot.Root") struct Root {
    var title: String
    var leaf: Leaf?
  }
  @Archivable("ValueRoot.Leaf") final class Leaf {
    var name: String
    var next: Leaf?
    init(_ name: String) { self.name = name }
  }
}
