import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

@Archivable private final class LocalizedRing {
  var number = 1
  var next: LocalizedRing?
  init() {}
}

/// Objects that cannot be written as JSON, and their errors.
final class WritingFailureTests: XCTestCase {
  private func failure(
    _ value: some ArchivableValue, _ writer: ModelWriter = ModelWriter(), line: UInt = #line
  ) -> ModelWritingError? {
    do {
      XCTFail("no error, but \(try writer.text(of: value))", line: line)
    } catch let error as ModelWritingError {
      return error
    } catch {
      XCTFail("\(error)", line: line)
    }
    return nil
  }

  func testLocalizedDescriptionsEqualTheErrorDescriptions() {
    let ring = LocalizedRing()
    ring.next = ring
    let failures: [() throws -> Void] = [
      { _ = try LocalizedRing(json: #"{"number": "x"}"#) }, { _ = try JSONValue(parsing: "[1,") },
      { _ = try ModelWriter().text(of: ring) },
    ]
    var types: [String] = []
    for failure in failures {
      XCTAssertThrowsError(try failure()) {
        types.append("\(type(of: $0))")
        XCTAssertEqual($0.localizedDescription, "\($0)")
      }
    }
    XCTAssertEqual(types, ["ModelReadingError", "JSONError", "ModelWritingError"])
    ring.next = nil
  }

  func testCycleErrorNamesBothPathsToTheObject() {
    let (strand, friend, last) = (Strand(), Strand(), Strand())
    strand.friends = [Strand(), friend]
    friend.byName = ["a b": last]
    last.next = friend
    XCTAssertEqual(
      failure([strand]).map { "\($0)" },
      #"cycle at [0].friends[1].byName["a b"].next: found a cycle back to the object at [0].friends[1], "#
        + "expected a tree of objects; declare the property that refers back as weak, or create the ModelWriter "
        + "with references: .marked"
    )
    last.next = strand
    XCTAssertEqual(failure(strand)?.found, "a cycle back to the object at the root")
    XCTAssertEqual(failure(strand)?.path, #"friends[1].byName["a b"].next"#)
    strand.next = strand
    XCTAssertEqual(failure([Grade.boat(strand)])?.path, "[0].boat.next")
    strand.next = nil
    last.next = nil
  }

  func testCycleDeepInTheGraphIsReported() {
    let strands = (0..<100).map { _ in Strand() }
    for (strand, next) in zip(strands, strands.dropFirst()) { strand.next = next }
    strands[99].next = strands[60]
    let error = failure(strands[0], ModelWriter(maximumDepth: 1000))
    XCTAssertEqual(error?.code, .cycle)
    XCTAssertEqual(
      error?.path,
      Array(repeating: "next", count: 20).joined(separator: ".") + "…"
        + String(repeating: ".next", count: 20))
    strands[99].next = nil
  }

  func testTooDeeplyNestedObjectsAreRefused() throws {
    var strand = Strand()
    for _ in 1..<512 {
      let outer = Strand()
      outer.friends = []
      outer.next = strand
      strand = outer
    }
    let all = strand
    // An object at the last level contains an array.
    XCTAssertEqual(failure(all)?.code, .tooDeep)
    XCTAssertNoThrow(try ModelWriter(maximumDepth: 513).text(of: all))
    let numbers = [[[1]]]
    XCTAssertEqual(
      failure(["a": numbers], ModelWriter(maximumDepth: 2)).map { "\($0)" },
      "tooDeep at a[0]: found arrays and objects nested more than 2 levels deep, expected at most 2 levels; "
        + "raise maximumDepth of the ModelWriter and limits.depth of the ModelReader")
    XCTAssertEqual(try ModelWriter(maximumDepth: 3).text(of: numbers), "[[[1]]]")
    XCTAssertEqual(try ModelWriter(maximumDepth: 0).text(of: 1), "1")
    XCTAssertEqual(failure(Spot(x: 1), ModelWriter(maximumDepth: 0))?.path, "")
  }

  func testDeeplyNestedObjectsAreWrittenOnSmallStack() throws {
    let depth = 100_000
    try onSmallStack {
      var strand = Knot()
      for _ in 1..<depth {
        let outer = Knot()
        outer.next = strand
        strand = outer
      }
      XCTAssertEqual((try? ModelWriter().text(of: strand)), nil)
      let text = try ModelWriter(maximumDepth: depth).text(of: strand)
      XCTAssertEqual(text.utf8.count, depth * #"{"value":0,"next":}"#.utf8.count - #","next":"#.utf8.count)
      while let next = strand.next {
        strand.next = nil
        strand = next
      }
    }
  }

  func testNonFiniteNumberErrorNamesItsPath() {
    let all = AllKinds()
    all.byName = ["a": .infinity]
    XCTAssertEqual(
      failure(all).map { "\($0)" },
      "notFinite at byName.a: found the number Infinity, expected a finite number; set nonFinite "
        + "of the ModelWriter to .null or .text")
    XCTAssertEqual(failure([Float(1), .nan])?.path, "[1]")
    XCTAssertEqual(failure([Double.nan: 1], ModelWriter(nonFinite: .null))?.code, .notFinite)
    XCTAssertEqual(failure(Date(timeIntervalSinceReferenceDate: .nan))?.found, "the number NaN")
  }

  func testValueThatCannotBeReadBackIsRefused() {
    let refusing = Refusing()
    refusing.inner = Refusing()
    refusing.inner?.ranks = [RefusedRank(unchecked: 1), RefusedRank(unchecked: -1)]
    XCTAssertThrowsError(try [refusing].json()) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .valueOutOfRange)
      XCTAssertEqual((error as? ArchiveError)?.objectPath, "[0].inner.ranks[1]")
    }
    XCTAssertThrowsError(try ["a": [RefusedRank(unchecked: 0)]].json()) { error in
      XCTAssertEqual((error as? ArchiveError)?.objectPath, "[\"a\"][0]")
    }
  }

  func testHandWrittenClassesAreRefused() {
    let owner = HandOwner()
    owner.child = HandCoded()
    XCTAssertThrowsError(try [owner].json()) { error in
      XCTAssertEqual(
        "\(error)",
        "notArchivable: found class 'HandCoded', which has a hand-written coder, expected a class that is marked "
          + "with @Archivable at [0].child; mark the class and its superclasses with @Archivable, or, if the class "
          + "is final, make it conform to ArchivableByConversion")
    }
  }

  func testConflictingMemberPathsAreRefused() {
    let writer = ModelWriter(naming: .custom { _ in "x" })
    XCTAssertEqual(try writer.text(of: [Tugboat(hull: 1)]), #"[{"x":1}]"#, "the first property")
    XCTAssertEqual(try TwiceDerived().json(), #"{"hidden":1}"#)
    var mapped = writer
    mapped.setMapping(JSONMapping(paths: ["twin": ["x.twin"]]), for: Tugboat.self)
    XCTAssertEqual(failure([Tugboat(hull: 1)], mapped)?.found, "two members 'x' of class 'Tugboat'")
    XCTAssertEqual(
      try Strand().json(naming: .custom { $0 == "byName" ? "next" : $0 }, only: ["number"]), #"{"number":0}"#)
  }

  func testWriterIsReusableAfterAFailure() throws {
    let writer = ModelWriter()
    let strand = Strand()
    strand.friends = [Strand(), strand]
    for _ in 0..<3 { XCTAssertEqual(failure(strand, writer)?.path, "friends[1]") }
    strand.friends.removeLast()
    XCTAssertEqual(try [Strand](json: writer.text(of: [strand]))[0].friends.count, 1)
  }
}
