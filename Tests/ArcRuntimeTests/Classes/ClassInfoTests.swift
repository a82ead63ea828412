import ArcRuntime
import ArcTestSupport
import XCTest

final class ClassInfoTests: XCTestCase {
  private func property(_ name: String, _ attributes: String) throws -> PropertyInfo {
    PropertyInfo(name: name, attributes: try PropertyAttributes(parsing: attributes))
  }

  /// Returns class Person, which inherits from Biology. Both classes have a property `hairCount`.
  private func person() throws -> ClassInfo {
    let method = MethodInfo(selector: "grow:", type: try MethodType(parsing: "v20@0:8i16"))
    let biology = ClassInfo(
      name: "Biology", properties: [try property("hairCount", "Tq,N,V_hairCount")], methods: [method],
      protocols: ["NSCopying"])
    return ClassInfo(
      name: "Person", superclass: biology,
      properties: [
        try property("name", #"T@"NSString",R,N,C,V_name"#), try property("hairCount", "Ti,N,V_hairCount"),
        try property("mother", #"T@"Person",N,W,V_mother"#), try property("age", "Tq,R,N"),
      ])
  }

  func testClassInfoListsDeclaredAndInheritedMembers() throws {
    let person = try person()
    XCTAssertEqual(person.lineage.map(\.name), ["Person", "Biology"])
    XCTAssertEqual(person.superclasses.map(\.name), ["Biology"])
    XCTAssertEqual(person.superclassName, "Biology")
    XCTAssertEqual(person.ivars.map(\.name), ["_name", "_hairCount", "_mother"], "a computed one has none")
    XCTAssertEqual(person.allIvars.map(\.member.name), ["_hairCount", "_name", "_hairCount", "_mother"])
    XCTAssertEqual(
      person.allProperties.map { "\($0.declaringClass.name).\($0.member.name)" },
      ["Biology.hairCount", "Person.name", "Person.hairCount", "Person.mother", "Person.age"])
    XCTAssertEqual(person.allMethods.map(\.member.selector), ["grow:"])
    XCTAssertTrue(person.inherits(from: "Biology"))
    XCTAssertTrue(person.inherits(from: "Person"))
    XCTAssertFalse(person.inherits(from: "NSObject"))
    XCTAssertTrue(ClassInfo(name: "A", superclassName: "NSObject").inherits(from: "NSObject"))
  }

  func testPropertiesSharingANameWithSuperclassStayDistinct() throws {
    let person = try person()
    XCTAssertEqual(person.property(named: "hairCount")?.declaringClass.name, "Person")
    XCTAssertEqual(person.property(forKey: "hairCount")?.member.type, .scalar(.int))
    XCTAssertEqual(person.property(forKey: "Biology.hairCount")?.member.type, .scalar(.longLong))
    XCTAssertEqual(person.property(forKey: "Person.hairCount")?.member.type, .scalar(.int))
    XCTAssertEqual(person.superclass?.property(named: "hairCount")?.declaringClass.name, "Biology")
    XCTAssertEqual(person.ivar(named: "_hairCount")?.declaringClass.name, "Person")
    for unknown in ["", "hair", "Biology.", "Biology.name", "Other.hairCount", "Biology.hairCount.x"] {
      XCTAssertNil(person.property(forKey: unknown), unknown)
    }
  }

  func testClassNamesWithDotsCanQualifyProperties() throws {
    let info = ClassInfo(name: "App.Box<Int>.Inner", properties: [try property("x", "Ti,N,V_x")])
    XCTAssertNotNil(info.property(forKey: "App.Box<Int>.Inner.x"))
    XCTAssertNil(info.property(forKey: "App.x"))
  }

  func testMethodsAreFoundByTheirSelector() throws {
    let found = try XCTUnwrap(try person().method(selector: "grow:"))
    XCTAssertEqual(found.declaringClass.name, "Biology")
    XCTAssertEqual(found.member.type.explicitArguments.map(\.type), [.scalar(.int)])
    XCTAssertEqual(found.member.selectorArgumentCount, 1)
    XCTAssertNil(try person().method(selector: "grow"))
    XCTAssertNil(try person().method(selector: "grow:", isClassMethod: true))
  }

  func testClassFlagsFollowFromTheDeclaration() throws {
    let person = try person()
    XCTAssertEqual(person.flags, [.hasWeakProperties, .hasReferences, .hasReadOnlyProperties])
    XCTAssertEqual(person.superclass?.flags, .root)
    XCTAssertEqual(ClassInfo(name: "A", flags: [.foreign, .swift]).flags, [.root, .foreign, .swift])
  }

  func testClassInfosWithEqualSuperclassesAreEqual() throws {
    XCTAssertEqual(try person(), try person())
    XCTAssertEqual(Set([try person(), try person()]).count, 1)
    XCTAssertNotEqual(try person(), ClassInfo(name: "Person", superclassName: "Biology"))
    let other = ClassInfo(
      name: "Person", superclass: ClassInfo(name: "Biology"), properties: try person().properties)
    XCTAssertNotEqual(try person(), other)
  }

  func testLongSuperclassChainIsTraversedAndFreed() throws {
    let count = RandomTrials.size(usually: 20_000, exhaustively: 1_000_000)
    try onSmallStack {
      let chain = {
        (0..<count).reduce(ClassInfo(name: "Root")) { ClassInfo(name: "C\($1)", superclass: $0) }
      }
      let last = chain()
      XCTAssertEqual(last.lineage.reduce(0) { length, _ in length + 1 }, count + 1)
      XCTAssertEqual(last, last)
      let middle = last.superclass
      XCTAssertNotNil(middle)
    }
  }
}
