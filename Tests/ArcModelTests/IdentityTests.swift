import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

/// JSON objects with equal identity values become one object.
final class IdentityTests: XCTestCase {
  private let reader = ModelReader(references: .identified)

  func testJSONObjectsWithEqualIdentityBecomeOneObject() throws {
    let text = """
      [{"author": {"id": 7, "name": "a"}, "readers": [{"id": 8}, {"id": 7, "email": "e"}]},
       {"author": {"id": 8, "name": "b"}, "byName": {"x": {"id": 7}, "y": {"id": 9}}}]
      """
    let posts = try reader.read([IdentPost].self, from: text)
    let (seven, eight) = (posts[0].author, posts[1].author)
    XCTAssertTrue(posts[0].readers[0] === eight)
    XCTAssertTrue(posts[0].readers[1] === seven)
    XCTAssertTrue(posts[1].byName["x"] === seven)
    XCTAssertEqual([seven.name, eight.name], ["a", "b"])
    XCTAssertEqual(seven.email, "e")
    XCTAssertEqual(eight.email, "default")
    let others = try [IdentPost](json: text)
    XCTAssertFalse(others[0].author === others[0].readers[1], "not unless it is asked for")
  }

  func testLastValueWinsAndMissingMembersChangeNothing() throws {
    let text = """
      [{"id": 1, "name": "a", "email": "e", "born": 5, "address": {"street": "s", "city": "c"}},
       {"id": 1, "name": "b", "email": null, "address": {"city": "d"}}, {"id": 1, "born": 5}]
      """
    for reader in [reader, ModelReader(.lenient, references: .identified)] {
      let users = try reader.read([IdentUser].self, from: text)
      XCTAssertTrue(users[0] === users[1] && users[1] === users[2])
      XCTAssertEqual(users[0].name, "b")
      XCTAssertNil(users[0].email)
      XCTAssertEqual(users[0].born, 5)
      XCTAssertEqual(users[0].address?.street, "s")
      XCTAssertEqual(users[0].address?.city, "d")
    }
    let nested = "{\"id\": 1, \"best\": {\"id\": 1, \"name\": \"in\"}, \"name\": \"out\"}"
    let user = try reader.read(IdentUser.self, from: nested)
    XCTAssertTrue(user.best === user)
    XCTAssertEqual(user.name, "out", "the last one in the text")
    user.best = nil
    let cleared = "[{\"id\": 1, \"address\": {\"city\": \"c\"}}, {\"id\": 1, \"address\": null}]"
    XCTAssertNil(try reader.read([IdentUser].self, from: cleared)[0].address)
  }

