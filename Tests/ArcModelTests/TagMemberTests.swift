import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

private protocol TypedPet {}

@Archivable("TypedText") private final class TypedText: TypedPet {
  var x = 1
  var type: String?
  init(_ type: String? = nil) { self.type = type }
}

@Archivable("TypedInitial") private final class TypedInitial: TypedPet { var type: String? = "initial" }

@Archivable("TypedMapped") private final class TypedMapped: TypedPet {
  @Key(json: "type") var kind = ""
  var x = 1
  init(_ kind: String = "") { self.kind = kind }
}

@Archivable("TypedShared") private final class TypedShared: TypedPet {
  var type: String?
  @Key(json: "type") var kind: String?
  init(_ type: String? = nil, _ kind: String? = nil) { (self.type, self.kind) = (type, kind) }
}

@Archivable("TypedSort") private enum TypedSort {
  case sort
  case other
  case valued(Int)
}

@Archivable("TypedEnumeration") private final class TypedEnumeration: TypedPet {
  var type: TypedSort?
  init(_ type: TypedSort? = nil) { self.type = type }
}

@Archivable("TypedJSON") private final class TypedJSON: TypedPet {
  var type: JSONValue?
  init(_ type: JSONValue? = nil) { self.type = type }
}

@Archivable("TypedCustom") private final class TypedCustom: TypedPet {
  @JSONFormat(
    .custom(
      read: { $0 == "custom" ? 1 : 2 }, write: { $0 == 1 ? "custom" : "else" }))
  var type = 1
  init(_ type: Int = 1) { self.type = type }
}

@Archivable("TypedInner") private struct TypedInner { var type: String? }
@Archivable("TypedEmbedding") private final class TypedEmbedding: TypedPet {
  @JSONRule(.embedded) var inner = TypedInner()
  init(_ type: String? = nil) { inner.type = type }
}

@Archivable("TypedWriteOnly") private final class TypedWriteOnly: TypedPet {
  @JSONRule(.writeOnly) var type: Int?
  init(_ type: Int? = nil) { self.type = type }
}

@Archivable("TypedReadOnly") private final class TypedReadOnly: TypedPet {
  @JSONRule(.readOnly) var type = ""
  @JSONRule(.omitted) @Key(json: "type") var number = 0
}

@Archivable("TypedUnknown") private final class TypedUnknown: TypedPet, UnknownMemberPreserving {
  @Transient var unknownMembers = JSONObject()
  init(_ type: JSONValue? = nil) { unknownMembers["type"] = type }
}

@Archivable("TypedStructure") private struct TypedStructure: TypedPet { var type: String? }
@Archivable("TypedTree") private struct TypedTree: TypedPet { var trees: [TypedTree] = [] }

// Classes with a tag that no value of the property matches.
@Archivable("TypedInt") private final class TypedInt: TypedPet { var type: Int? }
@Archivable("TypedPath") private final class TypedPath: TypedPet { @Key(json: "type.name") var kind: String? }
@Archivable("TypedList") private final class TypedList: TypedPet {
  @Key(json: "type") var list: [String] = []
}
@Archivable("TypedLater") private final class TypedLater: TypedPet {
  @Key(json: "kind", or: "type") var kind: String?
  @Key(json: "count", or: "type") var count = 1
}
@Archivable("TypedLaterNumber") private final class TypedLaterNumber: TypedPet {
  @Key(json: "number", or: "type") var number: Int?
}
@Archivable("TypedLaterPath") private final class TypedLaterPath: TypedPet {
  @Key(json: "kind", or: "type.name") var kind: String?
}
@Archivable("TypedLaterRead") private final class TypedLaterRead: TypedPet {
  @JSONRule(.readOnly) @Key(json: "number", or: "type") var number = 1
}
@Archivable("TypedLaterWritten") private final class TypedLaterWritten: TypedPet {
  @JSONRule(.writeOnly) @Key(json: "number", or: "type") var number: Int?
}
@Archivable("TypedDate") private final class TypedDate: TypedPet { @JSONRule(.readOnly) var type: Date? }
@Archivable("TypedOtherSort") private final class TypedOtherSort: TypedPet { var type = TypedSort.other }
@Archivable("TypedNumber") private struct TypedNumber: TypedPet { var type = 1 }
@Archivable("TypedRecursive") private struct TypedRecursive: TypedPet {
  var type = "recursive"
  var parts: [TypedRecursive] = []
}

