import Arc
import ArcTestSupport
import XCTest

/// Copies that share some objects with the graph.
final class SharedPartTests: XCTestCase {
  func testCopySharesObjectsOfTheSelectedClass() throws {
    let (cover, photo) = (Picture("cover"), Mural("photo"))
    let root = Vertex("root", [Vertex("child")])
    root.content = cover
    root.contents = [photo, Amount(number: 1, vertex: root), cover]
    cover.owner = root
    let copy = try ObjectGraph.copy(root, sharing: [.objects(of: Picture.self)])
    XCTAssertTrue(copy.content as? Picture === cover)
    XCTAssertTrue(copy.contents[0] as? Mural === photo && copy.contents[2] as? Picture === cover)
    XCTAssertTrue((copy.contents[1] as? Amount)?.vertex === copy)
    XCTAssertFalse(copy === root || copy.children[0] === root.children[0])
    XCTAssertTrue(cover.owner === root)
    cover.owner = nil
    try ObjectGraph.release(copy)
    try ObjectGraph.release(root)
  }

  func testHandWrittenObjectsReceiveSharedObjects() throws {
    var last: HandPage?
    // The pages fill two segments: many pages, or fewer pages with longer strings.
    let pageCount = RandomTrials.size(usually: 1_000, exhaustively: 10_000)
    let wordCount = RandomTrials.size(usually: 200, exhaustively: 16)
    for number in 0..<pageCount {
      last = HandPage(String(repeating: "text \(number) ", count: wordCount), Picture("\(number)"), last)
    }
    let root = try XCTUnwrap(last)
    let copy = try ObjectGraph.copy(root, sharing: [.objects(of: Picture.self)])
    var (one, other): (HandPage?, HandPage?) = (root, copy)
    while let page = one {
      guard let copied = other, copied !== page, copied.picture === page.picture, copied.text == page.text
      else { return XCTFail(page.text) }
      (one, other) = (page.next, copied.next)
    }
    XCTAssertNil(other)
    try ObjectGraph.release(copy)
    try ObjectGraph.release(root)
  }

  func testSharingASubclassCopiesItsSuperclassObjects() throws {
    let root = Vertex("root")
    root.contents = [Picture("copied"), Mural("shared")]
    let copy = try ObjectGraph.copy(root, sharing: [.objects(of: Mural.self)])
    XCTAssertFalse(copy.contents[0] as? Picture === root.contents[0] as? Picture)
    XCTAssertTrue(copy.contents[1] as? Mural === root.contents[1] as? Mural)
  }

  func testObjectsInConstructionReferencesAndKeysAreShared() throws {
    let image = Mural("a")
    let root = FramedPicture(image)
    _ = FramedPicture(image, in: root)
    let copy = try ObjectGraph.copy(root, sharing: [.objects(of: Picture.self)])
    XCTAssertTrue(copy.image === image && copy.frames[0].image === image && copy.frames[0].parent === copy)
    try ObjectGraph.release(copy)
    try ObjectGraph.release(root)
    let node = Vertex("node")
    let (ann, bob) = (Fellow("Ann"), Fellow("Bob"))
    node.members = [ann, bob]
    node.owners = [ann: Vertex("of Ann")]
    let other = try ObjectGraph.copy(node, sharing: [.objects(of: Fellow.self)])
    XCTAssertEqual(other.members, node.members)
    XCTAssertEqual(other.owners[ann]?.name, "of Ann")
    XCTAssertFalse(other.owners[ann] === node.owners[ann])
  }

  func testCopiedWeakReferencesReachUnretainedSharedObjects() throws {
    let (home, parent) = (SubVertex("home"), SubVertex("parent"))
    let root = Vertex("root")
    (root.home, root.parent) = (home, parent)
    root.pair.observer = parent
    let copy = try ObjectGraph.copy(root, sharing: [.objects(of: SubVertex.self)])
    XCTAssertTrue(copy.home === home && copy.parent === parent)
    XCTAssertTrue(copy.pair.observer === parent)
    XCTAssertFalse(copy === root)
  }

