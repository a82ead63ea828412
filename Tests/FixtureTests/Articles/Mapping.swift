// swift-format-ignore-file
// The lines are identical to the lines in the articles.

import Arc
import ArcFoundation
import ArcJSON
import ArcModel
import Foundation
import XCTest

// MARK: Customize the mapping

@Archivable class FeedItem {
  @Key(json: "item.id", or: "uid") var id = 0
  @JSONRule(.required) var title = ""
  @JSONFormat(.millisecondsSince1970) var created: Date?
  @JSONRule(.embedded) var size = FrameSize(width: 0, height: 0)
}

@Archivable struct FrameSize { var width: Int, height: Int }

@Archivable class FeedAuthor: ModelMapping {
  var fullName = ""
  var isStaff = false
  class var mapping: JSONMapping { JSONMapping(naming: .snakeCase, except: ["isStaff"]) }
}

@Archivable final class FeedEditor: FeedAuthor {
  var desk = ""
  override class var mapping: JSONMapping { JSONMapping(paths: ["desk": ["office.desk"], "isStaff": ["staff"]]) }
}

@Archivable final class FeedReader {
  private(set) var name = ""                                         // in JSON
  @Key(json: "unread") private var unreadCount = 0                   // in JSON
  private var token = ""                                             // only in archives
}

@Archivable class FeedMedia: JSONClassChoosing {
  var title = ""

  class func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    object["seconds"] == nil ? nil : FeedVideo.self                  // nil: the declared class
  }
}

@Archivable final class FeedVideo: FeedMedia { var seconds = 0 }

struct EmptyTitle: Error {}

@Archivable class FeedNote: ModelFinishing {
  var title = ""
  func didRead() throws { if title.isEmpty { throw EmptyTitle() } }
}

@Archivable final class FeedLetter: FeedNote {
  var sender = ""

  override func didRead() throws {
    try super.didRead()
    if sender.isEmpty { sender = "unknown" }
  }
}

/// Reads an item and writes it. Returns the printed text.
func runMapping() throws -> String {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  let text = #"{"item": {"id": 7}, "title": "Sea", "created": 978307200000, "width": 4, "height": 3}"#
  let item = try FeedItem(json: text)
  print(item.id, item.size.width)
  print(try item.json())
  return lines.joined(separator: "\n")
}

/// Reads an object of the same class from another server's JSON.
func readFromOtherServer(_ text: String) throws -> FeedItem {
  var reader = ModelReader()
  reader.setMapping(JSONMapping(paths: ["id": ["number"]], formats: ["created": .iso8601]), for: FeedItem.self)
  return try reader.read(FeedItem.self, from: text)
}

final class MappingArticleTests: XCTestCase {
  func testFeedMappingWorksAsTheArticleStates() throws {
    let item = try FeedItem(json: #"{"uid": 5, "title": "t", "width": 4, "height": 3}"#)
    XCTAssertEqual(item.id, 5)
    XCTAssertThrowsError(try FeedItem(json: #"{}"#))
    let media = try FeedMedia(json: #"{"title": "t", "seconds": 9}"#)
    XCTAssertEqual((media as? FeedVideo)?.seconds, 9)
    XCTAssertFalse(try FeedMedia(json: #"{"title": "t"}"#) is FeedVideo)
    XCTAssertThrowsError(try FeedNote(json: #"{"title": ""}"#))
    XCTAssertThrowsError(try FeedLetter(json: #"{"title": ""}"#))
    XCTAssertEqual(try FeedLetter(json: #"{"title": "t"}"#).sender, "unknown")
    XCTAssertEqual(try FeedAuthor().json(), #"{"full_name":""}"#)
    XCTAssertEqual(
      try FeedEditor().json(), #"{"full_name":"","staff":false,"office":{"desk":""}}"#)
    XCTAssertEqual(try FeedReader().json(), #"{"name":"","unread":0}"#)
    let other = try readFromOtherServer(#"{"number": 8, "title": "x", "created": "2001-01-01T00:00:00Z"}"#)
    XCTAssertEqual(other.id, 8)
    XCTAssertEqual(other.created, Date(timeIntervalSinceReferenceDate: 0))
  }
}

// MARK: Update, copy and inspect models

@Archivable final class Profile {
  var name = ""
  var motto: String?
  var visits = 0
  var address = PostalAddress(city: "")
}

@Archivable struct PostalAddress { var city: String }

/// Updates, merges and describes a profile. Returns the printed text.
func runUpdating() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let profile = try Profile(json: #"{"name": "Ada", "motto": "So be it", "visits": 3}"#)
  try profile.update(json: #"{"motto": null, "visits": 4}"#)
  print(profile.modelDescription)
  return lines.joined(separator: "\n")
}

/// Copies, merges and edits a profile. Returns the printed text.
func runEditing() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let profile = try Profile(json: #"{"name": "Ada", "visits": 4}"#)
  let other = try Profile(json: #"{"name": "Ada L.", "visits": 9}"#)
  let copy = try profile.shallowCopy()                                    // shallow
  try copy.merge(other) { key, mine, theirs in key == "visits" ? .theirs : .mine }
  try copy.setValue("London", forKeyPath: "address.city")
  try copy.setValue("10", forKeyPath: "visits", convertedBy: ModelReader(.lenient))
  print(copy.modelDescription)

  let dictionary = try copy.jsonObject()                             // [String: Any]
  print(try Profile(json: dictionary).visits)
  return lines.joined(separator: "\n")
}
