import Arc
import ArcTestSupport
import XCTest

final class KeyAccessTests: XCTestCase {
  private func family() -> (ada: Person, mother: Person) {
    let (ada, mother) = (Person("Ada", hairCount: 3), Person("Mia", hairCount: 5))
    ada.mother = mother
    ada.friends = [mother]
    ada.ownHairs = 9
    return (ada, mother)
  }

  func testValuesAreReadByKeyAndKeyPath() throws {
    let (ada, mother) = family()
    XCTAssertEqual(try ada.value(forKey: "name", as: String.self), "Ada")
    XCTAssertEqual(try ada.value(forKey: "age") as? Int, 0)
    XCTAssertTrue(try ada.value(forKey: "mother") as? Person === mother)
    XCTAssertEqual(try ada.value(forKeyPath: "mother.name", as: String.self), "Mia")
    XCTAssertEqual(try ada.value(forKey: "friends", as: [Person].self).map(\.name), ["Mia"])
    XCTAssertNil(try ada.value(forKey: "intro"))
    XCTAssertNil(try ada.value(forKeyPath: "mother.mother.name"), "nil on the way reads as nil")
    XCTAssertEqual(try ada.value(forKey: "height", as: Float?.self), nil)
    withExtendedLifetime(mother) {}
  }

  func testValuesAreChangedByKeyAndKeyPath() throws {
    let (ada, mother) = family()
    try ada.setValue(36, forKey: "age")
    try ada.setValue("first", forKey: "intro")
    try ada.setValue(1.7 as Float, forKey: "height")
    try ada.setValue(70, forKeyPath: "mother.age")
    try ada.setValue([ada], forKeyPath: "mother.friends")
    XCTAssertEqual(ada.age, 36)
    XCTAssertEqual(ada.intro, "first")
    XCTAssertEqual(ada.height, 1.7)
    XCTAssertEqual(mother.age, 70)
    XCTAssertTrue(mother.friends.first === ada)
    try ada.setValue(nil, forKey: "intro")
    try ada.setValue(nil, forKey: "mother")
    XCTAssertNil(ada.intro)
    XCTAssertNil(ada.mother)
    mother.friends = []
  }

  func testPrivatePropertiesOfSuperclassAndSubclassStayDistinct() throws {
    let (ada, _) = family()
    XCTAssertEqual(try ada.value(forKey: "hairCount", as: Int.self), 9, "the nearest")
    XCTAssertEqual(try ada.value(forKey: "Biology.hairCount", as: Int.self), 3)
    try ada.setValue(4, forKey: "Biology.hairCount")
    try ada.setValue(8, forKey: "Person.hairCount")
    XCTAssertEqual(ada.hairs, 4)
    XCTAssertEqual(ada.ownHairs, 8)
  }

  func testClassQualifiedKeyIsReadInKeyPath() throws {
    let (ada, mother) = family()
    XCTAssertEqual(try ada.value(forKeyPath: "mother.Biology.hairCount", as: Int.self), 5)
    withExtendedLifetime(mother) {}
  }

  func testSingleKeyIsAValidKeyPath() throws {
    let (ada, mother) = family()
    XCTAssertEqual(try ada.value(forKeyPath: "name", as: String.self), "Ada")
    XCTAssertEqual(try ada.value(forKeyPath: "Biology.hairCount", as: Int.self), 3)
    try ada.setValue(36, forKeyPath: "age")
    try ada.setValue(4, forKeyPath: "Biology.hairCount")
    XCTAssertEqual(ada.age, 36)
    XCTAssertEqual(ada.hairs, 4)
    withExtendedLifetime(mother) {}
  }

  func testInheritedAndImplicitlyUnwrappedPropertiesAreAccessible() throws {
    let employee = Employee("Bob")
    XCTAssertNil(try employee.value(forKey: "boss"))
    try employee.setValue(Person("Eve"), forKey: "boss")
    XCTAssertEqual(try employee.value(forKeyPath: "boss.name", as: String.self), "Eve")
    XCTAssertEqual(try employee.value(forKey: "name", as: String.self), "Bob")
  }