  func testCopiedUnownedReferencesReachSharedOwners() throws {
    let owner = SharedOwner()
    let child = SharedChild(owner)
    owner.children = [child, SharedChild(owner)]
    child.other = owner
    for parts in [
      [GraphSelection.objects(of: SharedOwner.self)],
      [.property("owner", of: SharedChild.self), .property("other", of: SharedChild.self)],
    ] {
      let copy = try ObjectGraph.copy([child], sharing: parts)[0]
      XCTAssertFalse(copy === child)
      XCTAssertTrue(copy.owner === owner && copy.other === owner)
    }
    assertThrows(.unownedTarget) { try ObjectGraph.copy(SharedChild(owner)) }
    withExtendedLifetime(owner) {}
  }

  func testCopyCanShareTheRoot() throws {
    let node = Vertex("a")
    XCTAssertTrue(try ObjectGraph.copy(node, sharing: [.objects(of: Vertex.self)]) === node)
    let copy = try ObjectGraph.copy([node, SubVertex("b")], sharing: [.objects(of: SubVertex.self)])
    XCTAssertFalse(copy[0] === node)
  }

  func testSharedPropertyRefersToTheOriginal() throws {
    let child = Vertex("child", [Vertex("grandchild", [Vertex("last")])])
    let sister = Vertex("sister")
    let parent = Vertex("parent", [child, sister])
    let copy = try ObjectGraph.copy(child, sharing: [.property("parent", of: Vertex.self)])
    XCTAssertTrue(copy.parent === parent)
    XCTAssertFalse(copy === child || copy.children[0] === child.children[0])
    XCTAssertTrue(copy.children[0].parent === copy)
    XCTAssertTrue(copy.children[0].children[0].parent === copy.children[0])
    XCTAssertTrue(parent.children[0] === child && parent.children[1] === sister)
  }

  func testSharedStrongPropertiesReferToTheOriginals() throws {
    let (left, right) = (Vertex("left", [Vertex("behind")]), Vertex("right"))
    left.left = right
    let root = Vertex("root", [Vertex("child")])
    (root.left, root.right) = (left, right)
    let copy = try ObjectGraph.copy(root, sharing: [.property("left", of: Vertex.self)])
    XCTAssertTrue(copy.left === left)
    XCTAssertFalse(copy.right === right)
    let other = try ObjectGraph.copy(
      root, sharing: [.property("left", of: Vertex.self), .property("right", of: SubVertex.self)])
    XCTAssertTrue(other.left === left && other.right === right)
  }

  func testSharedCollectionsReferToTheOriginalObjects() throws {
    let node = Vertex("inner")
    let root = Vertex("root")
    root.content = Amount(number: 1, vertex: node)
    root.byName = ["a": node, "b": root]
    root.members = [Fellow("Ann", node)]
    let copy = try ObjectGraph.copy(
      root,
      sharing: [
        .property("content", of: Vertex.self), .property("byName", of: Vertex.self),
        .property("members", of: Vertex.self),
      ])
    XCTAssertTrue((copy.content as? Amount)?.vertex === node)
    XCTAssertTrue(copy.byName["a"] === node && copy.byName["b"] === copy)
    XCTAssertEqual(copy.members, root.members)
    root.byName = [:]
    copy.byName = [:]
  }

  func testCopiedWeakReferencesToUncopiedObjectsBecomeNil() throws {
    let (watched, outside) = (Vertex("watched"), Vertex("outside"))
    let root = Vertex("root")
    root.left = outside
    root.parent = watched
    let child = Vertex("child")
    child.parent = outside
    root.children = [child]
    let copy = try ObjectGraph.copy(root, sharing: [.property("left", of: Vertex.self)])
    XCTAssertNil(copy.parent)
    // Another reference also refers to the shared object.
    XCTAssertTrue(copy.children[0].parent === outside)
  }

