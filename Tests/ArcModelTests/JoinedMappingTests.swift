import Arc
import ArcModel
import XCTest

/// Mappings of a class and its superclasses, combined with mappings of readers and writers.
final class JoinedMappingTests: XCTestCase {
  func testMappingsOfClassAndSuperclassAreCombined() throws {
    XCTAssertEqual(try JoinedBase().json(), #"{"base":{"id":1},"full_age":2}"#)
    XCTAssertEqual(try JoinedHeir().json(), #"{"base":{"id":1},"full_age":2,"heir_age":4}"#)
    XCTAssertEqual(try JoinedSub().json(), #"{"base":{"id":1},"nm":"n","full_age":2,"sub_age":3}"#)
    let sub = try JoinedSub(json: #"{"base": {"id": 5}, "nm": "x", "full_age": 6}"#)
    XCTAssertEqual(sub.name, "x")
    XCTAssertEqual([sub.id, sub.fullAge], [5, 6])
  }

  func testMappingOfTheNearestClassTakesPrecedence() throws {
    XCTAssertEqual(
      try JoinedLeaf().json(), #"{"leaf":{"id":1},"nm":"n","full-age":2,"sub-age":3,"leaf-age":5}"#)
    XCTAssertThrowsError(try JoinedLeaf(json: #"{"nm": "a"}"#)) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["sub-age"])
    }
  }

  func testClassMappingOverridesWriterMappingOfSuperclass() throws {
    var writer = ModelWriter()
    writer.setMapping(
      JSONMapping(naming: .upperSnakeCase, paths: ["name": ["set"], "id": ["set_id"]]), for: JoinedBase.self)
    XCTAssertEqual(try writer.text(of: JoinedBase()), #"{"set_id":1,"set":"n","FULL_AGE":2}"#)
    XCTAssertEqual(try writer.text(of: JoinedHeir()), #"{"set_id":1,"set":"n","FULL_AGE":2,"HEIR_AGE":4}"#)
    XCTAssertEqual(try writer.text(of: JoinedSub()), #"{"set_id":1,"nm":"n","FULL_AGE":2,"SUB_AGE":3}"#)
    writer.setMapping(JSONMapping(paths: ["name": ["sub_name"]]), for: JoinedSub.self)
    XCTAssertEqual(try writer.text(of: JoinedSub()), #"{"set_id":1,"sub_name":"n","FULL_AGE":2,"SUB_AGE":3}"#)
  }

  func testNearestMappingDecidesWhichPropertiesAreIncluded() throws {
    var writer = ModelWriter()
    writer.setMapping(JSONMapping(except: ["name"]), for: JoinedSub.self)
    XCTAssertEqual(try writer.text(of: JoinedSub()), #"{"base":{"id":1},"full_age":2,"sub_age":3}"#)
    writer = ModelWriter()
    writer.setMapping(JSONMapping(only: ["id"]), for: JoinedBase.self)
    XCTAssertEqual(try writer.text(of: JoinedBase()), #"{"base":{"id":1}}"#)
    XCTAssertEqual(try writer.text(of: JoinedSub()), #"{"base":{"id":1},"nm":"n"}"#)
    writer.setMapping(JSONMapping(rules: ["subAge": []]), for: JoinedSub.self)
    XCTAssertEqual(try writer.text(of: JoinedSub()), #"{"base":{"id":1},"nm":"n","sub_age":3}"#)
    var reader = ModelReader()
    reader.setMapping(JSONMapping(paths: ["name": ["n"]]), for: JoinedBase.self)
    XCTAssertEqual(try reader.read(JoinedBase.self, from: #"{"n": "x"}"#).name, "x")
    reader.setMapping(JSONMapping(paths: ["name": ["n"]], except: ["name"]), for: JoinedBase.self)
    XCTAssertEqual(try reader.read(JoinedBase.self, from: #"{"n": "x"}"#).name, "n")
  }

  func testInheritedMappingCanDependOnTheSubclass() throws {
    XCTAssertEqual(try JoinedSelf().json(), #"{"JoinedSelf":1}"#)
    XCTAssertEqual(try JoinedSelfSub().json(), #"{"JoinedSelfSub":1}"#)
  }

  func testSuperclassMappingOfAnUnknownPropertyIsRefused() {
    var reader = ModelReader()
    reader.setMapping(JSONMapping(paths: ["nmae": ["n"]]), for: JoinedBase.self)
    XCTAssertThrowsError(try reader.read(JoinedSub.self, from: "{}")) {
      XCTAssertTrue("\($0)".contains("a mapping of the unknown property 'nmae'"), "\($0)")
    }
  }
}

@Archivable("JoinedBase") private class JoinedBase: ModelMapping {
  var id = 1
  var name = "n"
  var fullAge = 2
  init() {}

  class var mapping: JSONMapping {
    JSONMapping(naming: .snakeCase, paths: ["id": ["base.id"]], except: ["name"])
  }
}

@Archivable("JoinedHeir") private final class JoinedHeir: JoinedBase { var heirAge = 4 }

@Archivable("JoinedSub") private class JoinedSub: JoinedBase {
  var subAge = 3
  override class var mapping: JSONMapping { JSONMapping(paths: ["name": ["nm"]]) }
}

@Archivable("JoinedLeaf") private final class JoinedLeaf: JoinedSub {
  var leafAge = 5
  override class var mapping: JSONMapping {
    JSONMapping(naming: .kebabCase, paths: ["id": ["leaf.id"]], rules: ["subAge": .required])
  }
}

@Archivable("JoinedSelf") private class JoinedSelf: ModelMapping {
  var id = 1
  init() {}
  class var mapping: JSONMapping { JSONMapping(paths: ["id": ["\(self)"]]) }
}

@Archivable("JoinedSelfSub") private final class JoinedSelfSub: JoinedSelf {}
