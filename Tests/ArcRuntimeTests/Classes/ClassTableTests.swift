import ArcRuntime
import XCTest

final class ClassTableTests: XCTestCase {
  private class Person {}
  private final class Student: Person {}

  func testClassesAreFoundByNameAndViceVersa() throws {
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

  func testUnknownNamesAndClassesAreNotFound() {
    XCTAssertNil(ClassTable().classType(named: "Person"))
    XCTAssertEqual(ClassTable().names(of: Person.self), [])
  }

  func testRepeatedRegistrationChangesNothing() throws {
    let table = ClassTable()
    try table.register(Person.self, as: "Person")
    try table.register(Person.self, as: "Person")
    XCTAssertEqual(table.names(of: Person.self), ["Person"])
  }

  func testErrorForUsedNameNamesBothClasses() throws {
    let table = ClassTable()
    try table.register(Person.self, as: "Person")
    XCTAssertThrowsError(try table.register(Student.self, as: "Person")) { error in
      let person = String(reflecting: Person.self)
      let student = String(reflecting: Student.self)
      let error = error as? ClassTableError
      XCTAssertEqual(error?.code, .nameTaken)
      XCTAssertEqual(
        error?.description,
        "cannot register class \(student) as \"Person\", because the name already belongs to class \(person); "
          + "register one class with another name")
    }
    XCTAssertTrue(table.classType(named: "Person") == Person.self)
    XCTAssertEqual(table.names(of: Student.self), [])
  }

  func testEmptyClassNameIsRefused() {
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

  func testRegisteredNameIsVisibleWhenTheVersionChanges() async throws {
    for _ in 0..<500 {
      let table = ClassTable()
      let before = table.version
      async let registration: Void = Task.detached { try table.register(Person.self, as: "Person") }.value
      while table.version == before { await Task.yield() }
      XCTAssertEqual(table.names(of: Person.self), ["Person"])
      try await registration
    }
  }

  func testConcurrentRegistrationsOfSharedNamesAreNotLost() async throws {
    let table = ClassTable()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for index in 0..<20_000 {
            try table.register(Person.self, as: "Person\(index)")
            if index % 4 == task { try table.register(Student.self, as: "Student\(index)") }
            guard table.classType(named: "Person\(index / 2)") == Person.self else { throw Lost() }
          }
        }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(table.names(of: Person.self).count, 20_000)
    XCTAssertEqual(Set(table.names(of: Student.self)).count, 20_000)
  }

  private struct Lost: Error {}

  func testOnlyOneCompetingThreadGetsTheName() async {
    for _ in 0..<200 {
      let table = ClassTable()
      async let first = Self.claims(Person.self, in: table)
      async let second = Self.claims(Student.self, in: table)
      let winners = await [first, second].filter { $0 }
      XCTAssertEqual(winners.count, 1)
    }
  }

  private static func claims(_ type: AnyClass, in table: ClassTable) async -> Bool {
    (try? table.register(type, as: "Claimed")) != nil
  }

  func testSubclassesAreFoundAmongRegisteredClasses() throws {
    class Unregistered: Person {}
    final class Pupil: Unregistered {}
    let table = ClassTable()
    for type in [Pupil.self, Person.self, Student.self] { try table.register(type, as: "\(type)") }
    XCTAssertEqual(table.subclasses(of: Person.self).map { "\($0)" }, ["Pupil", "Student"])
    XCTAssertEqual(table.directSubclasses(of: Person.self).map { "\($0)" }, ["Pupil", "Student"])
    XCTAssertEqual(table.subclasses(of: Student.self).count, 0)
    XCTAssertTrue(table.registeredSuperclass(of: Pupil.self) == Person.self)
    XCTAssertNil(table.registeredSuperclass(of: Person.self))
    XCTAssertTrue(ClassTable.isSubclass(Pupil.self, of: Unregistered.self))
    XCTAssertFalse(ClassTable.isSubclass(Person.self, of: Pupil.self))
    XCTAssertEqual(table.registeredClasses.map { "\($0)" }, ["Pupil", "Person", "Student"])
  }

  func testClassDescriptionIsBuiltOnceAndShared() throws {
    let table = ClassTable()
    XCTAssertNil(table.info(of: Person.self))
    let made = table.info(of: Person.self) { ClassInfo(name: "Person") }
    XCTAssertTrue(made === table.info(of: Person.self) { ClassInfo(name: "Other") })
    XCTAssertTrue(made === table.info(of: Person.self))
    XCTAssertEqual(table.names(of: Person.self), [], "a description alone is no registration")
    XCTAssertTrue(made === table.info(named: "Person"), "a class need not be registered")
    XCTAssertNil(table.info(named: "Human"))
    try table.register(Person.self, as: "Human")
    XCTAssertTrue(made === table.info(named: "Human"))
    let foreign = table.register(ClassInfo(name: "Foreign", flags: .foreign))
    XCTAssertTrue(table.register(ClassInfo(name: "Foreign")) === foreign)
    XCTAssertTrue(table.info(named: "Foreign") === foreign)
  }

  func testRegisteredNameReturnsTheDescriptionOfItsClass() throws {
    let table = ClassTable()
    let person = table.info(of: Person.self) { ClassInfo(name: "Named") }
    let student = table.info(of: Student.self) { ClassInfo(name: "Named") }
    XCTAssertTrue(table.info(named: "Named") === person, "of several the first")
    let foreign = table.register(ClassInfo(name: "Named", flags: .foreign))
    XCTAssertTrue(table.info(named: "Named") === foreign, "a registered description comes first")
    try table.register(Student.self, as: "Named")
    XCTAssertTrue(table.info(named: "Named") === student)
    try table.register(Person.self, as: "Other")
    let other = table.info(of: ClassTable.self) { ClassInfo(name: "Other") }
    XCTAssertTrue(table.info(named: "Other") === person)
    XCTAssertTrue(table.info(of: ClassTable.self) === other)
  }

  func testTableReleasesItsDescriptions() {
    weak var info: ClassInfo?
    do {
      let table = ClassTable()
      info = table.register(ClassInfo(name: "Gone"))
      XCTAssertNotNil(info)
      withExtendedLifetime(table) {}
    }
    XCTAssertNil(info)
  }
}
