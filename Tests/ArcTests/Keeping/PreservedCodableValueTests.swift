import Arc
import ArcFormat
import XCTest

/// Unknown members of `Codable` values are preserved when a program saves what it read.
final class PreservedCodableValueTests: XCTestCase {
  private let content = PreservedContent()

  private func passed(
    _ page: NewCoded.Page, _ change: (OldCoded.Page) -> Void = { _ in }
  ) throws -> NewCoded.Page {
    try content.pass(page, as: OldCoded.Page.self) { change($0) }
  }

  private func page() -> NewCoded.Page {
    let page = NewCoded.Page()
    page.style = NewCoded.Style(
      width: 3, ink: NewCoded.Ink(red: 1, opacity: 0.5), inks: [.init(red: 2, opacity: 0.25), .init(red: 3)],
      byName: ["a": .init(red: 4, opacity: 0.75)], dash: [1, 2])
    page.styles = [page.style, NewCoded.Style(width: 5)]
    page.last = NewCoded.Style(width: 7, dash: [8])
    return page
  }

  func testUnchangedCodableValueIsWrittenUnchanged() throws {
    let page = page()
    let found = try passed(page) { $0.title = "changed" }
    XCTAssertEqual(found.title, "changed")
    XCTAssertEqual(found.style, page.style)
    XCTAssertEqual(found.styles, page.styles)
    XCTAssertEqual(found.last, page.last)
  }

  func testChangedCodableValuePreservesUnknownKeys() throws {
    let page = page()
    let found = try passed(page) { old in
      old.style.width = 4
      old.style.ink.red = 9
      old.style.inks[0].red = 8
      old.style.byName["a"]?.red = 7
      old.style.byName["b"] = .init(red: 6)
      old.styles[1].width = 1
      old.last = nil
    }
    XCTAssertEqual(found.style.width, 4)
    XCTAssertEqual(found.style.ink, .init(red: 9, opacity: 0.5))
    XCTAssertEqual(found.style.inks, [.init(red: 8, opacity: 0.25), .init(red: 3)])
    XCTAssertEqual(found.style.byName, ["a": .init(red: 7, opacity: 0.75), "b": .init(red: 6)])
    XCTAssertEqual(found.style.dash, [1, 2])
    XCTAssertEqual(found.styles.map(\.width), [3, 1])
    XCTAssertEqual(found.styles[0], page.style)
    XCTAssertNil(found.last)
  }

  func testKeyRemovedByTheProgramStaysRemoved() throws {
    let found = try passed(page()) { $0.style.byName = [:] }
    XCTAssertEqual(found.style.byName, [:])
    XCTAssertEqual(found.style.dash, [1, 2])
  }

  func testNumberConversionPreservesUnknownKeysOfCodableValues() throws {
    let page = page()
    page.ratio = NewCoded.Ratio(value: 5, unit: "mm")
    let found = try passed(page) { old in
      XCTAssertEqual(old.ratio.value, 5)
      old.title = "changed"
    }
    XCTAssertEqual(found.ratio, page.ratio)
    XCTAssertEqual(try passed(page) { $0.ratio.value = 6 }.ratio, .init(value: 6, unit: "mm"))
  }

  func testCodableRootPreservesUnknownKeys() throws {
    let bytes = try Archiver().archive(CodableValue(NewCoded.Ink(red: 1, opacity: 0.5)))
    let saved = try content.saved(bytes, as: CodableValue<OldCoded.Ink>.self) { $0.value.red = 2 }
    let found = try Unarchiver().unarchive(CodableValue<NewCoded.Ink>.self, from: saved)
    XCTAssertEqual(found.value, .init(red: 2, opacity: 0.5))
  }

  func testFullyKnownCodableValuePreservesNoContent() throws {
    let bytes = try Archiver().archive(page())
    _ = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(NewCoded.Page.self, from: bytes)
    XCTAssertTrue(content.isEmpty)
  }

  func testUnknownKeysSurviveManySaves() throws {
    let page = page()
    var bytes = try Archiver().archive(page)
    for round in 1...3 {
      bytes = try content.saved(bytes, as: OldCoded.Page.self) { $0.style.width = round }
    }
    let found = try Unarchiver().unarchive(NewCoded.Page.self, from: bytes)
    XCTAssertEqual(found.style.width, 3)
    XCTAssertEqual(found.style.ink, page.style.ink)
    XCTAssertEqual(found.styles, page.styles)
  }
}

private enum NewCoded {
  struct Ink: Codable, Equatable {
    var red = 0
    var opacity: Double?
  }
  struct Style: Codable, Equatable {
    var width = 1
    var ink = Ink()
    var inks: [Ink] = []
    var byName: [String: Ink] = [:]
    var dash: [Int]?
  }
  struct Ratio: Codable, Equatable {
    var value = 1
    var unit: String?
  }
  @Archivable("Coded.Page") final class Page {
    @Coded var style = Style()
    @Coded var styles: [Style] = []
    @Coded var last: Style?
    @Coded var ratio = Ratio()
    var title = ""
    init() {}
  }
}

private enum OldCoded {
  struct Ink: Codable, Equatable {
    var red = 0
  }
  struct Style: Codable, Equatable {
    var width = 1
    var ink = Ink()
    var inks: [Ink] = []
    var byName: [String: Ink] = [:]
  }
  struct Ratio: Codable, Equatable {
    var value = 1.0
  }
  @Archivable("Coded.Page") final class Page {
    @Coded var style = Style()
    @Coded var styles: [Style] = []
    @Coded var last: Style?
    @Coded var ratio = Ratio()
    var title = ""
    init() {}
  }
}
