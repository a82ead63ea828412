import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

@Archivable private final class HazardChild: ModelFinishing {
  var number = 0
  @Transient var isFinished = false
  nonisolated(unsafe) static var finishedCount = 0
  func didRead() { Self.finishedCount += 1 }
}

@Archivable private final class HazardParent {
  var child: HazardChild?
  var created = Date(timeIntervalSinceReferenceDate: 5)
}

@Archivable private final class HazardLeaf { var number = 0 }

@Archivable private final class HazardRoot {
  var leaf: HazardLeaf?
  var other: HazardOther?
  nonisolated(unsafe) static weak var current: HazardRoot?
}

@Archivable private final class HazardOther {
  @JSONFormat(
    .custom(
      read: {
        HazardRoot.current?.leaf = nil
        return $0
      }, write: { $0 })) var number = 0
}

@Archivable private final class HazardPaths { @Key(json: "ids[0]") var id = 0 }

@Archivable private class HazardShape: JSONClassChoosing {
  var size = 0
  init() {}
  nonisolated(unsafe) static var kinds: [JSONNode.Kind] = []
  class func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    kinds.append(object.kind)
    return nil
  }
}

@Archivable private final class HazardNode {
  var id = 0
  var inner: HazardNode?
}

@Archivable private final class HazardOwner {
  @Key(json: "a.inner") var second: HazardNode?
  @Key(json: "a") var first: HazardNode?
}

@Archivable private struct HazardEnds {
  @Key(json: "node") var start: HazardNode?
  @Key(json: "node") var end: HazardNode?
}

@Archivable private final class HazardEdge { var ends = HazardEnds() }

/// Effects on objects and hooks of the program that reading in one pass must not have.
final class OnePassHazardTests: XCTestCase {
  func testHookRunsOncePerObjectDespiteMissingMembers() throws {
    HazardChild.finishedCount = 0
    let text = (0..<40).map { #"{"child": {"number": \#($0)}}"# }.joined(separator: ",")
    let parents = try [HazardParent](json: "[\(text)]")
    XCTAssertEqual(parents.map { $0.child?.number }, Array(0..<40))
    XCTAssertEqual(HazardChild.finishedCount, 40)
  }

  func testUpdateIsSafeIfTheProgramReleasesObjects() throws {
    for _ in 0..<3 {
      let root = HazardRoot()
      root.leaf = HazardLeaf()
      HazardRoot.current = root
      try root.update(json: #"{"leaf": {"number": 1}, "other": {"number": 2}}"#)
      XCTAssertEqual(root.other?.number, 2)
    }
  }

  func testOnePassReadingUsesTheChosenDuplicateMember() throws {
    let text = Array(#"{"ids": [1], "ids": [2]}"#.utf8)
    XCTAssertEqual(try HazardPaths(json: JSONDocument(text, duplicateKeys: .first)).id, 1)
    // The same as for a member that is the whole value of a property.
    let document = try JSONDocument(text, duplicateKeys: .last)
    XCTAssertThrowsError(try HazardPaths(json: document)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.duplicateKey])
    }
    let (paths, issues) = try ModelReader(.lenient).readWithIssues(HazardPaths.self, from: document)
    XCTAssertEqual(paths.id, 2)
    XCTAssertEqual(issues.map(\.path), ["ids"])
  }

  func testClassChoiceIsCalledOnlyForObjects() {
    HazardShape.kinds = []
    XCTAssertThrowsError(try HazardShape(json: "5"))
    XCTAssertThrowsError(try [HazardShape](json: "[null]"))
    XCTAssertEqual(try [HazardShape](json: #"[{"size": 3}]"#).map(\.size), [3])
    XCTAssertEqual(Set(HazardShape.kinds), [.object])
  }

  func testMemberReadByTwoPropertiesBuildsOneObject() throws {
    let owner = try HazardOwner(json: #"{"a": {"id": 1, "inner": {"id": 2}}}"#)
    XCTAssertEqual(owner.second?.id, 2)
    XCTAssertTrue(owner.first?.inner === owner.second)
    let edge = try HazardEdge(json: #"{"ends": {"node": {"id": 7}}}"#)
    XCTAssertEqual(edge.ends.start?.id, 7)
    XCTAssertTrue(edge.ends.start === edge.ends.end)
  }

  func testDeepValuesAreReadInLinearTime() throws {
    let deep = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
    let text = (0..<3_000).map { #"{"ids": [\#($0)], "x": \#(deep)}"# }.joined(separator: ",")
    XCTAssertEqual(try [HazardPaths](json: "[\(text)]").map(\.id), Array(0..<3_000))
  }
}
