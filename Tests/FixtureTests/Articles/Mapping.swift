// swift-format-ignore-file
// The lines stand as in the articles.

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

@Archivable final class FeedVideo: FeedItem { var seconds = 0 }

extension FeedItem: ModelMapping {
  static var mapping: JSONMapping { JSONMapping(naming: .snakeCase) }
}

extension FeedItem: JSONClassChoosing {
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    object["seconds"] == nil ? nil : FeedVideo.self                  // nil: the declared class
  }
}

struct EmptyTitle: Error {}

extension FeedItem: ModelFinishing {
  func didRead() throws { if title.isEmpty { throw EmptyTitle() } }
}

/// Reads an item and writes it; returns what that prints.
func runMapping() throws -> String {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  let text = #"{"item": {"id": 7}, "title": "Sea", "created": 978307200000, "width": 4, "height": 3}"#
  let item = try FeedItem(json: text)
  print(item.id, item.size.width)
  print(try item.json())
  return lines.joined(separator: "\n")
}

/// Reads the same class from another server.
func readFromOtherServer(_ text: String) throws -> FeedItem {
  var reader = ModelReader()
  reader.setMapping(JSONMapping(paths: ["id": ["number"]], formats: ["created": .iso8601]), for: FeedItem.self)
  return try reader.read(FeedItem.self, from: text)
}

final class MappingArticleTests: XCTestCase {
  func testMappingDoesWhatTheArticleStates() throws {
    let text = #"{"uid": 5, "title": "t", "width": 4, "height": 3, "seconds": 9}"#
    let item = try FeedItem(json: text)
    XCTAssertEqual((item as? FeedVideo)?.seconds, 9)
    XCTAssertEqual(item.id, 5)
    XCTAssertThrowsError(try FeedItem(json: #"{"title": ""}"#))
    XCTAssertThrowsError(try FeedItem(json: #"{}"#))
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

/// Updates, merges and describes a profile; returns what that prints.
func runUpdating() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  let profile = try Profile(json: #"{"name": "Ada", "motto": "So be it", "visits": 3}"#)
  try profile.update(json: #"{"motto": null, "visits": 4}"#)
  print(profile.modelDescription)
  return lines.joined(separator: "\n")
}

/// Copies, merges and edits a profile; returns what that prints.
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
