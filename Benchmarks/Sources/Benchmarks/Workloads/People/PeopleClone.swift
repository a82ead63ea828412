extension PersonValues {
  /// Creates the values of a person.
  init(of person: Person) {
    self.init(
      hairCount: person.hairs, intro: person.intro, name: person.name, birthYear: person.birthYear,
      height: person.height, weight: person.weight, isMember: person.isMember, email: person.email,
      tags: person.tags)
  }
}

extension Person {
  /// Returns the copy of this person. The first call copies the person with all friends.
  func clone(_ clones: inout [ObjectIdentifier: Person]) -> Person {
    if let clone = clones[ObjectIdentifier(self)] { return clone }
    let clone = cloneWithoutFriends()
    clones[ObjectIdentifier(self)] = clone
    clone.friends = friends.map { $0.clone(&clones) }
    return clone
  }

  private func cloneWithoutFriends() -> Person {
    let values = PersonValues(of: self)
    switch self {
    case let employee as Employee:
      return Employee(values, salary: employee.salary, title: employee.title)
    case let student as Student:
      return Student(values, university: student.university, semester: student.semester)
    default:
      return Person(values)
    }
  }
}
