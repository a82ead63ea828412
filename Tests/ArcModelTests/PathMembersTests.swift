import Arc
import ArcJSON
import ArcModel
import XCTest

/// Members of the JSON objects along the paths of properties.
final class PathMembersTests: XCTestCase {
  func testUnknownMemberNextToAPathIsReported() throws {
    let text = #"{"meta": {"author": {"name": "Ada", "x": 1}, "y": 2, "tags": [1]}, "z": 3}"#
    let (page, issues) = try ModelReader(.lenient, unknownKeys: .reported).readWithIssues(
      Page.self, from: text)
    XCTAssertEqual(page.author, "Ada")
    XCTAssertEqual(issues.map(\.path), ["meta.author.x", "meta.y", "z"])
    XCTAssertEqual(Set(issues.map(\.code)), [.unknownKey])
    XCTAssertThrowsError(
      try ModelReader(unknownKeys: .reported).read(Page.self, from: #"{"meta": {"author": {"x": 1}}}"#)
    ) { XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["meta.author.x"]) }
    let known =
      #"{"meta": {"author": {"name": "Ada"}, "year": 5, "tags": ["t"]}, "frame": {"w": 1}, "title": ""}"#
    XCTAssertEqual(try ModelReader(unknownKeys: .reported).read(Page.self, from: known).year, 5)
  }

  func testUnknownMemberNextToStructurePathIsReported() throws {
    let text = #"{"box": {"size": {"w": 1, "d": 2}, "e": 3}}"#
    let (page, issues) = try ModelReader(.lenient, unknownKeys: .reported).readWithIssues(
      Page.self, from: text)
    XCTAssertEqual(page.box?.width, 1)
    XCTAssertEqual(issues.map(\.path), ["box.size.d", "box.e"])
  }

