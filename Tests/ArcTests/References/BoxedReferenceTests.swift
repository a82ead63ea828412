import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Weak and unowned references of structures in properties of type `any P` and `Any`.
final class BoxedReferenceTests: XCTestCase {
  func testWeakReferenceInAnExistentialReachesItsTarget() throws {
    for read in readers {
      let (node, other) = (BoxKnot(), BoxKnot())
      (node.number, node.next, other.number) = (1, other, 2)
      node.part = BoxHandle(target: node)
      node.any = [BoxHandle(target: other), 7] as [Any]
      other.part = BoxHandle(target: other)
      node.parts = [BoxHandle(target: other), BoxHandle(target: nil)]
      let copy = try read(node)
      XCTAssertTrue((copy.part as? BoxHandle)?.target === copy)
      let last = try XCTUnwrap(copy.next)
      XCTAssertTrue(((copy.any as? [Any])?.first as? BoxHandle)?.target === last)
      XCTAssertTrue((last.part as? BoxHandle)?.target === last)
      XCTAssertEqual(copy.parts.map { ($0 as? BoxHandle)?.target?.number }, [2, nil])
    }
  }

  func testWeakReferenceInAnExistentialRetainsNothing() throws {
    for read in readers {
      let (node, target) = (BoxKnot(), BoxKnot())
      node.part = BoxHandle(target: target)
      let copy = try read(node)
      XCTAssertNotNil(copy.part as? BoxHandle)
      XCTAssertNil((copy.part as? BoxHandle)?.target)
      withExtendedLifetime(target) {}
    }
  }

  func testUnownedReferenceInAnExistentialReachesItsTarget() throws {
    for read in readers {
      let (node, other) = (BoxKnot(), BoxKnot())
      node.next = other
      node.part = BoxAnchor(target: node)
      node.any = BoxAnchor(target: other)
      other.part = BoxAnchor(target: node)
      let copy = try read(node)
      XCTAssertTrue((copy.part as? BoxAnchor)?.target === copy)
      XCTAssertTrue((copy.any as? BoxAnchor)?.target === copy.next)
      XCTAssertTrue((copy.next?.part as? BoxAnchor)?.target === copy)
    }
  }

  func testConstantExistentialKeepsItsWeakTarget() throws {
    let (target, owner) = (BoxKnot(), BoxKnot())
    let rigid = BoxRod(BoxHandle(target: target))
    (owner.any, owner.next) = (rigid, target)
    let copy = try roundTrip(owner)
    XCTAssertTrue(((copy.any as? BoxRod)?.part as? BoxHandle)?.target === copy.next)
  }

  func testConstantPropertyWithWeakReferencesIsRefused() {
    assertThrows(.notArchivable, "which only an initializer can set") {
      try Archiver().archive(BoxStiff(BoxHandle(target: nil)))
    }
  }

  /// The functions that return an equal graph: by archiving, copying and others.
  private var readers: [(BoxKnot) throws -> BoxKnot] {
    [
      { try reread($0, as: BoxKnot.self) },
      { try ObjectGraph.copy($0) },
      { try LazyArchive(bytes: Archiver().archive($0)).object(BoxKnot.self) },
      { try Unarchiver().unarchive(BoxKnot.self, from: Archiver(isCanonical: true).archive($0)) },
    ]
  }
}

private protocol BoxFitting {}
@Archivable private final class BoxKnot: BoxFitting {
  var part: (any BoxFitting)?
  var parts: [any BoxFitting] = []
  @Boxed var any: Any = 0
  var next: BoxKnot?
  var number = 0
}
@Archivable private struct BoxHandle: BoxFitting { weak var target: BoxKnot? }
@Archivable private struct BoxAnchor: BoxFitting { unowned var target: BoxKnot }
@Archivable private final class BoxRod {
  let part: any BoxFitting
  init(_ part: any BoxFitting) { self.part = part }
}
@Archivable private final class BoxStiff {
  let handle: BoxHandle
  init(_ handle: BoxHandle) { self.handle = handle }
}
