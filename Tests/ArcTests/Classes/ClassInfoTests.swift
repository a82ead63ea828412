import Arc
import ArcRuntime
import ArcTestSupport
import Foundation
import XCTest

/// The description of an `@Archivable` class at run time.
final class ClassInfoTests: XCTestCase {
  func testPropertiesHaveTheirDeclaredEncodings() throws {
    let info = try ClassInfo.of(Employee.self)
    XCTAssertEqual(info.lineage.map(\.name), ["Employee", "Person", "Biology"])
    XCTAssertEqual(
      info.allProperties.map { "\($0.declaringClass.name).\($0.member.name) \($0.member.attributes)" },
      [
        "Biology.hairCount Tq,N,V_hairCount", #"Biology.intro T$?@"NSString",N,C,V_intro"#,
        #"Person.name T@"NSString",N,R,C,V_name"#, "Person.age Tq,N,V_age",
        #"Person.mother T@"Person",N,W,V_mother"#, #"Person.friends T$[@"Person"],N,C,V_friends"#,
        "Person.height T$?f,N,V_height", "Person.weight T$?f,N,V_weight", "Person.hairCount Tq,N,V_hairCount",
        #"Employee.salary T@"NSDecimalNumber",N,C,V_salary"#, #"Employee.boss T@"Person",N,&,V_boss"#,
      ])
    XCTAssertEqual(info.allIvars.map(\.member.name).prefix(3), ["_hairCount", "_intro", "_name"])
    XCTAssertEqual(info.flags, [.swift, .hasReferences])
    XCTAssertEqual(try ClassInfo.of(Biology.self).flags, [.swift, .root])
  }

  func testInstanceVariableOffsetsMatchTheObjectLayout() throws {
    let employee = Employee("n")
    employee.age = 0x1234_5678
    let ages = try XCTUnwrap(try ClassInfo.of(Employee.self).ivar(named: "_age"))
    XCTAssertEqual(ages.declaringClass.name, "Person")
    guard let offset = ages.member.byteOffset else {
      return XCTAssertEqual(
        ProcessInfo.processInfo.environment["ARC_RUNTIME_LAYOUT"], "off", "unknown where nothing is asked")
    }
    let object = Unmanaged.passUnretained(employee).toOpaque()
    XCTAssertEqual(object.load(fromByteOffset: offset, as: Int.self), 0x1234_5678)
    withExtendedLifetime(employee) {}
    let offsets = try ClassInfo.of(Employee.self).allIvars.map {
      try XCTUnwrap($0.member.byteOffset, $0.member.name)
    }
    XCTAssertEqual(offsets, offsets.sorted(), "one behind the other, those of superclasses first")
    XCTAssertEqual(Set(offsets).count, offsets.count)
  }

  func testReadOnlyReferencesAreFoundByAttributeFlags() throws {
    let info = try ClassInfo.of(Person.self)
    let found = info.properties.filter {
      $0.attributes.flags.intersection([.kindMask, .readOnly]) == .readOnlyObject
    }
    XCTAssertEqual(found.map(\.name), ["name"])
  }

  func testAccessorsAreListedAsMethods() throws {
    let info = try ClassInfo.of(Person.self)
    XCTAssertEqual(
      info.methods.prefix(3).map { "\($0.selector) \($0.type)" },
      [#"name @"NSString"16@0:8"#, "age q16@0:8", "setAge: v24@0:8q16"])
    XCTAssertNil(info.method(selector: "setName:"))
    XCTAssertEqual(info.method(selector: "setIntro:")?.declaringClass.name, "Biology")
  }

  func testClassInfoIsBuiltOnceAndShared() async throws {
    let first = try ClassInfo.of(Person.self)
    XCTAssertTrue(first === (try ClassInfo.of(Person.self)))
    XCTAssertTrue(first === (try ClassInfo.of(Employee.self)).superclass)
    let all = try await withThrowingTaskGroup(of: ClassInfo.self) { group in
      for _ in 0..<8 { group.addTask { try ClassInfo.of(ChainNode.self) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertTrue(all.allSatisfy { $0 === all[0] })
  }

  func testClassWithoutOwnSchemaIsRefused() {
    assertThrows(.notArchivable) { try ClassInfo.of(Impostor.self) }
  }

  func testEveryArchivableTypeHasAnEncoding() throws {
    for (type, encoding) in [
      (Int.self, "q"), (UInt8.self, "C"), (Int128.self, "t"), (Bool.self, "B"), (Float.self, "f"),
      (String.self, #"@"NSString""#), (Character.self, #"@"NSString""#), ([Person].self, #"$[@"Person"]"#),
      ([String: [Int]].self, #"$<@"NSString":$[q]>"#), (Set<Int>.self, "$<q>"), (Int?.self, "$?q"),
      (Person?.self, #"@"Person""#), ([Int?].self, "$[$?q]"), (Int??.self, "$?$?q"),
      (Point.self, #"{Point="x"d"y"d"secret"q}"#), (Decimal.self, #"@"NSDecimalNumber""#),
      (Data.self, #"@"NSData""#), (Date.self, #"@"NSDate""#), (URL.self, #"@"NSURL""#),
      (UUID.self, #"@"NSUUID""#),
    ] as [(any ArchivableValue.Type, String)] {
      let made = TypeEncoding(of: type)
      XCTAssertEqual(made.description, encoding)
      XCTAssertEqual(try TypeEncoding(parsing: encoding), made)
    }
  }

  func testTypeEncodingsHaveTheCompilersMemoryLayout() {
    func check<Value: ArchivableValue>(_ type: Value.Type) {
      let layout = TypeEncoding(of: type).layout()
      XCTAssertEqual(layout.map { Int($0.stride) }, MemoryLayout<Value>.stride, "\(type)")
      XCTAssertEqual(layout.map { Int($0.alignment) }, MemoryLayout<Value>.alignment, "\(type)")
    }
    check(Int8.self)
    check(UInt16.self)
    check(Int32.self)
    check(Int.self)
    check(UInt64.self)
    check(Int128.self)
    check(Bool.self)
    check(Float.self)
    check(Double.self)
    check(Point.self)
    check(Person.self)
  }
}
