import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// A field of a structure has another name in each of three releases. An older release that does not know the
/// newer names saves a newer file: the field has the value of the release that set it last.
final class RenamedFieldChangeTests: XCTestCase {
  /// Returns an archive after a release reads, changes and saves it.
  private func saved<Style: SizedStyle>(
    _ bytes: [UInt8], by style: Style.Type, _ change: (Sheet<Style>) -> Void = { _ in }
  ) throws -> [UInt8] {
    try PreservedContent().saved(
      bytes, as: Sheet<Style>.self, with: Unarchiver(classes: ClassTable(Sheet<Style>.self, asRootOf: bytes))
    ) { change($0) }
  }

  /// Returns the sizes in a file. Asserts that a release reads the same sizes from the whole file, in parts
  /// and at paths.
  private func sizes<Style: SizedStyle>(
    _ bytes: [UInt8], by style: Style.Type, line: UInt = #line
  ) throws -> [Int] {
    let unarchiver = Unarchiver(classes: try ClassTable(Sheet<Style>.self, asRootOf: bytes))
    let sizes = try unarchiver.unarchive(Sheet<Style>.self, from: bytes).sizes
    let session = try LazyArchive(bytes: bytes, unarchiver: unarchiver)
    XCTAssertEqual(try session.object(Sheet<Style>.self).sizes, sizes, line: line)
    let parts = [
      try session.value(Style.self, at: "root.style"), try session.value(Style.self, at: "root.styles[0]"),
      try session.value([Style].self, at: "root.styles")[0],
      try session.value(Style.self, at: "root.byName[\"a\"]"),
      try session.value(Style?.self, at: "root.maybe") ?? Style(size: -1),
    ]
    XCTAssertEqual(parts.map(\.size), [sizes[0], sizes[1], sizes[1], sizes[2], sizes[3]], line: line)
    return sizes
  }

  private func read(_ bytes: [UInt8]) throws -> Sheet<Third> {
    try Unarchiver(classes: ClassTable(Sheet<Third>.self, asRootOf: bytes)).unarchive(
      Sheet<Third>.self, from: bytes)
  }

  private func original() throws -> [UInt8] { try Archiver().archive(Sheet<Third>(9)) }

  func testFieldUnchangedByFirstReleaseKeepsItsValue() throws {
    var bytes = try original()
    for _ in 1...2 {
      bytes = try saved(bytes, by: First.self) { $0.title += "!" }
      XCTAssertEqual(try sizes(bytes, by: Third.self), [9, 9, 9, 9, 9])
      XCTAssertEqual(try sizes(bytes, by: Second.self), [1, 1, 1, 1, 1])
      XCTAssertEqual(try sizes(bytes, by: First.self), [1, 1, 1, 1, 1])
      bytes = try saved(bytes, by: First.self) { sheet in sheet.edit { $0.height += 1 } }
      XCTAssertEqual(try sizes(bytes, by: Third.self), [9, 9, 9, 9, 9])
    }
    XCTAssertEqual(try read(bytes).style.height, 4)
  }

  func testEveryReleaseReadsValuesSavedByFirstRelease() throws {
    let set = try saved(original(), by: First.self) { sheet in sheet.edit { $0.width = 20 } }
    var bytes = set
    for _ in 1...2 {
      XCTAssertEqual(try sizes(bytes, by: First.self), [20, 20, 20, 20, 20])
      XCTAssertEqual(try sizes(bytes, by: Second.self), [20, 20, 20, 20, 20])
      XCTAssertEqual(try sizes(bytes, by: Third.self), [20, 20, 20, 20, 20])
      bytes = try saved(bytes, by: First.self)
    }
    // The value is set to the initial value again.
    bytes = try saved(bytes, by: First.self) { sheet in sheet.edit { $0.width = 1 } }
    XCTAssertEqual(try sizes(bytes, by: Third.self), [1, 1, 1, 1, 1])
  }

