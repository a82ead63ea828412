import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// An archiving error contains the path from a root to the value.
final class ArchivingPathTests: XCTestCase {
  private func path(
    _ code: ArchiveError.Code = .notArchivable, of roots: KeyValuePairs<String, any ArchivableValue>,
    isCanonical: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) -> String? {
    var path: String?
    XCTAssertThrowsError(
      try Archiver(isCanonical: isCanonical).archive(roots: roots), file: file, line: line
    ) {
      XCTAssertEqual(($0 as? ArchiveError)?.code, code, "\($0)", file: file, line: line)
      path = ($0 as? ArchiveError)?.objectPath
    }
    return path
  }

  func testErrorPathIncludesObjectsPropertiesAndValues() {
    let (root, ada) = (Crate(), Crate())
    root.parts = [Crate(), Crate()]
    root.parts[1].index = ["ada": ada]
    ada.any = Stranger()
    XCTAssertEqual(path(of: ["root": root]), #"root.parts[1].index["ada"].any"#)
    ada.any = nil
    ada.anys = [Crate(), Stranger()]
    XCTAssertEqual(path(of: ["root": root]), #"root.parts[1].index["ada"].anys[1]"#)
    ada.anys = []
    ada.contents = ["x": [.empty, .full(lid: nil, Filling(any: Stranger()))]]
    XCTAssertEqual(path(of: ["root": root]), #"root.parts[1].index["ada"].contents["x"][1].full.1.any"#)
    XCTAssertEqual(
      path(of: ["first": 7, "second": [root]]),
      #"second[0].parts[1].index["ada"].contents["x"][1].full.1.any"#)
    XCTAssertEqual(
      path(of: ["root": root], isCanonical: true),
      #"root.parts[1].index["ada"].contents["x"][1].full.1.any"#)
  }

  func testErrorPathMayStartAtAValueRoot() {
    XCTAssertEqual(path(of: ["a": 1, "b": ["k": [Filling(), Filling(any: Stranger())]]]), #"b["k"][1].any"#)
    XCTAssertEqual(path(of: ["a": [[Crate()], [Crate(), UnmarkedCrate()]]]), "a[1][1]")
  }

  func testErrorReportsPathOfUnarchivableObject() {
    let root = Crate()
    root.anys = [Crate()]
    (root.anys[0] as? Crate)?.parts = [Crate(), UnmarkedCrate()]
    XCTAssertEqual(path(of: ["root": root]), "root.anys[0].parts[1]")
  }

  func testErrorPathIncludesReferenceToUnownedTarget() {
    let owner = Crate()
    let root = Crate()
    root.parts = [Crate(), Renting(owner)]
    XCTAssertEqual(path(.unownedTarget, of: ["root": root]), "root.parts[1].owner")
    withExtendedLifetime(owner) {}
  }

  func testErrorReportsShortestPathThroughSharedObjects() {
    let (root, shared) = (Crate(), Crate())
    root.parts = [Crate(), shared]
    root.parts[0].parts = [shared, root]
    shared.parts = [root, shared]
    shared.any = Filling(any: Stranger())
    XCTAssertEqual(path(of: ["root": root]), "root.parts[1].any")
    shared.parts = []
    root.parts[0].parts = []
  }

  func testExistentialsAddNoStepsToPaths() {
    let root = Crate()
    root.anys = [Crate(), Load(weights: [Weight(), Weight(isRefused: true)])]
    XCTAssertEqual(path(of: ["root": root]), "root.anys[1].weights[1]")
    root.anys = [Filling(any: Load(weights: [Weight(isRefused: true)]))]
    XCTAssertEqual(path(of: ["root": root]), "root.anys[0].any.weights[0]")
    root.anys = [Filling(any: Crate(Stranger()))]
    XCTAssertEqual(path(of: ["root": root]), "root.anys[0].any.any")
    // The objects that a value requires for construction are determined for the whole value.
    root.anys = [Filling(any: Filling(any: Stranger()))]
    XCTAssertEqual(path(of: ["root": root]), "root.anys[0].any")
  }

  func testErrorReportsPathOfUnarchivableConstructionTarget() {
    let root = Crate()
    root.parts = [Crate(), Sealed([Crate(), Stranger()])]
    XCTAssertEqual(path(of: ["root": root]), "root.parts[1].seal")
    XCTAssertThrowsError(try ObjectGraph.release(root)) {
      XCTAssertEqual(($0 as? ArchiveError)?.objectPath, "root.parts[1].seal")
    }
    root.parts = [Sealed([Sealed([Crate(), Stranger()])])]
    XCTAssertEqual(path(of: ["root": root]), "root.parts[0].seal[0].seal")
  }

  func testHandWrittenKeysAddStepsToPaths() {
    XCTAssertEqual(
      path(of: ["root": [Keyed(), Keyed(next: Keyed(crate: Crate(Stranger())))]]),
      "root[1].`the next`.crate.any")
  }

  func testLongPathIsFoundWithoutRecursion() throws {
    let length = RandomTrials.size(usually: 20_000, exhaustively: 50_000)
    let (first, last) = chain(of: length + 1, { _ in Crate() }, linking: { $0.parts = [$1] })
    last.any = Stranger()
    let shown = String(repeating: ".parts[0]", count: 8)
    try onSmallStack {
      XCTAssertEqual(
        self.path(of: ["root": first]), "root\(shown.dropLast(9)) … \(length - 15) more … \(shown).any")
    }
    last.any = nil
    try ObjectGraph.release(first)
  }

  func testErrorPathIncludesTheFailingElementAmongMany() {
    let crates = (0..<5000).map { _ in Crate() }
    for crate in crates { crate.contents = ["a": [.empty], "b": []] }
    crates[4321].contents = ["a": [.empty, .empty, .full(lid: "x", Filling(any: Stranger()))]]
    XCTAssertEqual(path(of: ["root": crates]), #"root[4321].contents["a"][2].full.1.any"#)
  }
}

private protocol Thing {}

/// A type that is not archivable.
private struct Stranger: Thing {}

@Archivable private class Crate: Thing {
  var parts: [Crate] = []
  var index: [String: Crate] = [:]
  var any: (any Thing)?
  var anys: [any Thing] = []
  var contents: [String: [Content]] = [:]
  init(_ any: (any Thing)? = nil) { self.any = any }
}

/// A subclass without `@Archivable`.
private final class UnmarkedCrate: Crate {}

@Archivable private final class Sealed: Crate {
  let seal: [any Thing]
  init(_ seal: [any Thing]) {
    self.seal = seal
    super.init()
  }
}

@Archivable private final class Renting: Crate {
  unowned var owner: Crate
  init(_ owner: Crate) {
    self.owner = owner
    super.init()
  }
}

@Archivable private struct Filling: Thing {
  var any: (any Thing)?
  init(any: (any Thing)? = nil) { self.any = any }
}

@Archivable private struct Load: Thing {
  var weights: [Weight]
}

private struct Weight: ArchivableByConversion {
  var isRefused = false
  var archivedForm: Int {
    get throws {
      guard !isRefused else { throw ArchiveError(.notArchivable, found: "a weight") }
      return 1
    }
  }
  init(isRefused: Bool = false) { self.isRefused = isRefused }
  init(archivedForm: Int) {}
}

@Archivable private enum Content {
  case empty
  case full(lid: String?, Filling)
}

private final class Keyed: HandWrittenClass {
  var next: Keyed?
  var crate: Crate?
  init(next: Keyed? = nil, crate: Crate? = nil) { (self.next, self.crate) = (next, crate) }
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(next, forKey: "the next")
    try encoder.encode(crate, forKey: "crate")
  }
  static var archiveSchema: ClassSchema { ClassSchema(Keyed.self, name: "Keyed") }
}