  func testKeyAccessFailuresThrowTypedErrors() throws {
    let (ada, mother) = family()
    let failures: [(KeyAccessError.Code, String, String, () throws -> Void)] = [
      (.unknownKey, "nmae", "Person", { _ = try ada.value(forKey: "nmae") }),
      (.unknownKey, "", "Person", { _ = try ada.value(forKey: "") }),
      (.unknownKey, "Biology.name", "Person", { _ = try ada.value(forKey: "Biology.name") }),
      (.unknownKey, "Biology", "Person", { _ = try ada.value(forKeyPath: "Biology.name") }),
      (.unknownKey, "", "Person", { _ = try ada.value(forKeyPath: "") }),
      (.unknownKey, "mother.name", "Person", { _ = try ada.value(forKey: "mother.name") }),
      (.unknownKey, "mother.age", "Person", { try ada.setValue(1, forKey: "mother.age") }),
      (.unknownKey, "name.", "Person", { _ = try ada.value(forKey: "name.") }),
      (.unknownKey, "", "Person", { _ = try ada.value(forKeyPath: "mother.") }),
      (.hasNoKeys, "mother", "Person", { _ = try ada.value(forKeyPath: "mother[0]") }),
      (.unknownKey, "nmae", "Person", { _ = try ada.value(forKeyPath: "mother.nmae") }),
      (.unknownKey, "hairs", "Person", { try ada.setValue(1, forKey: "hairs") }),
      (.typeMismatch, "age", "Person", { try ada.setValue("36", forKey: "age") }),
      (.typeMismatch, "age", "Person", { try ada.setValue(nil, forKey: "age") }),
      (.typeMismatch, "friends", "Person", { try ada.setValue([1], forKey: "friends") }),
      (.typeMismatch, "mother", "Person", { try ada.setValue(Biology(), forKey: "mother") }),
      (.typeMismatch, "age", "Person", { _ = try ada.value(forKey: "age", as: String.self) }),
      (.readOnly, "name", "Person", { try ada.setValue("Eve", forKey: "name") }),
      (.readOnly, "name", "Person", { try ada.setValue("Eve", forKeyPath: "mother.name") }),
      (.nilOnPath, "mother", "Person", { try ada.setValue(1, forKeyPath: "mother.mother.age") }),
      (.hasNoKeys, "name", "Person", { _ = try ada.value(forKeyPath: "name.count") }),
    ]
    for (code, key, className, body) in failures {
      let error = assertThrows(KeyAccessError.self, for: "\(code) \(key)", body)
      XCTAssertEqual(error?.code, code)
      XCTAssertEqual(error?.key, key)
      XCTAssertEqual(error?.className, className, "\(code) \(key)")
    }
    XCTAssertEqual(ada.name, "Ada")
    XCTAssertEqual(ada.age, 0)
    withExtendedLifetime(mother) {}
  }

  func testAccessErrorReportsPathClassAndExpectedValue() {
    let (ada, mother) = family()
    XCTAssertThrowsError(try ada.setValue("x", forKeyPath: "mother.age")) { error in
      XCTAssertEqual(
        "\(error)",
        "typeMismatch: found a value of type 'String' at key 'age' of key path 'mother.age' of class 'Person', "
          + "expected a value of type 'Int'")
    }
    XCTAssertThrowsError(try ada.value(forKey: "mother.age")) { error in
      XCTAssertEqual(
        "\(error)",
        "unknownKey: found no archived property 'mother.age' at key 'mother.age' of class 'Person', expected "
          + "the name of a property: name, age, mother, friends, height, weight, hairCount, hairCount, intro; for a "
          + "key path, use forKeyPath:")
    }
    XCTAssertThrowsError(try mother.value(forKey: "x")) { error in
      XCTAssertEqual(
        "\(error)",
        "unknownKey: found no archived property 'x' at key 'x' of class 'Person', expected the name of a property: "
          + "name, age, mother, friends, height, weight, hairCount, hairCount, intro")
    }
  }

  func testEveryKindOfPropertyIsAccessibleByKey() throws {
    let (ada, mia) = (Person("Ada"), Person("Mia"))
    let object = Declarations(constant: 1, bare: 2, owner: ada)
    try object.setValue(6, forKey: "defaulted")
    try object.setValue(700, forKey: "clamped")
    try object.setValue(-1, forKey: "bare")
    try object.setValue(8, forKey: "observed")
    try object.setValue(mia, forKey: "observedLink")
    try object.setValue("set", forKey: "implicitly")
    try object.setValue(mia, forKey: "owner")
    try object.setValue(["private"], forKey: "hidden")
    try object.setValue("new", forKey: "modern")
    XCTAssertEqual(object.clamped, 100, "through the wrapper")
    XCTAssertEqual(object.bare, 0, "through the wrapper")
    XCTAssertEqual(object.observations, 2, "observers run")
    XCTAssertTrue(object.owner === mia)
    XCTAssertEqual(object.hidden, ["private"])
    XCTAssertEqual(try object.value(forKey: "constant", as: Int.self), 1)
    XCTAssertEqual(try object.value(forKey: "defaulted", as: Int.self), 6)
    XCTAssertEqual(try object.value(forKey: "clamped", as: Int.self), 100)
    XCTAssertEqual(try object.value(forKey: "observed", as: Int.self), 8)
    XCTAssertEqual(try object.value(forKeyPath: "observedLink.name", as: String.self), "Mia")
    XCTAssertEqual(try object.value(forKey: "implicitly", as: String.self), "set")
    XCTAssertEqual(try object.value(forKeyPath: "owner.name", as: String.self), "Mia")
    XCTAssertEqual(try object.value(forKey: "hidden", as: [String].self), ["private"])
    XCTAssertEqual(try object.value(forKey: "modern", as: String.self), "new")
    try object.setValue(nil, forKey: "implicitly")
    XCTAssertNil(object.implicitly)
    XCTAssertThrowsError(try object.setValue(2, forKey: "constant")) {
      XCTAssertEqual(($0 as? KeyAccessError)?.code, .readOnly)
    }
    XCTAssertThrowsError(try object.setValue(nil, forKey: "owner")) {
      XCTAssertEqual(($0 as? KeyAccessError)?.code, .typeMismatch)
    }
    let box = Box("a")
    try box.setValue("b", forKey: "content")
    XCTAssertEqual(try box.value(forKey: "content", as: String.self), "b")
    withExtendedLifetime((ada, mia)) {}
  }

  func testHandWrittenAndGenericClassesHaveAccessibleKeys() throws {
    let node = ChainNode(1)
    node.next = ChainNode(2)
    XCTAssertEqual(try node.value(forKeyPath: "next.value", as: Int.self), 2)
    try node.setValue(3, forKeyPath: "next.value")
    XCTAssertEqual(node.next?.value, 3)
  }
}
