import Arc
import ArcModel
import ArcTestSupport
import XCTest

/// Objects to which several members of a text refer.
final class ReferenceReadingTests: XCTestCase {
  private let reader = ModelReader(references: .marked)

  private func read<Value: ArchivableValue>(_ type: Value.Type = Value.self, _ text: String) throws -> Value {
    try reader.read(type, from: text)
  }

  func testReferencesToAnIDReachItsObject() throws {
    let text = """
      [{"$id": "1", "name": "a", "friend": {"$ref": "2"}, "friends": [{"$ref": "1"}, {"$ref": "2"}]},
       {"$id": 2, "name": "b", "byName": {"a": {"$ref": 1}}, "observed": {"$ref": "1"}}]
      """
    let people = try read([RefsPerson].self, text)
    let (a, b) = (people[0], people[1])
    XCTAssertTrue(a.friend === b)
    XCTAssertTrue(a.friends[0] === a)
    XCTAssertTrue(a.friends[1] === b)
    XCTAssertTrue(b.byName["a"] === a)
    XCTAssertTrue(b.observed === a)
    XCTAssertEqual(b.changes, [], "no observer of a new object runs")
    try ObjectGraph.release(people)
  }

  func testArrayWithIDIsReadFromValuesMember() throws {
    let people = try read(
      [RefsPerson].self,
      """
      {"$id": "0", "$values": [
        {"$id": "1", "name": "a", "friends": {"$id": "2", "$values": [{"$id": "3", "name": "b"}, {"$ref": "1"}]}},
        {"$ref": "3"}, {"$id": "4", "friends": {"$values": []}}]}
      """)
    XCTAssertEqual(people.map(\.name), ["a", "b", ""])
    XCTAssertTrue(people[0].friends[0] === people[1] && people[0].friends[1] === people[0])
    XCTAssertEqual(people[2].friends.count, 0)
    try ObjectGraph.release(people)
    XCTAssertEqual(try read([Int].self, #"{"$id": "1", "$values": [1, 2]}"#), [1, 2])
    XCTAssertThrowsError(
      try read([RefsPerson].self, #"{"$id": "1", "$values": [{"name": "a"}, {"$ref": "1"}]}"#), "no object"
    ) { XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.danglingReference]) }
    for text in [
      #"{"$id": "1", "$values": [1], "x": 1}"#, #"{"$id": "1", "$values": 1}"#, #"{"$id": "1"}"#,
      #"{"$ref": "1"}"#, "{}",
    ] {
      XCTAssertThrowsError(try read([Int].self, text), text)
    }
    XCTAssertThrowsError(try ModelReader().read([Int].self, from: #"{"$id": "1", "$values": [1]}"#))
  }

  func testReferenceMarksAreOrdinaryMembersByDefault() throws {
    let named = try RefsNamed(json: "{\"$id\": \"7\", \"next\": {\"$ref\": \"7\", \"$id\": \"8\"}}")
    XCTAssertEqual(named.id, "7")
    XCTAssertEqual(named.next?.id, "8")
    var reporting = ModelReader(.lenient)
    reporting.unknownKeys = .reported
    let issues = try reporting.readWithIssues(RefsPerson.self, from: "{\"$id\": \"7\"}").issues
    XCTAssertEqual(issues.map(\.code), [.unknownKey])
    reporting.references = .marked
    XCTAssertEqual(try reporting.readWithIssues(RefsPerson.self, from: "{\"$id\": \"7\"}").issues, [])
  }

  func testPropertyCanBeReadFromTheReferenceMark() throws {
    let named = try read(RefsNamed.self, "{\"$id\": \"7\", \"next\": {\"$ref\": \"7\"}}")
    XCTAssertEqual(named.id, "7")
    XCTAssertTrue(named.next === named)
    named.next = nil
  }

  func testConstantReferencesAreBuiltInDependencyOrder() throws {
    let text = """
      [{"$id": "a", "number": 1, "next": {"$ref": "b"}}, {"$id": "b", "number": 2, "next": {"$ref": "c"}},
       {"$id": "c", "number": 3, "back": {"$ref": "a"}}]
      """
    let links = try read([RefsLink].self, text)
    XCTAssertEqual(links.map(\.number), [1, 2, 3])
    XCTAssertTrue(links[0].next === links[1])
    XCTAssertTrue(links[1].next === links[2])
    XCTAssertTrue(links[2].back === links[0])
    links[2].back = nil
  }

  func testCycleWithOneVariablePropertyIsRead() throws {
    let boss = try read(
      RefsBoss.self, "{\"$id\": \"1\", \"name\": \"b\", \"deputy\": {\"boss\": {\"$ref\": \"1\"}}}")
    XCTAssertTrue(boss.deputy?.boss === boss)
    boss.deputy = nil
  }

  func testCycleOfLetPropertiesReportsItsObjects() throws {
    let text = "{\"$id\": \"1\", \"number\": 1, \"next\": {\"number\": 2, \"next\": {\"$ref\": \"1\"}}}"
    XCTAssertThrowsError(try read(RefsLink.self, text)) {
      XCTAssertEqual(
        ($0 as? ModelReadingError)?.issues.map(\.description),
        [
          "next.next: found objects whose initializers need each other: RefsLink at the root → RefsLink at next → "
            + "RefsLink at the root, expected a cycle in which one property is a 'var' that is optional or has an "
            + "initial value"
        ])
    }
    let (link, issues) = try ModelReader(.lenient, references: .marked).readWithIssues(
      RefsLink.self, from: text)
    XCTAssertEqual(issues.map(\.code), [.constructionCycle])
    XCTAssertEqual(link.next?.number, 2)
    XCTAssertNil(link.next?.next)
    for twin in [
      "{\"$id\": 1, \"other\": {\"$ref\": 1}}", "{\"$id\": 1, \"other\": {\"other\": {\"$ref\": 1}}}",
    ] {
      XCTAssertThrowsError(try read(RefsTwin.self, twin))
      XCTAssertThrowsError(try ModelReader(.lenient, references: .marked).read(RefsTwin.self, from: twin))
    }
  }

  func testErrorsInReferenceMarksNameTheirPath() throws {
    let cases: [(text: String, issue: String, count: Int)] = [
      (
        "[{\"$ref\": \"7\"}]",
        "[0]: found a '$ref' to \"7\", expected a '$ref' to the '$id' of an object in the text", 0
      ),
      (
        "[{\"$id\": 1}, {\"$id\": \"1\"}]",
        "[1][\"$id\"]: found \"1\", expected an '$id' that no other object has", 2
      ),
      ("[{\"$id\": null}]", "[0][\"$id\"]: found null, expected a string or a number for '$id'", 1),
      ("[{\"$id\": {}}]", "[0][\"$id\"]: found an object, expected a string or a number for '$id'", 1),
      ("[{\"$ref\": true}]", "[0][\"$ref\"]: found true, expected a string or a number for '$ref'", 0),
      ("[{\"$ref\": null}]", "[0][\"$ref\"]: found null, expected a string or a number for '$ref'", 0),
      (
        "[{\"$id\": 1}, {\"$ref\": 1, \"name\": \"x\"}]",
        "[1].name: found a member next to '$ref', expected '$ref' as the only member of its object", 2
      ),
      (
        "[{\"$id\": 1, \"$id\": 2}]",
        "[0][\"$id\"]: found a second member with the same name, expected members with distinct names", 1
      ),
    ]
    for (text, issue, count) in cases {
      XCTAssertThrowsError(try read([RefsPerson].self, text), text) {
        XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.description), [issue])
      }
      let (people, issues) = try ModelReader(.lenient, references: .marked).readWithIssues(
        [RefsPerson].self, from: text)
      XCTAssertEqual(issues.map(\.description), [issue])
      XCTAssertEqual(people.count, count, text)
    }
  }

  func testReferenceToWrongClassIsReported() throws {
    let text = "{\"friend\": {\"$id\": 1, \"name\": \"p\"}, \"deputy\": {\"boss\": {\"$ref\": 1}}}"
    let issue =
      "deputy.boss: found a '$ref' to an object of class 'RefsPerson', expected a '$ref' to an object of class 'RefsBoss' or a subclass"
    XCTAssertThrowsError(try read(RefsBoss.self, text)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.description), [issue])
    }
    let (boss, issues) = try ModelReader(.lenient, references: .marked).readWithIssues(
      RefsBoss.self, from: text)
    XCTAssertEqual(issues.map(\.description), [issue])
    XCTAssertNil(boss.deputy, "it cannot be without its boss")
    XCTAssertEqual(boss.friend?.name, "p")
  }

  func testReferencesReachObjectsOutsideTheRequestedPath() throws {
    let text = """
      {"included": [{"$id": 1, "name": "a", "friend": {"$ref": 2}}, {"$id": 2, "name": "b"}, {"$id": 3}, {"$id": 3}],
       "data": [{"$ref": 1}, {"$ref": 2}]}
      """
    let people = try reader.read([RefsPerson].self, from: text, at: "data")
    XCTAssertEqual(people.map(\.name), ["a", "b"])
    XCTAssertTrue(people[0].friend === people[1])
    XCTAssertThrowsError(
      try reader.read(
        RefsPerson.self, from: "{\"a\": [{\"$id\": 3}, {\"$id\": 3}], \"b\": {\"$ref\": 3}}", at: "b")
    ) {
      XCTAssertEqual(
        ($0 as? ModelReadingError)?.issues.map(\.description),
        [
          "a[1][\"$id\"]: found 3, expected an '$id' that no other object has"
        ])
    }
  }

  func testReferenceMarksAsDictionaryKeysAreOrdinaryKeys() throws {
    let text = "[{\"$id\": 1, \"byName\": {\"$id\": {\"name\": \"x\"}, \"$ref\": {\"$ref\": 1}}}]"
    let people = try read([RefsPerson].self, text)
    XCTAssertEqual(people[0].byName["$id"]?.name, "x")
    XCTAssertTrue(people[0].byName["$ref"] === people[0])
    try ObjectGraph.release(people)
  }

  func testJSONMemberDeterminesClassOfReferencedObject() throws {
    let shapes = try read([RefsShape].self, "[{\"twin\": {\"$ref\": 1}}, {\"$id\": 1, \"radius\": 2}]")
    XCTAssertEqual((shapes[0].twin as? RefsCircle)?.radius, 2)
    XCTAssertTrue(shapes[0].twin === shapes[1])
  }

  func testReferencesReachObjectsInsideValues() throws {
    let text = """
      {"plain": {"person": {"$id": 1, "name": "a"}}, "tagged": {"type": "pair", "_0": {"$ref": 1}, "second": {"$ref": 1}},
       "pair": {"0": {"$ref": 1}, "1": 5}, "keyed": [[{"$ref": 1}, 7]]}
      """
    let holder = try read(RefsHolder.self, text)
    guard case .person(let person) = holder.plain, case .pair(let first, let second) = holder.tagged else {
      return XCTFail()
    }
    XCTAssertTrue(person === first)
    XCTAssertTrue(person === second)
    XCTAssertTrue(person === holder.pair.0)
    XCTAssertEqual(holder.keyed[person], 7)
  }

  func testPreprocessingIsRefusedIfReferencesAreEnabled() {
    XCTAssertThrowsError(try read(HostilePrepared.self, "{\"count\": 1}")) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.code), [.refused])
    }
  }

  // MARK: Hooks

  func testFinishingHookRunsOnceAfterReferencedObjects() throws {
    let text = "[{\"next\": {\"$ref\": 1}}, {\"next\": {\"$id\": 1, \"number\": 5}}, {\"$ref\": 1}]"
    let finishers = try read([RefsFinisher].self, text)
    XCTAssertEqual(finishers.map(\.readCount), [1, 1, 1])
    XCTAssertEqual(finishers.map(\.isNextRead), [true, true, true])
    let cycle = try read(RefsFinisher.self, "{\"$id\": 1, \"next\": {\"next\": {\"$ref\": 1}}}")
    XCTAssertEqual([cycle.readCount, cycle.next?.readCount], [1, 1])
    cycle.next = nil
  }

  func testReadingFailsIfAnObjectRefusesItself() {
    let text = "[{\"$id\": 1, \"number\": -1}, {\"next\": {\"$ref\": 1}}]"
    for mode in [ModelReader.Mode.strict, .lenient] {
      XCTAssertThrowsError(try ModelReader(mode, references: .marked).read([RefsFinisher].self, from: text)) {
        guard mode == .lenient else { return XCTAssertTrue($0 is NegativeNumber, "\($0)") }
        let issues = ($0 as? ModelReadingError)?.issues ?? []
        XCTAssertEqual(issues.map(\.path), ["[0]"])
        XCTAssertTrue(issues.first?.underlyingError is NegativeNumber)
      }
    }
  }

  // MARK: Memory and time

  func testFailedReadingReleasesAllObjects() throws {
    let count = RefsToken.count
    let cycle = "{\"$id\": 1, \"friend\": {\"friends\": [{\"$ref\": 1}]}}"
    for text in [
      "{\"friends\": [\(cycle)], \"name\": 5}", "{\"friends\": [\(cycle)], \"observed\": {\"$ref\": 9}}",
      "{\"friends\": [\(cycle)], \"deputy\": {\"boss\": {\"$ref\": 1}}}",
    ] {
      XCTAssertThrowsError(try read(RefsBoss.self, text))
    }
    XCTAssertThrowsError(try reader.read(RefsList.self, from: "{\"items\": [\(cycle), 5]}"))
    XCTAssertEqual(RefsToken.count, count)
    // The list cannot be built, so nothing retains its items.
    let lists = "[{\"items\": 5}, {\"items\": [\(cycle)], \"items\": null}]"
    XCTAssertThrowsError(try ModelReader(.lenient, references: .marked).read([RefsList].self, from: lists))
    XCTAssertEqual(RefsToken.count, count)
    let kept = try ModelReader(.lenient, references: .marked).read(
      [RefsDeputy].self,
      from: "[{\"boss\": {\"$id\": 1, \"friend\": {\"$ref\": 1}, \"staff\": []}}, {\"boss\": {\"$ref\": 9}}]")
    XCTAssertEqual(kept.count, 1)
    kept[0].boss.friend = nil
  }

  func testDroppedObjectsOfALenientReaderAreReleased() throws {
    let count = RefsToken.count
    try dropped {
      let text =
        "{\"keyed\": [[{\"$id\": 1, \"friend\": {\"$ref\": 1}}, \"x\"], 7], \"pair\": {\"0\": null, \"1\": 3}}"
      let (holder, issues) = try ModelReader(.lenient, references: .marked).readWithIssues(
        RefsHolder.self, from: text)
      XCTAssertEqual(issues.count, 2)
      XCTAssertEqual(holder.keyed.count, 0)
    }
    XCTAssertEqual(RefsToken.count, count)
  }

  private func dropped(_ body: () throws -> Void) rethrows { try body() }

  func testLongConstantChainIsReadOnSmallStack() throws {
    let count = RandomTrials.size(usually: 8_000, exhaustively: 50_000)
    var text = "["
    for number in 0..<count {
      text +=
        "{\"$id\":\(number),\"number\":\(number),\"next\":\(number + 1 < count ? "{\"$ref\":\(number + 1)}" : "null")},"
    }
    text += "{\"number\":-1}]"
    try onSmallStack { [reader = self.reader, text] in
      var links = try reader.read([RefsLink].self, from: text)
      XCTAssertEqual(links.count, count + 1)
      XCTAssertTrue(links[0].next === links[1])
      XCTAssertTrue(links[count - 2].next === links[count - 1])
      // The first link is released first, while the list still retains the others, so that no release frees a
      // whole chain.
      links.reverse()
      while !links.isEmpty { links.removeLast() }
    }
  }

  func testCycleOfManyObjectsIsReadAndReleased() throws {
    let count = 10_000
    var text = "["
    for number in 0..<count {
      text += (number > 0 ? "," : "") + "{\"$id\":\(number),\"friend\":{\"$ref\":\((number + 1) % count)}}"
    }
    let before = RefsToken.count
    try dropped {
      XCTAssertThrowsError(try read([RefsPerson].self, text + ",5]"))
      XCTAssertEqual(RefsToken.count, before)
      let people = try read([RefsPerson].self, text + "]")
      XCTAssertTrue(people[count - 1].friend === people[0])
      for person in people { person.friend = nil }
    }
    XCTAssertEqual(RefsToken.count, before)
  }
}
