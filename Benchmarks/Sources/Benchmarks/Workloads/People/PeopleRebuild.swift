extension PeopleColumns {
  /// Allocates and links the graph. Unique strings are created from UTF-8. Tags, titles and universities are
  /// shared from a pool. Friends are set after all persons exist.
  func rebuild() -> [Person] {
    var people: [Person] = []
    people.reserveCapacity(count)
    for index in 0..<count {
      let values = self.values(at: index)
      switch kinds[index] {
      case .person:
        people.append(Person(values))
      case .employee:
        people.append(Employee(values, salary: amounts[index], title: Words.titles[Int(texts[index])]))
      case .student:
        people.append(
          Student(values, university: Words.universities[Int(texts[index])], semester: semesters[index]))
      }
    }
    for index in 0..<count { people[index].friends = friends(at: index, of: people) }
    return people
  }

  /// Returns the three friends of a person.
  @inline(__always) func friends<Element>(at index: Int, of people: [Element]) -> [Element] {
    let first = index * Self.friendsPerPerson
    return [people[Int(friends[first])], people[Int(friends[first + 1])], people[Int(friends[first + 2])]]
  }

  @inline(__always) private func values(at index: Int) -> PersonValues {
    PersonValues(
      hairCount: hairCounts[index], intro: intros[index], name: names[index], birthYear: birthYears[index],
      height: heights[index], weight: weights[index], isMember: isMember[index], email: emails[index],
      tags: tags(at: index))
  }

  /// Returns the tags of a person.
  @inline(__always) func tags(at index: Int) -> [String] {
    let start = index == 0 ? 0 : Int(tagEnds[index - 1])
    let count = Int(tagEnds[index]) - start
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      for offset in 0..<count { buffer.initializeElement(at: offset, to: tagPool[Int(tags[start + offset])]) }
      initialized = count
    }
  }
}
