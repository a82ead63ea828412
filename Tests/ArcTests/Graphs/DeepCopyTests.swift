import Arc
import ArcTestSupport
import XCTest

final class DeepCopyTests: XCTestCase {
  func testCopyIsIsomorphicAndSharesNoObjects() throws {
    let root = Vertex.everything()
    let copy = try ObjectGraph.copy(root)
    XCTAssertNil(try ObjectGraph.difference(between: root, and: copy))
    XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy))
    XCTAssertFalse(copy === root)
    let (one, two) = (copy.children[0], copy.children[1])
    XCTAssertFalse(one === root.children[0])
    XCTAssertTrue(one.left === two && one.parent === copy && one.home === copy)
    XCTAssertTrue(type(of: two) == SubVertex.self && two.left === copy)
    XCTAssertTrue((copy.content as? Amount)?.vertex === two)
    XCTAssertTrue(copy.pair.vertex === one && copy.pair.observer === copy.children[2])
    for member in copy.members { XCTAssertFalse(root.members.contains(member)) }
    for member in copy.owners.keys { XCTAssertTrue(copy.members.contains(member)) }
    XCTAssertEqual(copy.depth, .some(nil))
    try ObjectGraph.release(copy)
    try ObjectGraph.release(root)
  }

  func testChangingTheCopyDoesNotChangeTheGraph() throws {
    let root = Vertex("root", [Vertex("child")])
    let copy = try ObjectGraph.copy(root)
    copy.children[0].name = "changed"
    copy.children.append(Vertex("new"))
    XCTAssertEqual(root.children.map(\.name), ["child"])
  }

  func testCopyOfACollectionCopiesTheObjects() throws {
    let node = Vertex("shared")
    let copy = try ObjectGraph.copy(["a": [node, node], "b": [node]])
    let nodes = (copy["a"] ?? []) + (copy["b"] ?? [])
    XCTAssertEqual(nodes.count, 3)
    XCTAssertTrue(nodes.allSatisfy { $0 === nodes[0] && $0 !== node })
    XCTAssertEqual(try ObjectGraph.copy(3), 3)
    XCTAssertNil(try ObjectGraph.copy(Vertex?.none))
  }

  func testCopyHasTheDynamicClassOfTheRoot() throws {
    let root: Vertex = SubVertex("sub")
    XCTAssertTrue(try ObjectGraph.copy(root) is SubVertex)
    XCTAssertTrue(try ObjectGraph.copy([root])[0] is SubVertex)
  }

  func testTransientPropertiesOfCopiesHaveInitialValues() throws {
    let node = Vertex("a")
    node.cache = "filled"
    XCTAssertEqual(try ObjectGraph.copy(node).cache, "initial")
  }

  func testCopiedWeakReferenceToOutsideObjectIsNil() throws {
    let child = Vertex("child")
    let parent = Vertex("parent", [child])
    XCTAssertNil(try ObjectGraph.copy(child).parent)
    withExtendedLifetime(parent) {}
  }

  func testCopyingUnownedReferenceToOutsideObjectThrows() throws {
    let (node, home) = (Vertex("node"), Vertex("home"))
    node.home = home
    assertThrows(.unownedTarget, "home") { try ObjectGraph.copy(node) }
  }

  /// From a file, a generic class is built only if it is registered.
  func testCopyingNeedsNoRegisteredClasses() throws {
    let node = Vertex("node")
    node.contents = [Crate(contents: ["a"]), Weight(value: 3 as UInt8)]
    let copy = try ObjectGraph.copy(node)
    XCTAssertEqual((copy.contents[0] as? Crate<String>)?.contents, ["a"])
    XCTAssertEqual((copy.contents[1] as? Weight<UInt8>)?.value, 3)
  }

  func testLongChainIsCopiedOnASmallStack() throws {
    let length = RandomTrials.size(usually: 20_000, exhaustively: 1_000_000)
    try onSmallStack {
      let (root, last) = chain(of: length, ChainNode.init) { $0.next = $1 }
      let copy = try ObjectGraph.copy(root)
      XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy))
      last.value = -1
      let difference = try XCTUnwrap(ObjectGraph.difference(between: root, and: copy))
      XCTAssertEqual([difference.first, difference.second], ["-1", "\(length - 1)"])
      XCTAssertTrue(difference.path.hasPrefix("root.next.next"), difference.path)
      XCTAssertTrue(difference.path.hasSuffix("next.value"), difference.path)
      try ObjectGraph.release(root)
      try ObjectGraph.release(copy)
    }
  }

  func testConstructionReferencesAreCopied() throws {
    let image = Picture("a")
    let root = FramedPicture(image)
    let inner = FramedPicture(image, in: root)
    _ = FramedPicture(Mural("b"), in: inner)
    let copy = try ObjectGraph.copy(root)
    XCTAssertTrue(copy.frames[0].parent === copy && copy.frames[0].image === copy.image)
    XCTAssertTrue(copy.frames[0].frames[0].image is Mural)
    XCTAssertNil(try ObjectGraph.difference(between: root, and: copy))
    try ObjectGraph.release(copy)
    try ObjectGraph.release(root)
  }

  func testCopyingCallsArchivingAndUnarchivingHooks() throws {
    let root = Told()
    let copy = try ObjectGraph.copy(root, userInfo: [.teller: "userInfo"])
    XCTAssertEqual(root.log, ["will archive userInfo"])
    XCTAssertEqual(copy.log, ["will archive userInfo", "did unarchive userInfo"])
  }

  func testCopiedCodableValueHasOnlyEncodedMembers() throws {
    let swatch = Swatch(name: "red", owner: CodedOwner(), draft: "not encoded", tags: ["a", "b", "c"])
    let root = Palette([swatch, swatch])
    let copy = try ObjectGraph.copy(root)
    XCTAssertEqual(copy.swatches.map(\.name), ["red", "red"])
    XCTAssertEqual(copy.swatches.map(\.tags), [["a", "b", "c"], ["a", "b", "c"]])
    XCTAssertEqual(copy.swatches.map(\.draft), ["", ""])
    // The objects in the swatch are objects of the copy.
    XCTAssertFalse(copy.swatches[0].owner === swatch.owner)
    XCTAssertTrue(copy.swatches[0].owner === copy.swatches[1].owner)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy))
  }

  func testReplacementsAreCopiedInsteadOfReplacedObjects() throws {
    let root = [Swapped("a"), Swapped("b")]
    let copy = try ObjectGraph.copy(root + root)
    XCTAssertEqual(copy.map(\.name), ["a archived", "b archived", "a archived", "b archived"])
    XCTAssertTrue(copy[0] === copy[2])
  }

  func testFailedCopyReleasesItsObjects() throws {
    let before = Pulse.living
    let root = FailingAwake()
    root.other = root
    XCTAssertThrowsError(try ObjectGraph.copy(root))
    XCTAssertEqual(Pulse.living, before + 1)
    root.other = nil
  }

  func testSmallGraphsCanBeCopiedRepeatedly() throws {
    for round in 0..<20 {
      let root: Vertex =
        round.isMultiple(of: 3) ? SubVertex("\(round)") : Vertex("\(round)", [SubVertex("child")])
      let copy = try ObjectGraph.copy(root)
      XCTAssertEqual(copy.name, root.name)
      XCTAssertTrue(type(of: copy) == type(of: root))
      XCTAssertEqual(copy.children.count, root.children.count)
    }
  }

  /// The compiler accepts that the copy is sent, because no other reference to it exists.
  func testCopyCanBeSentToAnotherTask() async throws {
    let node = Vertex("a", [Vertex("b")])
    let copy = try ObjectGraph.copy(node)
    let name = await Task { copy.children[0].name }.value
    XCTAssertEqual(name, "b")
  }
}

