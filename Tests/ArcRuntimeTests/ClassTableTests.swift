import ArcRuntime
import XCTest

final class ClassTableTests: XCTestCase {
  private class Person {}
  private final class Student: Person {}

  func testNamesAndClassesAreFoundBothWays() throws {
    let table = ClassTable()
    try table.register(Person.self, as: "Person")
    try table.register(Student.self, as: "Student")
    try table.register(Person.self, as: "OldPerson")
    XCTAssertTrue(table.classType(named: "Person") == Person.self)
    XCTAssertTrue(table.classType(named: "OldPerson") == Person.self)
    XCTAssertTrue(table.classType(named: "Student") == Student.self)
    XCTAssertEqual(table.names(of: Person.self), ["Person", "OldPerson"])
    XCTAssertEqual(table.names(of: Student.self), ["Student"])
  }

  func testUnknownNameAndClassAreNotFound() {
    XCTAssertNil(ClassTable().classType(named: "Person"))
    XCTAssertEqual(ClassTable().names(of: Person.self), [])
  }

  func testSamePairAgainChangesNothing() throws {
    let table = ClassTable()
    try table.register(Person.self, as: "Person")
    try table.register(Person.self, as: "Person")
    XCTAssertEqual(table.names(of: Person.self), ["Person"])
  }

  func testTakenNameIsRefusedWithBothClasses() throws {
    let table = ClassTable()
    try table.register(Person.self, as: "Person")
    XCTAssertThrowsError(try table.register(Student.self, as: "Person")) { error in
      let person = String(reflecting: Person.self)
      let student = String(reflecting: Student.self)
      let error = error as? ClassTableError
      XCTAssertEqual(error?.code, .nameTaken)
      XCTAssertEqual(
        error?.description,
        "cannot register class \(student) as \"Person\": the name already stands for class \(person); "
          + "register one of them under another name")
    }
    XCTAssertTrue(table.classType(named: "Person") == Person.self)
    XCTAssertEqual(table.names(of: Student.self), [])
  }

  func testEmptyNameIsRefused() {
    XCTAssertThrowsError(try ClassTable().register(Person.self, as: "")) { error in
      XCTAssertEqual((error as? ClassTableError)?.code, .emptyName)
    }
  }

  func testConcurrentRegistrationsAndLookUpsAllSucceed() async throws {
    let table = ClassTable()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<200 {
            try table.register(Person.self, as: "Person\(index)")
            try table.register(Student.self, as: "Student\(task).\(index)")
            XCTAssertTrue(table.classType(named: "Person\(index)") == Person.self)
          }
        }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(Set(table.names(of: Person.self)), Set((0..<200).map { "Person\($0)" }))
    XCTAssertEqual(table.names(of: Person.self).count, 200)
    XCTAssertEqual(table.names(of: Student.self).count, 1_600)
  }

  func testClassInfoKeepsPropertiesInOrder() throws {
    let age = PropertyInfo(name: "age", attributes: try PropertyAttributes(parsing: "Tq,N,Vage"))
    let name = PropertyInfo(
      name: "name", attributes: try PropertyAttributes(parsing: #"T@"NSString",N,C,Vname"#))
    let info = ClassInfo(name: "Person", superclassName: "Biology", properties: [name, age])
    XCTAssertEqual(info.properties.map(\.name), ["name", "age"])
    XCTAssertNotEqual(info, ClassInfo(name: "Person", superclassName: "Biology", properties: [age, name]))
  }
}
