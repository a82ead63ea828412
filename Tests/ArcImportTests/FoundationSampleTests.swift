import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcForeign

/// A class with the hand-written coding of Foundation programs.
final class KeyedSampleBook: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  var title = "", pages = 0, rating = 0.0
  var next: KeyedSampleBook?

  override init() {}
  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(title as NSString, forKey: "title")
    coder.encode(pages, forKey: "pages")
    coder.encode(rating, forKey: "rating")
    coder.encode(next, forKey: "next")
  }
}

/// Archives that Foundation writes during the test are imported, and so are older archives in
/// `Fixtures/keyed/foundation-*`.
final class FoundationSampleTests: XCTestCase {
  private func samples() throws -> [(name: String, bytes: [UInt8])] {
    let (first, second) = (KeyedSampleBook(), KeyedSampleBook())
    (first.title, first.pages, first.rating, first.next) = ("One", 100, 4.5, second)
    (second.title, second.next) = ("Two", first)
    let values: [String: Any] = [
      "text": "Grüße", "number": 7, "real": 2.5, "yes": true,
      "date": Date(timeIntervalSinceReferenceDate: 1.5),
      "data": Data([1, 2]), "uuid": UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F") ?? UUID(),
      "url": URL(string: "http://example.org/") ?? URL(fileURLWithPath: "/"), "list": [1, 2, 3],
      "null": NSNull(),
    ]
    var made: [(String, Any)] = [("books", NSArray(array: [first, second, first]))]
    made += values.sorted { $0.key < $1.key }.map {
      ("value-\($0.key)", NSDictionary(dictionary: [$0.key: $0.value]))
    }
    return try made.map { name, root in
      let data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
      return ("foundation-\(name).plist", Array(data))
    }
  }

  func testFoundationArchivesAreImported() throws {
    for (name, bytes) in try samples() {
      if ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1" {
        try Data(bytes).write(to: KeyedSamples.folder.appendingPathComponent(name))
      }
      let (archive, report) = try KeyedSamples.imported(bytes)
      try ArchiveFile(bytes: archive).verify()
      XCTAssertEqual(report.files[0].format, "binary keyed archive", name)
      XCTAssertEqual(report.notes.filter { $0.kind == .irregularValue }, [], name)
    }
  }

  func testImportedFoundationObjectsPreserveIdentityAndValues() throws {
    let bytes = try XCTUnwrap(try samples().first { $0.name.contains("books") }?.bytes)
    let file = try ArchiveFile(bytes: try KeyedSamples.imported(bytes).archive)
    let root = try file.object(try XCTUnwrap(file.object(ObjectID(rawValue: 0))["root"]?.objectID))
    let books = try XCTUnwrap(root["objects"]?.elements).compactMap(\.objectID)
    XCTAssertEqual(books.count, 3)
    XCTAssertEqual(books[0], books[2])
    let (one, two) = (try file.object(books[0]), try file.object(books[1]))
    XCTAssertEqual([one["title"], two["title"]], ["One", "Two"])
    XCTAssertEqual([one["pages"], one["rating"]], [100, 4.5])
    XCTAssertEqual([one["next"], two["next"]], [.reference(books[1]), .reference(books[0])])
  }
}
