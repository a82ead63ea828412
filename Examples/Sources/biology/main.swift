// Archives classes with one line each: inherited properties, private properties of both levels, and nil.
// WZLSerializeKit does this with one macro per class, but does not archive private variables of
// superclasses.

import Arc
import ArcModel
import ArcRuntime
import Claims
import Foundation

@Archivable class Biology {
  private var hairCount = 0
  var introduction: String?

  var hairs: Int { hairCount }
  func grow(_ count: Int) { hairCount += count }
}

@Archivable final class Person: Biology {
  private var father: String?
  private var hairCount = 1  // not the property of the superclass
  var name: String?
  var age = 0

  var parent: String? { father }
  func adopt(by name: String) { father = name }
}

func makePerson() -> Person {
  let person = Person()
  (person.name, person.age) = ("Lin Yu", 26)
  person.introduction = "I live on the third planet"
  person.adopt(by: "Lin Wei")
  person.grow(100_000)
  return person
}

example("The variables of both classes, with their types in Objective-C's notation") {
  let info = try ClassInfo.of(Person.self)
  for property in info.allProperties {
    print("  \(property.declaringClass.name).\(property.member.name)  \(property.member.attributes)")
  }
  claim("six, private ones too", info.allProperties.count == 6)
}

example("To a file, and back") {
  let person = makePerson()
  let read = try withTemporaryFile(named: "person.arc") { url in
    try Archiver().write(roots: ["Person": person], to: url)
    return try Unarchiver().read(Person.self, from: url, root: "Person")
  }
  print("  \(read.modelDescription)")
  claim("another object", read !== person)
  claim("its own properties came back", read.name == "Lin Yu" && read.age == 26)
  claim("those of the superclass", read.introduction == person.introduction)
  claim("private ones, at both levels", read.parent == "Lin Wei" && read.hairs == 100_000)
}

example("A copy") {
  let person = makePerson()
  let copy = try person.shallowCopy()
  claim("has the same values", copy.modelDescription == person.modelDescription)
  copy.name = "Lin Mei"
  claim("and is another object: the first one stays \(person.name ?? "")", person.name == "Lin Yu")
}

example("By name") {
  let person = makePerson()
  try person.setValue(27, forKey: "age")
  claim("age is \(person.age)", person.age == 27)
  claim("hairCount of Biology", try person.value(forKey: "Biology.hairCount", as: Int.self) == 100_000)
  do { try person.setValue(1, forKey: "legs") } catch { print("  no crash: \(error)") }
}