  func testUnknownMemberNextToAPathIsPreserved() throws {
    for references in [[], .marked, .identified] as [ModelReferences] {
      let reader = ModelReader(references: references, unknownKeys: .preserved)
      let page = try reader.read(
        KeepingPage.self, from: #"{"meta": {"author": {"name": "Ada", "x": 1}, "y": 2}, "z": 3}"#)
      XCTAssertEqual(page.author, "Ada")
      XCTAssertEqual(JSONValue.object(page.unknownMembers), ["meta": ["author": ["x": 1], "y": 2], "z": 3])
      try reader.update(page, from: #"{"meta": {"author": {"name": "Bo", "v": 5}, "y": 4}}"#)
      XCTAssertEqual(page.author, "Bo")
      XCTAssertEqual(
        JSONValue.object(page.unknownMembers), ["meta": ["author": ["x": 1, "v": 5], "y": 4], "z": 3])
    }
  }

  func testPreservedMemberNextToAPathIsWritten() throws {
    for (text, expected) in [
      (#"{"meta": {"author": {"name": "Ada", "x": 1}, "y": 2}, "z": 3}"#, nil),
      (#"{"meta": {"y": 2, "author": {"name": "Ada"}}}"#, nil),
      (#"{"meta": {"author": {"name": "Ada", "x": {}}}}"#, nil),
      (
        #"{"meta": {"author": {"x": 1}, "y": {"author": 5}}}"#,
        #"{"meta": {"author": {"name": "", "x": 1}, "y": {"author": 5}}}"#
      ),
    ] as [(String, String?)] {
      for writer in [ModelWriter(), ModelWriter(sortsKeys: true), ModelWriter(references: .marked)] {
        let page = try ModelReader(unknownKeys: .preserved).read(KeepingPage.self, from: text)
        XCTAssertEqual(
          try JSONValue(parsing: writer.text(of: page)), try JSONValue(parsing: expected ?? text), text)
      }
    }
    let page = KeepingPage()
    page.unknownMembers["meta"] = ["author": ["name": "other", "x": 1], "z": 1]
    XCTAssertEqual(
      try JSONValue(parsing: page.json()), ["meta": ["author": ["name": "", "x": 1], "z": 1]],
      "a property's value replaces a preserved member with its name")
  }

  func testValueThatBlocksAPathIsReported() throws {
    for (text, path, wanted) in [
      (#"{"meta": 5}"#, "meta", "an object"), (#"{"meta": [1]}"#, "meta", "an object"),
      (#"{"meta": {"author": "Ada"}}"#, "meta.author", "an object"),
      (#"{"box": {"size": true}}"#, "box.size", "an object"), (#"{"rows": {"0": 1}}"#, "rows", "an array"),
    ] {
      for reader in [ModelReader(), ModelReader(references: .marked)] {
        XCTAssertThrowsError(try reader.read(Page.self, from: text), text) { error in
          let issue = (error as? ModelReadingError)?.issues.first
          XCTAssertEqual(issue?.path, path, text)
          XCTAssertEqual(issue?.code, .typeMismatch, text)
          XCTAssertTrue(issue?.expected?.hasPrefix("\(wanted), because of the path") ?? false, "\(error)")
        }
        let page = Page()
        page.author = "Ada"
        XCTAssertThrowsError(try reader.update(page, from: text), text)
        XCTAssertEqual(page.author, "Ada", text)
      }
      let (page, issues) = try ModelReader(.lenient).readWithIssues(Page.self, from: text)
      XCTAssertEqual(page.author, "", text)
      XCTAssertEqual(issues.first?.path, path, text)
    }
  }

  func testUnusedAlternativeMemberIsReportedAsUnknown() throws {
    for (text, path) in [(#"{"first": 4, "since": 7}"#, "first"), (#"{"first": [4], "since": 7}"#, "first")] {
      let (page, issues) = try ModelReader(.lenient, unknownKeys: .reported).readWithIssues(
        OtherPage.self, from: text)
      XCTAssertEqual(page.since, 7)
      XCTAssertEqual(issues.map(\.path), [path])
      let other = try ModelReader(unknownKeys: .preserved).read(OtherPage.self, from: text)
      XCTAssertEqual(other.unknownMembers.names, [path])
    }
  }

  func testValueThatBlocksSeveralPathsIsReportedOnce() throws {
    let (_, issues) = try ModelReader(.lenient).readWithIssues(Page.self, from: #"{"meta": 5}"#)
    XCTAssertEqual(issues.map(\.path), ["meta"])
  }

  func testDuplicateMemberOnAPathIsReported() throws {
    let text = #"{"meta": {"year": 1}, "meta": {"author": {"name": "a"}}}"#
    for reader in [ModelReader(), ModelReader(references: .marked), ModelReader(unknownKeys: .reported)] {
      XCTAssertThrowsError(try reader.read(Page.self, from: text)) {
        XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.duplicateKey], "\($0)")
      }
    }
  }

  func testNullOnAPathCountsAsMissingMember() throws {
    for text in [
      #"{"meta": null}"#, #"{"meta": {"author": null}}"#, #"{"meta": {}, "rows": [], "box": null}"#,
    ] {
      XCTAssertEqual(try Page(json: text).author, "", text)
      let page = Page()
      (page.author, page.year) = ("Ada", 3)
      try page.update(json: text)
      XCTAssertEqual(page.author, "Ada", text)
      XCTAssertEqual(page.year, 3, text)
    }
  }

  func testAlternativePathIsReadIfFirstIsBlocked() throws {
    XCTAssertEqual(try Page(json: #"{"first": 4, "year": 7}"#).since, 7)
  }
}

@Archivable private final class Page {
  @Key(json: "meta.author.name") var author = ""
  @Key(json: "meta.year") var year: Int?
  @Key(json: "meta.tags") var tags: [String] = []
  @Key(json: "first.year", or: "year") var since: Int?
  @Key(json: "rows[0]") @JSONRule(.readOnly) var row: Int?
  var box: PageBox?
  var frame: [String: Int] = [:]
  var title = ""

  init() {}
}

@Archivable private struct PageBox {
  @Key(json: "size.w") var width = 0
}

@Archivable private final class KeepingPage: UnknownMemberPreserving {
  @Key(json: "meta.author.name") var author = ""
  @Transient var unknownMembers = JSONObject()

  init() {}
}

@Archivable private final class OtherPage: UnknownMemberPreserving {
  @Key(json: "since", or: "first.year") var since: Int?
  @Transient var unknownMembers = JSONObject()

  init() {}
}