  func testConflictingValuesOfAConstantAreReported() throws {
    let text = "[{\"id\": 1, \"born\": 5}, {\"id\": 1, \"born\": 6}, {\"id\": 1, \"born\": 5}]"
    let issue = "[1].born: found 6, expected 5, as in an earlier JSON object for the same object"
    XCTAssertThrowsError(try reader.read([IdentUser].self, from: text)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.description), [issue])
    }
    let (users, issues) = try ModelReader(.lenient, references: .identified).readWithIssues(
      [IdentUser].self, from: text)
    XCTAssertEqual(issues.map(\.description), [issue])
    XCTAssertEqual(users[0].born, 5)
    let owned =
      "[{\"id\": \"x\", \"owner\": {\"id\": 1}}, {\"id\": \"x\", \"owner\": {\"id\": 1, \"name\": \"n\"}}]"
    XCTAssertEqual(try reader.read([IdentOwned].self, from: owned)[0].owner?.name, "n")
    let other = owned.replacingOccurrences(of: "\"id\": 1, \"name\"", with: "\"id\": 2, \"name\"")
    XCTAssertThrowsError(try reader.read([IdentOwned].self, from: other)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.conflictingValue])
    }
  }

  func testObjectsWithIncompleteIdentityStayDistinct() throws {
    let text = """
      [{"country": "a", "number": 1, "near": {"country": "a", "number": 1, "level": 3}}, {"country": "a"},
       {"country": "a", "number": null}, {"country": "b", "number": 1}, {"country": "a"}]
      """
    let places = try reader.read([IdentPlace].self, from: text)
    XCTAssertTrue(places[0].near === places[0])
    XCTAssertEqual(places[0].level, 3)
    XCTAssertEqual(Set(places.map { ObjectIdentifier($0) }).count, 5)
    places[0].near = nil
  }

  func testCyclesOfIdentifiedObjectsAreRead() throws {
    let text = "{\"id\": 1, \"friends\": [{\"id\": 2, \"best\": {\"id\": 1}, \"friends\": [{\"id\": 2}]}]}"
    let count = RefsToken.count
    let user = try reader.read(IdentUser.self, from: text)
    XCTAssertTrue(user.friends[0].best === user)
    XCTAssertTrue(user.friends[0].friends[0] === user.friends[0])
    try ObjectGraph.release(user)
    XCTAssertThrowsError(try reader.read([IdentUser].self, from: "[\(text), 5]"))
    XCTAssertThrowsError(try reader.read([IdentUser].self, from: "[\(text), {\"id\": 2, \"name\": 5}]"))
    XCTAssertEqual(RefsToken.count, count + 1)
  }

  func testSubclassObjectIsAcceptedForItsSuperclass() throws {
    let admins = "[{\"id\": 1, \"rights\": [\"r\"], \"best\": {\"id\": 1, \"name\": \"n\"}}]"
    let admin = try reader.read([IdentAdmin].self, from: admins)[0]
    XCTAssertTrue(admin.best === admin)
    XCTAssertEqual(admin.name, "n")
    XCTAssertEqual(admin.rights, ["r"])
    admin.best = nil
  }

  func testIdentityWithoutValidPropertiesThrows() {
    for body in [
      { _ = try self.reader.read(IdentWrong.self, from: "{}") },
      { _ = try self.reader.read(IdentEmpty.self, from: "{}") },
    ] as [() throws -> Void] {
      XCTAssertThrowsError(try body()) { XCTAssertEqual(($0 as? ArchiveError)?.code, .notArchivable) }
    }
    XCTAssertNoThrow(try IdentWrong(json: "{}"))
  }

  func testErrorNamesTheUnknownIdentifyingProperty() {
    let writer = ModelWriter(references: .identified)
    for (name, body) in [
      ("number", { _ = try self.reader.read(IdentWrong.self, from: "{}") }),
      ("number", { _ = try writer.text(of: [IdentWrong()]) }),
      ("hidden", { _ = try ModelReader().read([IdentHidden].self, from: "[{}]", updating: [IdentHidden()]) }),
      ("hidden", { _ = try writer.text(of: IdentHiddenHeir()) }),
    ] as [(String, () throws -> Void)] {
      XCTAssertThrowsError(try body()) {
        let error = $0 as? ArchiveError
        XCTAssertEqual(error?.code, .notArchivable)
        XCTAssertEqual(error?.found, "the unknown identifying property '\(name)'")
        XCTAssertEqual(error?.expected, "an archived property of the class")
        XCTAssertEqual(
          error?.remedy,
          "correct the name in 'identifyingProperties', or remove '@Transient' from the property")
      }
    }
    XCTAssertEqual(try IdentWrong().json(), #"{"id":0}"#)
  }

  func testUnknownMembersOfAllOccurrencesArePreserved() throws {
    let reader = ModelReader(references: .identified, unknownKeys: .preserved)
    let text =
      "[{\"country\": \"a\", \"number\": 1, \"x\": 1, \"y\": 1}, {\"country\": \"a\", \"number\": 1, \"y\": 2}]"
    XCTAssertEqual(
      JSONValue.object(try reader.read([IdentPlace].self, from: text)[0].unknownMembers), ["x": 1, "y": 2])
  }

  func testReferenceMarksAndIdentitiesCanBeCombined() throws {
    let reader = ModelReader(references: [.marked, .identified])
    let text =
      "[{\"$id\": \"a\", \"id\": 1}, {\"$id\": \"b\", \"id\": 1, \"name\": \"n\"}, {\"id\": 2, \"best\": {\"$ref\": \"a\"}, \"friends\": [{\"$ref\": \"b\"}]}]"
    let users = try reader.read([IdentUser].self, from: text)
    XCTAssertTrue(users[0] === users[1])
    XCTAssertTrue(users[2].best === users[0])
    XCTAssertTrue(users[2].friends[0] === users[0])
    XCTAssertEqual(users[0].name, "n")
  }

  // MARK: Existing objects

  func testExistingObjectsAreUpdatedAndNewObjectsCreated() throws {
    let (one, two) = (IdentUser(id: 1), IdentAdmin(id: 2))
    let address = IdentAddress()
    (address.street, one.address, one.name, two.rights) = ("s", address, "old", ["old"])
    let text = """
      [{"author": {"id": 2, "name": "two", "rights": ["new"]}, "readers": [{"id": 3, "best": {"id": 1}}]},
       {"author": {"id": 1, "address": {"city": "c", "owner": {"id": 3}}, "friends": [{"id": 3}, {"id": 2}]}}]
      """
    let posts = try ModelReader().read([IdentPost].self, from: text, updating: [one, two])
    XCTAssertTrue(posts[0].author === two)
    XCTAssertTrue(posts[1].author === one)
    XCTAssertEqual([one.name, two.name], ["old", "two"])
    XCTAssertEqual(two.rights, ["new"], "by its own class")
    XCTAssertTrue(one.address === address)
    XCTAssertEqual([address.street, address.city], ["s", "c"])
    let three = posts[0].readers[0]
    XCTAssertTrue(address.owner === three && one.friends[0] === three && one.friends[1] === two)
    XCTAssertTrue(three.best === one)
    three.best = nil
  }

  func testFailedUpdateChangesNoObject() throws {
    let count = RefsToken.count
    let users = [IdentUser(id: 1), IdentUser(id: 2)]
    users[0].address = IdentAddress()
    for end in [
      "5", "{\"id\": 2, \"name\": 5}", "{\"id\": 2, \"address\": []}",
      "{\"id\": 1, \"best\": {\"id\": 2}, \"email\": []}",
    ] {
      let text =
        "[{\"id\": 1, \"name\": \"x\", \"address\": {\"city\": \"c\"}, \"friends\": [{\"id\": 9, \"best\": {\"id\": 9}}]}, \(end)]"
      XCTAssertThrowsError(try ModelReader().read([IdentUser].self, from: text, updating: users), end)
      XCTAssertEqual(users.map(\.name), ["none", "none"])
      XCTAssertEqual(users[0].address?.city, "")
      XCTAssertEqual(users[0].friends.count, 0)
      XCTAssertEqual(RefsToken.count, count + 2)
    }
    let places = [IdentPlace(), IdentPlace()]
    for (number, place) in places.enumerated() { (place.country, place.number) = ("c", number) }
    for text in [
      "[{\"country\": \"c\", \"number\": 0, \"level\": 5, \"z\": 1}, {\"country\": \"c\", \"number\": 1, \"level\": -1}]",
      "[{\"country\": \"c\", \"number\": 0, \"level\": 5, \"z\": 1}, {\"country\": \"new\", \"number\": 1, \"level\": -1}]",
    ] {
      let reader = ModelReader(unknownKeys: .preserved)
      XCTAssertThrowsError(try reader.read([IdentPlace].self, from: text, updating: places)) {
        XCTAssertTrue($0 is NegativeNumber, "\($0)")
      }
      XCTAssertEqual(places.map(\.level), [0, 0])
      XCTAssertEqual(places[0].unknownMembers.count, 0)
    }
  }

  func testUpdatingAnEmptyListEnablesIdentity() throws {
    let users = try ModelReader().read([IdentUser].self, from: "[{\"id\": 1}, {\"id\": 1}]", updating: [])
    XCTAssertTrue(users[0] === users[1])
  }

  func testConstantsOfExistingObjectsDoNotChange() throws {
    let user = IdentUser(id: 1, born: 5)
    let text = "{\"id\": 1, \"born\": 6, \"name\": \"n\"}"
    XCTAssertThrowsError(try ModelReader().read(IdentUser.self, from: text, updating: [user]))
    XCTAssertEqual(user.name, "none")
    let (_, issues) = try ModelReader(.lenient).readWithIssues(IdentUser.self, from: text, updating: [user])
    XCTAssertEqual(issues.map(\.code), [.conflictingValue])
    XCTAssertEqual(user.born, 5)
    XCTAssertEqual(user.name, "n")
  }

  func testReferencesInAnUpdateReachTheUpdatedObject() throws {
    let user = IdentUser(id: 1)
    try ModelReader(references: .identified).update(
      user, from: "{\"name\": \"n\", \"friends\": [{\"id\": 2}, {\"id\": 2, \"name\": \"two\"}]}")
    XCTAssertTrue(user.friends[0] === user.friends[1])
    XCTAssertEqual(user.friends[0].name, "two")
    try ModelReader(references: .identified).update(user, from: "{\"best\": {\"id\": 1, \"email\": \"e\"}}")
    XCTAssertTrue(user.best === user)
    XCTAssertEqual(user.email, "e")
    try ModelReader(references: .marked).update(
      user, from: "{\"$id\": 1, \"id\": 1, \"best\": {\"$ref\": 1}}")
    XCTAssertTrue(user.best === user)
    user.best = nil
    XCTAssertThrowsError(try ModelReader(references: .marked).update(user, from: "[]"))
    XCTAssertThrowsError(
      try ModelReader(references: .marked).update(user, from: "{\"name\": \"x\", \"best\": {\"$ref\": 1}}"))
    XCTAssertEqual(user.name, "n")
  }

  // MARK: Writing

  func testEachIdentifiedObjectIsWrittenInFullOnce() throws {
    let (one, two) = (IdentUser(id: 1), IdentUser(id: 2))
    (one.best, two.best, one.friends) = (two, one, [two])
    let writer = ModelWriter(references: .identified)
    let text = try writer.text(of: [one, two])
    XCTAssertEqual(
      text,
      """
      [{"id":1,"name":"none","email":"default","friends":[{"id":2,"name":"none","email":"default",\
      "friends":[],"best":{"id":1}}],"best":{"id":2}},{"id":2}]
      """)
    let read = try reader.read([IdentUser].self, from: text)
    XCTAssertTrue(try ObjectGraph.isIsomorphic([one, two], read))
    try ObjectGraph.release(read)
    try ObjectGraph.release([one, two])
  }

  func testRandomGraphsStayIsomorphicAfterRoundTrip() throws {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    for _ in 0..<RandomTrials.count(usually: 20, exhaustively: 100) {
      let users = (0..<Int.random(in: 1...7, using: &random)).map {
        IdentUser(id: $0, born: $0 % 3 == 0 ? nil : $0)
      }
      func any() -> IdentUser { users[Int.random(in: users.indices, using: &random)] }
      for user in users {
        if Bool.random(using: &random) { (user.best, user.email) = (any(), nil) }
        user.friends = (0..<Int.random(in: 0...3, using: &random)).map { _ in any() }
        if Bool.random(using: &random) {
          user.address = IdentAddress()
          user.address?.owner = any()
        }
      }
      let text = try ModelWriter(nulls: .written, references: .identified).text(of: users)
      let read = try reader.read([IdentUser].self, from: text)
      guard try ObjectGraph.isIsomorphic(users, read) else {
        return XCTFail(
          "\(try ObjectGraph.difference(between: users, and: read).map { "\($0)" } ?? ""), seed \(seed)")
      }
      // Reading half of the objects again updates them without a change.
      let again = try ModelReader().read(
        [IdentUser].self, from: text, updating: Array(read.prefix(read.count / 2)))
      XCTAssertTrue(try ObjectGraph.isIsomorphic(users, again), "seed \(seed)")
      XCTAssertTrue(zip(read, again).prefix(read.count / 2).allSatisfy { $0 === $1 })
      try ObjectGraph.release(again)
      try ObjectGraph.release(read)
      try ObjectGraph.release(users)
    }
  }

  // MARK: Crafted JSON

  func testDamagedTextWithReferencesGivesErrorOrValue() throws {
    let bytes = Array(
      "[{\"author\":{\"id\":1,\"name\":\"a\",\"address\":{\"city\":\"c\"}},\"readers\":[{\"id\":2,\"best\":{\"id\":1}},{\"id\":1,\"address\":{\"street\":\"s\"}},{\"$ref\":5},{\"$id\":5,\"id\":3}]}]"
        .utf8)
    for mode in [ModelReader.Mode.strict, .lenient] {
      let reader = ModelReader(mode, references: [.marked, .identified])
      for index in RandomTrials.sample(of: bytes.indices, oneIn: 16) {
        let user = IdentUser(id: 1)
        user.address = IdentAddress()
        XCTAssertThrowsError(
          try reader.read([IdentPost].self, from: Array(bytes.prefix(index)), updating: [user]))
        for bit in 0..<8 {
          var changed = bytes
          changed[index] ^= 1 << UInt8(bit)
          do {
            try ObjectGraph.release(try reader.read([IdentPost].self, from: changed, updating: [user]))
          } catch {
            XCTAssertTrue(user.name == "none" || mode == .lenient)
          }
          (user.name, user.best, user.friends, user.address) = ("none", nil, [], IdentAddress())
        }
      }
    }
  }
}