  func testConstructionReferencesCanBeShared() throws {
    let root = FramedPicture(Picture("root"))
    let middle = FramedPicture(Picture("middle"), in: root)
    _ = FramedPicture(Picture("leaf"), in: middle)
    let copy = try ObjectGraph.copy(
      middle,
      sharing: [.property("parent", of: FramedPicture.self), .property("image", of: FramedPicture.self)])
    XCTAssertTrue(copy.parent === root && copy.image === middle.image)
    XCTAssertTrue(copy.frames[0].parent === copy && copy.frames[0].image === middle.frames[0].image)
    XCTAssertFalse(copy.frames[0] === middle.frames[0])
    try ObjectGraph.release(copy)
    try ObjectGraph.release(root)
  }

  func testHandWrittenPropertyCanBeShared() throws {
    let (root, child) = (HandRecord("root"), HandRecord("child"))
    child.parent = root
    child.records = [HandRecord("grandchild")]
    child.records[0].parent = child
    let copy = try ObjectGraph.copy(child, sharing: [.property("parent", of: HandRecord.self)])
    XCTAssertTrue(copy.parent === root && copy.records[0].parent === copy)
    child.records[0].parent = nil
    copy.records[0].parent = nil
  }

  func testSharingAnUnknownPropertyIsAnError() throws {
    assertThrows(.missingKey, "'mother'") {
      try ObjectGraph.copy(Vertex("a"), sharing: [.property("mother", of: Vertex.self)])
    }
  }

  func testHooksOfSharedObjectsAreNotCalled() throws {
    let root = [SilentVertex(), SilentVertex()]
    let copy = try ObjectGraph.copy(root, sharing: [.objects(of: SilentVertex.self)])
    XCTAssertTrue(copy[0] === root[0] && copy[1] === root[1])
  }

  /// The copied objects are released, and the shared objects are unchanged.
  func testFailedCopyDoesNotChangeSharedObjects() throws {
    let shared = Vertex("shared", [Vertex("child")])
    let root = Faulty(shared)
    XCTAssertThrowsError(try ObjectGraph.copy(root, sharing: [.property("shared", of: Faulty.self)]))
    XCTAssertTrue(root.shared?.children.first?.parent === shared)
    XCTAssertEqual(shared.children.count, 1)
  }

  func testLongChainWithSharedObjectsIsCopied() throws {
    let count = RandomTrials.size(usually: 3_000, exhaustively: 100_000)
    try onSmallStack {
      let image = Picture("a")
      let root = Vertex("0")
      var last = root
      for number in 1..<count {
        let next = Vertex("\(number)")
        if number.isMultiple(of: 3) { next.content = image }
        (last.left, next.parent) = (next, last)
        last = next
      }
      last.right = Vertex("out")
      for parts: [GraphSelection] in [
        [.objects(of: Picture.self)], [.objects(of: Picture.self), .property("right", of: Vertex.self)],
      ] {
        let copy = try ObjectGraph.copy(root, sharing: parts)
        XCTAssertNil(try ObjectGraph.difference(between: root, and: copy))
        XCTAssertTrue(copy.left?.left?.left?.content as? Picture === image)
        XCTAssertTrue(copy.left?.left?.parent === copy.left)
        try ObjectGraph.release(copy)
      }
      try ObjectGraph.release(root)
    }
  }
}

@Archivable
private final class SilentVertex: ArchivePreparing, ArchiveReplacing, UnarchiveReplacing, UnarchiveFinishing {
  struct Called: Error {}
  init() {}
  func willArchive(in context: ArchiveContext) throws { throw Called() }
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable { throw Called() }
  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable { throw Called() }
  func didUnarchive(in context: ArchiveContext) throws { throw Called() }
}

@Archivable private final class Faulty: UnarchiveFinishing {
  struct Failure: Error {}
  var shared: Vertex?
  init(_ shared: Vertex) { self.shared = shared }
  func didUnarchive(in context: ArchiveContext) throws { throw Failure() }
}

@Archivable private final class SharedOwner {
  var children: [SharedChild] = []
  init() {}
}

@Archivable private final class SharedChild {
  unowned let owner: SharedOwner
  unowned var other: SharedOwner?
  init(_ owner: SharedOwner) { self.owner = owner }
}