@Archivable("TypedHome") private final class TypedHome {
  @JSONFormat(
    .tagged(
      by: "type",
      [
        "text": TypedText.self, "text2": TypedText.self, "initial": TypedInitial.self,
        "mapped": TypedMapped.self, "shared": TypedShared.self, "sort": TypedEnumeration.self,
        "json": TypedJSON.self, "custom": TypedCustom.self, "embedded": TypedEmbedding.self,
        "writeOnly": TypedWriteOnly.self, "readOnly": TypedReadOnly.self, "unknown": TypedUnknown.self,
        "structure": TypedStructure.self, "tree": TypedTree.self, "int": TypedInt.self,
        "path": TypedPath.self, "list": TypedList.self, "date": TypedDate.self,
        "later": TypedLater.self, "laterNumber": TypedLaterNumber.self, "laterPath": TypedLaterPath.self,
        "laterRead": TypedLaterRead.self, "laterWritten": TypedLaterWritten.self,
        "otherSort": TypedOtherSort.self, "number": TypedNumber.self, "recursive": TypedRecursive.self,
      ]))
  var pets: [any TypedPet] = []
  init(_ pets: [any TypedPet] = []) { self.pets = pets }
}

@Archivable("TypedSnake") private final class TypedSnake: TypedPet {
  var petType: String?
  init(_ petType: String? = nil) { self.petType = petType }
}
@Archivable("TypedSnakes") private final class TypedSnakes {
  @JSONFormat(.tagged(by: "pet_type", ["snake": TypedSnake.self])) var pets: [any TypedPet] = []
  init(_ pets: [any TypedPet] = []) { self.pets = pets }
}

/// Properties whose member has the name of the tag: the writer writes a text that can be read, or throws.
final class TagMemberTests: XCTestCase {
  private let references: [ModelReferences] = [[], .marked, .identified, [.marked, .identified]]

  /// Returns a writer for each combination of options for the form of the text.
  private func writers(_ references: ModelReferences, _ nulls: ModelWriter.NullWriting) -> [ModelWriter] {
    [(false, false), (true, false), (false, true), (true, true)].map {
      ModelWriter(isPretty: $0.0, sortsKeys: $0.1, nulls: nulls, references: references)
    }
  }

