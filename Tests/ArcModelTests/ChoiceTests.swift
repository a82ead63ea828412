import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Properties whose declared types do not determine the types of their values.
final class ModelChoiceTests: XCTestCase {
  private func message<Value: ArchivableValue>(_ type: Value.Type, _ json: String) -> String {
    do {
      _ = try Value(json: json)
      return "no error"
    } catch { return "\(error)" }
  }

  func testJSONMemberDeterminesTheTypeOfAValue() throws {
    let text =
      #"{"pets":[{"kind":"dog","barks":3,"friends":[{"barks":1,"friends":[]}]},{"lives":7,"kind":"cat"},"#
      + #"{"kind":"fish","length":2,"colors":["red"]}],"main":null,"dogs":{},"#
      + #""anything":{"kind":"fish","length":4,"colors":[]}}"#
    let home = try ChoiceHome(json: text)
    let dog = try XCTUnwrap(home.pets[0] as? ChoiceDog)
    XCTAssertEqual(dog.barks, 3)
    XCTAssertEqual(dog.friends.map(\.barks), [1])
    XCTAssertEqual((home.pets[1] as? ChoiceCat)?.lives, 7)
    XCTAssertEqual(home.pets[2] as? ChoiceFish, ChoiceFish(length: 2, colors: ["red"]))
    XCTAssertEqual(home.anything as? ChoiceFish, ChoiceFish(length: 4))
    XCTAssertNil(home.main)
    XCTAssertEqual(
      try home.json(), text.replacingOccurrences(of: #""main":null,"#, with: ""),
      "a property that has no initial value is left out where it is nil")
  }

  func testFunctionDeterminesTheTypeOfAValue() throws {
    XCTAssertEqual((try ChoiceHome(json: #"{"main": {"lives": 3}}"#).main as? ChoiceCat)?.lives, 3)
    XCTAssertEqual((try ChoiceHome(json: #"{"main": {"barks": 3}}"#).main as? ChoiceDog)?.barks, 3)
  }

  func testJSONMemberDeterminesTheSubclass() throws {
    let text =
      #"{"a":{"is":"puppy","barks":0,"friends":[],"age":2},"b":{"is":"dog","barks":1,"friends":[]}}"#
    let home = try ChoiceHome(json: "{\"dogs\": \(text)}")
    XCTAssertEqual((home.dogs["a"] as? ChoicePuppy)?.age, 2)
    XCTAssertTrue(home.dogs["b"].map { type(of: $0) == ChoiceDog.self } ?? false)
    XCTAssertEqual(
      try ModelWriter(sortsKeys: false, only: ["dogs"]).value(of: home)["dogs"], try JSONValue(parsing: text))
  }

  func testValueOfUndeterminedTypeIsRefused() throws {
    XCTAssertEqual(
      message(ChoiceHome.self, #"{"pets": [{"kind": "dog"}, {"kind": "bird"}]}"#),
      "pets[1]: found an object, expected an object whose \"kind\" is a known type: \"cat\", \"dog\", \"fish\", \"stone\" "
        + "(line 1, column 28, byte 27)")
    XCTAssertEqual(
      message(ChoiceHome.self, #"{"dogs": {"x": {"is": "cat"}}}"#),
      "dogs.x: found an object of class 'ChoiceCat', expected an object of class 'ChoiceDog' or a subclass "
        + "(line 1, column 16, byte 15)")
    XCTAssertEqual(
      message(ChoiceHome.self, #"{"pets": [{"kind": "dog"}, {"kind": "stone"}]}"#),
      "pets[1]: found a value of type 'ChoiceStone', expected a value of type 'ChoicePet' (line 1, column 28, byte 27)"
    )
    XCTAssertTrue(
      message(ChoiceHome.self, #"{"plain": {"barks": 1}}"#).contains("'@JSONFormat(.tagged(by:_:))'"))
    XCTAssertTrue(message(ChoiceHome.self, #"{"anything": 5}"#).hasPrefix("anything: found 5"))
    let (home, issues) = try ModelReader(.lenient).readWithIssues(
      ChoiceHome.self,
      from: #"{"pets": [{"kind": "stone"}, 7, {"kind": "fish"}, {"kind": "fish", "length": 1}, {}]}"#)
    XCTAssertEqual(home.pets.compactMap { ($0 as? ChoiceFish)?.length }, [1])
    XCTAssertEqual(issues.map(\.path), ["pets[0]", "pets[1]", "pets[2].length", "pets[4]"])
    XCTAssertTrue(
      message(ChoiceMisfit.self, "{}").contains("a choice of types for values without objects"))
  }

  func testWriterRefusesATypeMissingFromTheFormat() throws {
    let home = ChoiceHome()
    home.pets = [ChoiceDog(), ChoicePuppy()]
    XCTAssertThrowsError(try home.json()) {
      XCTAssertEqual(($0 as? ModelWritingError)?.code, .noNotation)
      XCTAssertEqual(($0 as? ModelWritingError)?.path, "pets[1]")
    }
    home.pets = []
    home.anything = 5
    XCTAssertThrowsError(try home.json()) {
      XCTAssertEqual(($0 as? ModelWritingError)?.path, "anything")
    }
    home.anything = nil
    XCTAssertNoThrow(try home.json())
  }

  func testUpdateReplacesObjectOfADifferentType() throws {
    let home = ChoiceHome()
    let dog = ChoiceDog()
    home.main = dog
    dog.barks = 1
    try home.update(json: #"{"main": {"barks": 2}}"#)
    XCTAssertTrue(home.main as? ChoiceDog === dog)
    XCTAssertEqual(dog.barks, 2)
    try home.update(json: #"{"main": {"lives": 2}}"#)
    XCTAssertEqual((home.main as? ChoiceCat)?.lives, 2)
  }

  func testLazyReferencesAreReadLikePlainReferences() throws {
    let text = #"{"first":{"barks":1,"friends":[]},"all":[{"barks":2,"friends":[]}]}"#
    let library = try ChoiceLibrary(json: text)
    XCTAssertEqual(try library.first?.load().barks, 1)
    XCTAssertEqual(try library.all.map { try $0.load().barks }, [2])
    XCTAssertEqual(try library.json(), text)
    XCTAssertNil(try ChoiceLibrary(json: #"{"first": null}"#).first)
    XCTAssertTrue(message(ChoiceLibrary.self, #"{"all": [null]}"#).hasPrefix("all[0]: found null"))
  }

  // MARK: JSON as a property

  func testPropertyPreservesAnyJSON() throws {
    let text =
      #"{"title":"t","extra":{"a":[1,2.50,{"text":null}],"b":"x"},"more":[true],"list":[1,null,"y",[]],"#
      + #""named":{"k":{"_0":1}}}"#
    let note = try ChoiceNote(json: text)
    XCTAssertEqual(note.extra["b"], "x")
    XCTAssertEqual(note.more, [true])
    XCTAssertEqual(note.list, [1, nil, "y", []])
    XCTAssertEqual(note.named, ["k": ["_0": 1]])
    XCTAssertEqual(try note.json(), text)
    let copy = try Unarchiver().unarchive(ChoiceNote.self, from: Archiver().archive(note))
    XCTAssertEqual(copy.extra, note.extra)
    XCTAssertEqual(copy.list, note.list)
    XCTAssertEqual(try copy.json(), text)
    XCTAssertEqual(try JSONValue(json: "[1, {}]"), [1, [:]])
    XCTAssertEqual(try [JSONValue.null, 5].json(), "[null,5]")
  }

  func testNonOptionalJSONPropertyKeepsNull() throws {
    let note = try ChoiceNote(json: #"{"extra": null, "more": null}"#)
    XCTAssertEqual(note.extra, .null)
    XCTAssertNil(note.more)
    XCTAssertEqual(note.named, ["a": 1])
    XCTAssertEqual(try ChoiceNote().json(), #"{"title":"","extra":null,"list":[],"named":{"a":1}}"#)
  }

  func testNestedJSONIsFormattedAndSortedOnRequest() throws {
    let note = ChoiceNote()
    note.extra = ["b": 1, "a": ["d": 2, "c": 3]]
    XCTAssertEqual(
      try note.json(sortsKeys: true),
      #"{"extra":{"a":{"c":3,"d":2},"b":1},"list":[],"named":{"a":1},"title":""}"#)
    XCTAssertTrue(try note.json(isPretty: true).contains("\n    \"b\": 1"))
  }

  func testTooDeepOrDamagedArchivedJSONIsRefused() throws {
    let deep = String(repeating: "[", count: 1500) + String(repeating: "]", count: 1500)
    XCTAssertThrowsError(
      try ModelReader(limits: JSONLimits(depth: 5000)).read(ChoiceNote.self, from: "{\"extra\": \(deep)}"))
    let classes = ClassTable(scope: .declared)
    try classes.register(ChoiceNote.self, formerly: "ChoiceDamagedNote")
    XCTAssertThrowsError(
      try Unarchiver(classes: classes).unarchive(
        ChoiceNote.self, from: Archiver().archive(ChoiceDamagedNote()))
    ) {
      XCTAssertEqual(($0 as? ArchiveError)?.code, .valueOutOfRange)
      XCTAssertTrue("\($0)".contains("a text that is not valid JSON"), "\($0)")
    }
  }

  // MARK: Arguments of hooks

  func testHooksReceiveUserInfoOfReaderAndWriter() throws {
    func counter(_ step: Int?) throws -> ChoiceCounter {
      let reader = ModelReader(userInfo: step.map { [.choiceStep: $0] } ?? [:])
      return try reader.read([ChoiceCounter].self, from: #"[{"count": 1}]"#)[0]
    }
    XCTAssertEqual(try counter(nil).count, 1)
    XCTAssertEqual(try counter(5).count, 6)
    XCTAssertEqual(try counter(5).finished, 5)
    XCTAssertEqual((try counter(200) as? ChoiceDoubleCounter)?.count, 201)
    XCTAssertEqual(
      try ModelWriter(userInfo: [.choiceStep: 3]).text(of: ChoiceCounter()), #"{"count":0,"step":3}"#)
  }

  func testWritingDateOutsideItsFormatThrows() throws {
    let far = Date(timeIntervalSinceReferenceDate: 400_000_000_000)
    var ticket = FieldTicket()
    ticket.seen = [Date(timeIntervalSinceReferenceDate: 0), far]
    XCTAssertThrowsError(try [ticket].json()) {
      XCTAssertEqual(
        "\($0)",
        "noNotation at [0].seen[1]: found the date 400978307200.0 seconds after 1970, "
          + "expected a date such as \"Wed, 31 Jan 2001 12:00:00 GMT\"; use a @JSONFormat that can represent "
          + "the value")
    }
    ticket.seen = []
    ticket.issued = far
    XCTAssertEqual(try FieldTicket(json: ticket.json()).issued, far, "milliseconds have no end")
    XCTAssertEqual(try [Date](json: [far].json()), [far], "without a format too")
  }
}
