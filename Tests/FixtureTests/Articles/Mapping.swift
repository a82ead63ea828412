// swift-format-ignore-file
// The lines stand as in the article.

import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

struct EmptyTitle: Error {}

/// The part of the article "Models and JSON" that is about mapping.
final class MappingArticleTests: XCTestCase {
  func testSectionSaysWhatHappens() throws {
    let text = #"{"kind": "video", "item": {"id": 7}, "title": "t", "created": 978307200000, "width": 4, "height": 3, "seconds": 9}"#
    let item = try FeedItem(json: text)
    XCTAssertEqual((item as? FeedVideo)?.seconds, 9)
    XCTAssertEqual(item.id, 7)
    XCTAssertEqual(item.created, Date(timeIntervalSinceReferenceDate: 0))
    XCTAssertEqual(item.size, FrameSize(width: 4, height: 3))
    XCTAssertThrowsError(try FeedItem(json: #"{"title": ""}"#))
    let other = try FeedItem(json: #"{"title": "x", "uid": 5}"#)
    let read = try edit(item, and: other)
    XCTAssertEqual(item.title, "new")
    XCTAssertNil(item.created)
    XCTAssertEqual(read.id, 8)
    XCTAssertEqual(try other.json(), #"{"item":{"id":5},"title":"x","width":0,"height":0}"#)
  }
}

// From here on what the article shows.

@Archivable class FeedItem {
  @Key("id", json: "item.id", or: "uid", "ids[0]") var id = 0        // the first that is there and not null; written at the first
  @JSON(.required) var title = ""                                    // .omitted, .readOnly, .writeOnly, .included, .embedded
  @Format(.millisecondsSince1970) var created: Date?                          // .iso8601, .rfc1123, .secondsSince1970, .tagged(by:), .custom(read:write:)
  @JSON(.embedded) var size = FrameSize(width: 0, height: 0)              // width and height are members of the item
}
@Archivable final class FeedVideo: FeedItem { var seconds = 0 }
@Archivable struct FrameSize: Equatable { var width: Int, height: Int }

extension FeedItem: ModelMapping, ModelChoosing, ModelFinishing {
  static var mapping: JSONMapping { JSONMapping(naming: .snakeCase) }   // paths, rules, formats, only, except
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    object["kind"]?.string == "video" ? FeedVideo.self : nil             // by anything in the object
  }
  func didRead() throws { if title.isEmpty { throw EmptyTitle() } }  // refuses it; ModelReading changes it before
}

func edit(_ item: FeedItem, and other: FeedItem) throws -> FeedItem {
  try item.update(json: #"{"title": "new", "created": null}"#)       // missing stays, null is nil; all of it or nothing
  let copy = try item.copied()                                       // shallow; deepCopy(item) for the graph
  try copy.merge(other) { key, mine, theirs in key == "title" ? .mine : .theirs }
  print(copy.modelDescription)                                       // FeedItem #1 { id: 7, title: "new", … }
  try copy.setValue("5", forKeyPath: "size.width", convertedBy: ModelReader(.lenient))
  var reader = ModelReader()                                         // the same class from another server
  reader.setMapping(JSONMapping(paths: ["id": ["number"]], formats: ["created": .iso8601]), for: FeedItem.self)
  return try reader.read(FeedItem.self, from: #"{"number": 8, "title": "other"}"#)
}