@Archivable private final class Palette {
  @Coded var swatches: [Swatch]
  init(_ swatches: [Swatch]) { self.swatches = swatches }
}

private struct Swatch: Codable {
  var name: String
  var owner: CodedOwner
  var draft = ""
  var tags: Set<String>
  private enum CodingKeys: CodingKey { case name, owner, tags }
}

@Archivable private final class CodedOwner: Codable {
  var name = ""
  init() {}
}

@Archivable private final class Crate<Element: ArchivableValue>: VertexContent {
  var contents: [Element] = []
  init(contents: [Element]) { self.contents = contents }
}

@Archivable private struct Weight<Number: ArchivableValue>: VertexContent {
  var value: Number
}

extension CodingUserInfoKey {
  // swift-format-ignore: NeverForceUnwrap
  fileprivate static let teller = CodingUserInfoKey(rawValue: "teller")!
}

@Archivable private final class Told: ArchivePreparing, UnarchiveFinishing {
  var log: [String] = []
  init() {}
  func willArchive(in context: ArchiveContext) {
    log.append("will archive \(context.userInfo[.teller] ?? "")")
  }
  func didUnarchive(in context: ArchiveContext) {
    log.append("did unarchive \(context.userInfo[.teller] ?? "")")
  }
}

@Archivable private final class Swapped: ArchiveReplacing {
  let name: String
  init(_ name: String) { self.name = name }
  func replacementForArchiving(in context: ArchiveContext) -> any Archivable {
    name.hasSuffix(" archived") ? self : Swapped(name + " archived")
  }
}

@Archivable private final class FailingAwake: UnarchiveFinishing {
  struct Failure: Error {}
  var other: FailingAwake?
  @Transient private var pulse = Pulse()
  init() {}
  func didUnarchive(in context: ArchiveContext) throws { throw Failure() }
}
