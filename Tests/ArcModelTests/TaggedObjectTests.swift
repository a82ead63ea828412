import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

private protocol TagPet {}

@Archivable("TagDog") private final class TagDog: TagPet {
  var x = 1
  var friend: TagDog?
}

@Archivable("TagCat") private final class TagCat: TagPet, ModelIdentifiable {
  var id = 4
  var x = 1
  static var identifyingProperties: [String] { ["id"] }
}

@Archivable("TagFish") private struct TagFish: TagPet, Equatable { var x = 1 }

@Archivable("TagPair") private struct TagPair {
  @JSONFormat(.tagged(by: "kind", ["dog": TagDog.self, "cat": TagCat.self, "fish": TagFish.self]))
  var pets: [any TagPet] = []
}

@Archivable("TagHome") private final class TagHome {
  @JSONFormat(.tagged(by: "kind", ["dog": TagDog.self, "cat": TagCat.self, "fish": TagFish.self]))
  var pets: [any TagPet] = []
  @JSONFormat(.tagged(by: "is", ["d": TagDog.self, "c": TagCat.self])) var one: (any TagPet)?
  @JSONFormat(.tagged(by: "kind", ["dog": TagDog.self, "cat": TagCat.self]))
  var byName: [String: any TagPet] = [:]
  var pair = TagPair()
  var plain: TagDog?
}

/// Objects whose types a member states, with references to one object.
final class TaggedObjectTests: XCTestCase {
  private func check(
    _ home: TagHome, _ references: ModelReferences, _ expected: String, line: UInt = #line
  ) throws -> TagHome {
    let text = try ModelWriter(references: references).text(of: home)
    XCTAssertEqual(text, expected, line: line)
    let pretty = ModelWriter(isPretty: true, references: references)
    XCTAssertEqual(
      try JSONValue(parsing: pretty.text(of: home)), try JSONValue(parsing: expected), line: line)
    XCTAssertEqual(try pretty.value(of: home), try JSONValue(parsing: expected), line: line)
    for isPretty in [false, true] {
      let sorting = ModelWriter(isPretty: isPretty, sortsKeys: true, references: references)
      let text = try sorting.text(of: home)
      let read = try ModelReader(references: references).read(TagHome.self, from: text)
      XCTAssertEqual(try sorting.text(of: read), text, line: line)
    }
    let (read, issues) = try ModelReader(.lenient, references: references).readWithIssues(
      TagHome.self, from: text)
    XCTAssertTrue(issues.isEmpty, "\(issues)", line: line)
    XCTAssertEqual(try ModelWriter(references: references).text(of: read), text, line: line)
    return try ModelReader(references: references).read(TagHome.self, from: text)
  }

  private func object(_ pet: (any TagPet)?) -> AnyObject? { pet.map { $0 as AnyObject } }

  func testRepeatedTaggedObjectBecomesAReferenceMark() throws {
    let (home, dog) = (TagHome(), TagDog())
    dog.friend = dog
    (home.pets, home.one, home.byName, home.plain) = ([dog, dog], dog, ["a": dog], dog)
    home.pair.pets = [TagDog(), dog]
    let text =
      #"{"pets":[{"$id":"1","kind":"dog","x":1,"friend":{"$ref":"1"}},{"$ref":"1"}],"one":{"$ref":"1"},"#
      + #""byName":{"a":{"$ref":"1"}},"pair":{"pets":[{"kind":"dog","x":1},{"$ref":"1"}]},"plain":{"$ref":"1"}}"#
    for references: ModelReferences in [.marked, [.marked, .identified]] {
      let read = try check(home, references, text)
      let first = object(read.pets[0])
      for pet in [read.pets[1], read.one, read.byName["a"], read.pair.pets[1]] {
        XCTAssertTrue(object(pet) === first)
      }
      XCTAssertTrue(read.plain === first && read.plain?.friend === first)
      XCTAssertFalse(object(read.pair.pets[0]) === first)
      read.plain?.friend = nil
    }
    dog.friend = nil
  }

  func testEachPropertyWritesObjectsWithItsOwnTag() throws {
    let (home, dog, cat) = (TagHome(), TagDog(), TagCat())
    (home.pets, home.one, home.plain) = ([dog, cat, TagFish(), dog], dog, dog)
    let text =
      #"{"pets":[{"kind":"dog","x":1},{"kind":"cat","id":4,"x":1},{"kind":"fish","x":1},{"kind":"dog","x":1}],"#
      + #""one":{"is":"d","x":1},"byName":{},"pair":{"pets":[]},"plain":{"x":1}}"#
    let read = try check(home, [], text)
    XCTAssertEqual(read.pets[2] as? TagFish, TagFish())
  }

  func testReferenceByIdentityIncludesTheTag() throws {
    let (home, cat) = (TagHome(), TagCat())
    (home.pets, home.one) = ([cat, cat], cat)
    let read = try check(
      home, .identified,
      #"{"pets":[{"kind":"cat","id":4,"x":1},{"kind":"cat","id":4}],"one":{"is":"c","id":4},"#
        + #""byName":{},"pair":{"pets":[]}}"#)
    XCTAssertTrue(object(read.pets[0]) === object(read.pets[1]) && object(read.one) === object(read.pets[0]))
    let both = try check(
      home, [.marked, .identified],
      #"{"pets":[{"$id":"1","kind":"cat","id":4,"x":1},{"$ref":"1"}],"one":{"$ref":"1"},"#
        + #""byName":{},"pair":{"pets":[]}}"#)
    XCTAssertTrue(object(both.pets[0]) === object(both.pets[1]))
  }
}