  func testRenamedFieldConvertsTheValueOfFirstRelease() throws {
    let shelf = WideShelf()
    shelf.boxes = [WideBox(sizes: [5, 6], tint: added), WideBox(sizes: [7], tint: added)]
    let content = PreservedContent()
    let read = try Unarchiver(classes: ClassTable(scope: .declared), unknownContent: .preserve(in: content))
      .unarchive(NarrowShelf.self, from: Archiver().archive(shelf))
    XCTAssertEqual(read.boxes.map(\.size), [0, 0])
    read.boxes[0].size = 9
    read.boxes[1].color = added.uuidString.lowercased()
    let saved = try Archiver(preserving: content).archive(read)
    let found = try Unarchiver(classes: ClassTable(scope: .declared)).unarchive(WideShelf.self, from: saved)
    XCTAssertEqual(found.boxes.map(\.sizes), [[9], [7]])
    XCTAssertEqual(found.boxes.map(\.tint), [added, added])
    read.boxes[1].color = "no UUID"
    let wrong = try Archiver(preserving: content).archive(read)
    assertThrows(.valueOutOfRange) { try Unarchiver().unarchive(WideShelf.self, from: wrong) }
  }

  func testFieldSavedByTwoReleasesHasLastValue() throws {
    var bytes = try saved(original(), by: First.self) { sheet in sheet.edit { $0.width = 20 } }
    bytes = try saved(bytes, by: Second.self) { sheet in sheet.edit { $0.breadth += 10 } }
    XCTAssertEqual(try sizes(bytes, by: Third.self), [30, 30, 30, 30, 30])
    XCTAssertEqual(try sizes(bytes, by: First.self), [1, 1, 1, 1, 1])
    bytes = try saved(bytes, by: First.self) { sheet in
      sheet.style.width = 40
      sheet.styles.append(First(size: 50))
    }
    XCTAssertEqual(try sizes(bytes, by: Third.self), [40, 30, 30, 30, 30])
    XCTAssertEqual(try read(bytes).styles.map(\.depth), [30, 50])
    XCTAssertEqual(try sizes(bytes, by: Second.self), [40, 30, 30, 30, 30])
    bytes = try saved(bytes, by: Third.self) { sheet in sheet.edit { $0.depth += 1 } }
    XCTAssertEqual(try sizes(bytes, by: Third.self), [41, 31, 31, 31, 31])
    let types = try ArchiveFile(bytes: bytes).classes.flatMap(\.columns).map { "\($0.attributes)" }
    XCTAssertFalse(types.contains { $0.contains("width") || $0.contains("breadth") }, "\(types)")
  }
}

/// The style of one release.
private protocol SizedStyle: ArchivableValue {
  init(size: Int)
  var size: Int { get }
  var height: Int { get set }
}

@Archivable("RenamedFieldChange.First") private struct First: SizedStyle {
  var width = 1
  var height = 2
  init(size: Int) { width = size }
  var size: Int { width }
}

@Archivable("RenamedFieldChange.Second") private struct Second: SizedStyle {
  @Key("breadth", "width") var breadth = 1
  var height = 2
  init(size: Int) { breadth = size }
  var size: Int { breadth }
}

@Archivable("RenamedFieldChange.Third") private struct Third: SizedStyle {
  @Key("depth", "breadth", "width") var depth = 1
  var height = 2
  init(size: Int) { depth = size }
  var size: Int { depth }
}

private let added = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

@Archivable("RenamedFieldChange.Box") private struct NarrowBox {
  var size = 0
  var color = ""
}

@Archivable("RenamedFieldChange.Box") private struct WideBox {
  @Key("sizes", "size") var sizes: [Int]
  @Key("tint", "color") var tint: UUID
}

@Archivable("RenamedFieldChange.Shelf") private final class NarrowShelf { var boxes: [NarrowBox] = [] }

@Archivable("RenamedFieldChange.Shelf") private final class WideShelf { var boxes: [WideBox] = [] }

@Archivable private enum Choice<Style: SizedStyle> { case styled(Style) }

@Archivable private final class Sheet<Style: SizedStyle> {
  var title = ""
  var style: Style
  var styles: [Style]
  var byName: [String: Style]
  var maybe: Style?
  var choice: Choice<Style>
  init(_ size: Int) {
    (style, styles, byName) = (Style(size: size), [Style(size: size)], ["a": Style(size: size)])
    (maybe, choice) = (Style(size: size), .styled(Style(size: size)))
  }

  private var chosen: Style {
    get {
      switch choice {
      case .styled(let style): style
      }
    }
    set { choice = .styled(newValue) }
  }

  /// Changes all styles.
  func edit(_ change: (inout Style) -> Void) {
    change(&style)
    for index in styles.indices { change(&styles[index]) }
    byName = byName.mapValues {
      var style = $0
      change(&style)
      return style
    }
    maybe = maybe.map {
      var style = $0
      change(&style)
      return style
    }
    change(&chosen)
  }

  var sizes: [Int] { [style, styles[0], byName["a"], maybe, chosen].map { $0?.size ?? -1 } }
}