  private func check(
    _ pet: any TypedPet, _ expected: String, nulls: ModelWriter.NullWriting = .whereNeeded,
    line: UInt = #line
  ) throws {
    let home = TypedHome([pet, pet])
    XCTAssertEqual(
      try ModelWriter(nulls: nulls).text(of: home), #"{"pets":[\#(expected),\#(expected)]}"#, line: line)
    for references in references {
      for writer in writers(references, nulls) {
        let text = try writer.text(of: home)
        let value = try writer.value(of: home)
        XCTAssertEqual(try JSONValue(parsing: text), value, line: line)
        for mode: ModelReader.Mode in [.strict, .lenient] {
          let reader = ModelReader(
            mode, references: references, unknownKeys: .reported)
          let (read, issues) = try reader.readWithIssues(TypedHome.self, from: text)
          XCTAssertTrue(issues.isEmpty, "\(issues) \(text)", line: line)
          XCTAssertTrue(read.pets.allSatisfy { type(of: $0) == type(of: pet) }, text, line: line)
          XCTAssertEqual(read.pets.count, 2, line: line)
          XCTAssertEqual(try writer.text(of: read), text, line: line)
        }
      }
    }
  }

  private func refuse(
    _ pet: any TypedPet, _ found: String, _ expected: String, path: String = "pets[1].type",
    nulls: ModelWriter.NullWriting = .whereNeeded, line: UInt = #line
  ) {
    let home = TypedHome([TypedText(), pet])
    for references in references {
      for writer in writers(references, nulls) {
        let writes: [() throws -> Void] = [
          { _ = try writer.text(of: home) }, { _ = try writer.value(of: home) },
        ]
        for write in writes {
          XCTAssertThrowsError(try write(), line: line) {
            let error = $0 as? ModelWritingError
            XCTAssertEqual(error?.code, .duplicateName, line: line)
            XCTAssertEqual(error?.path, path, line: line)
            XCTAssertEqual(error?.found, found, line: line)
            XCTAssertEqual(error?.expected, expected, line: line)
            XCTAssertTrue(error?.remedy.contains("@JSONFormat(.tagged(by:") ?? false, line: line)
          }
        }
      }
    }
  }

  func testPropertyEqualToTheTagIsWrittenOnce() throws {
    try check(TypedText("text"), #"{"x":1,"type":"text"}"#)
    try check(TypedText("text2"), #"{"x":1,"type":"text2"}"#)
    try check(TypedMapped("mapped"), #"{"type":"mapped","x":1}"#)
    try check(TypedShared("shared", "other"), #"{"type":"shared"}"#)
    try check(TypedShared(nil, "shared"), #"{"type":"shared"}"#)
    try check(TypedEnumeration(.sort), #"{"type":"sort"}"#)
    try check(TypedJSON("json"), #"{"type":"json"}"#)
    try check(TypedCustom(1), #"{"type":"custom"}"#)
    try check(TypedEmbedding("embedded"), #"{"type":"embedded"}"#)
    try check(TypedUnknown("unknown"), #"{"type":"unknown"}"#)
    try check(TypedStructure(type: "structure"), #"{"type":"structure"}"#)
  }

  func testTagIsWrittenIfItsPropertyIsNil() throws {
    try check(TypedText(), #"{"x":1,"type":"text"}"#)
    try check(TypedShared(), #"{"type":"shared"}"#)
    try check(TypedEnumeration(), #"{"type":"sort"}"#)
    try check(TypedJSON(), #"{"type":"json"}"#)
    try check(TypedEmbedding(), #"{"type":"embedded"}"#)
    try check(TypedWriteOnly(), #"{"type":"writeOnly"}"#)
    try check(TypedReadOnly(), #"{"type":"readOnly"}"#)
    try check(TypedUnknown(), #"{"type":"unknown"}"#)
    try check(TypedStructure(), #"{"type":"structure"}"#)
    try check(TypedTree(trees: [TypedTree()]), #"{"type":"tree","trees":[{"trees":[]}]}"#)
    let initial = TypedInitial()
    initial.type = nil
    try check(initial, #"{"type":"initial"}"#, nulls: .omitted)
  }

  func testValueThatContradictsTheTagIsRefused() {
    func value(_ value: String, of property: String = "type", _ owner: String) -> String {
      "\(value) for property '\(property)' of \(owner), whose tag is 'type'"
    }
    let isText = #""text" or "text2""#
    refuse(TypedText(""), value(#""""#, "class 'TypedText'"), isText)
    refuse(TypedText("Text"), value(#""Text""#, "class 'TypedText'"), isText)
    refuse(
      TypedMapped("hound"), value(#""hound""#, of: "kind", "class 'TypedMapped'"), #""mapped""#)
    refuse(TypedShared(nil, "x"), value(#""x""#, of: "kind", "class 'TypedShared'"), #""shared""#)
    refuse(TypedShared("y", "shared"), value(#""y""#, "class 'TypedShared'"), #""shared""#)
    refuse(TypedEnumeration(.other), value(#""other""#, "class 'TypedEnumeration'"), #""sort""#)
    refuse(TypedEnumeration(.valued(1)), value("an object", "class 'TypedEnumeration'"), #""sort""#)
    refuse(TypedJSON([1]), value("an array", "class 'TypedJSON'"), #""json""#)
    refuse(TypedJSON(5), value("5", "class 'TypedJSON'"), #""json""#)
    refuse(TypedCustom(2), value(#""else""#, "class 'TypedCustom'"), #""custom""#)
    refuse(TypedEmbedding("e"), value(#""e""#, "class 'TypedEmbedding'"), #""embedded""#)
    refuse(TypedWriteOnly(1), value("1", "class 'TypedWriteOnly'"), #""writeOnly""#)
    refuse(TypedStructure(type: "s"), value(#""s""#, "'TypedStructure'"), #""structure""#)
    refuse(
      TypedUnknown("u"), #""u" for an unknown member of class 'TypedUnknown', whose tag is 'type'"#,
      #""unknown""#)
  }

  func testNullInATagPropertyIsRefused() {
    let initial = TypedInitial()
    initial.type = nil
    let found = "null for property 'type' of class 'TypedInitial', whose tag is 'type'"
    refuse(initial, found, #""initial""#)
    // The first object of the array also has no value.
    refuse(
      TypedInitial(), "null for property 'type' of class 'TypedText', whose tag is 'type'",
      #""text" or "text2""#, path: "pets[0].type", nulls: .written)
  }

  func testPropertyUnsuitableAsTagIsRefused() {
    for (pet, property, owner, text) in [
      (TypedInt(), "type", "class 'TypedInt'", "int"), (TypedList(), "list", "class 'TypedList'", "list"),
      (TypedDate(), "type", "class 'TypedDate'", "date"),
      (TypedOtherSort(), "type", "class 'TypedOtherSort'", "otherSort"),
      (TypedNumber(), "type", "'TypedNumber'", "number"),
    ] as [(any TypedPet, String, String, String)] {
      refuse(
        pet, "property '\(property)' of \(owner), whose tag is 'type'",
        "a property that can be the string \"\(text)\"", path: "pets[1]")
    }
    refuse(
      TypedPath(), "the path 'type.name' of property 'kind' of class 'TypedPath', whose tag is 'type'",
      "a path that does not begin with the name of the tag", path: "pets[1]")
    refuse(
      TypedRecursive(), "property 'type' of 'TypedRecursive', which contains itself and whose tag is 'type'",
      "a property with a different name", path: "pets[1]")
  }

  func testAlternativeTagPathIsReadBackOrRefused() throws {
    let later = TypedLater()
    later.kind = "other"
    try check(later, #"{"type":"later","kind":"other","count":1}"#)
    try check(TypedLaterWritten(), #"{"type":"laterWritten"}"#)
    refuse(
      TypedLaterNumber(), "property 'number' of class 'TypedLaterNumber', whose tag is 'type'",
      #"a property that can be the string "laterNumber""#, path: "pets[1]")
    refuse(
      TypedLaterRead(), "property 'number' of class 'TypedLaterRead', whose tag is 'type'",
      #"a property that can be the string "laterRead""#, path: "pets[1]")
    refuse(
      TypedLaterPath(),
      "the path 'type.name' of property 'kind' of class 'TypedLaterPath', whose tag is 'type'",
      "a path that does not begin with the name of the tag", path: "pets[1]")
  }

  func testNamingRuleAppliesToTheTag() throws {
    let writer = ModelWriter(naming: .snakeCase)
    let text = try writer.text(of: TypedSnakes([TypedSnake(), TypedSnake("snake")]))
    XCTAssertEqual(text, #"{"pets":[{"pet_type":"snake"},{"pet_type":"snake"}]}"#)
    XCTAssertEqual(try ModelReader(naming: .snakeCase).read(TypedSnakes.self, from: text).pets.count, 2)
    XCTAssertThrowsError(try writer.text(of: TypedSnakes([TypedSnake("adder")]))) {
      XCTAssertEqual(
        "\($0)",
        "duplicateName at pets[0].pet_type: found \"adder\" for property 'petType' of class 'TypedSnake', "
          + "whose tag is 'pet_type', expected \"snake\"; give the property a different name with "
          + "@Key(json: \"…\"), or pass a different name to @JSONFormat(.tagged(by: \"…\"))")
    }
    XCTAssertEqual(
      try TypedSnakes([TypedSnake("adder")]).json(), #"{"pets":[{"pet_type":"snake","petType":"adder"}]}"#)
  }
}
