import SwiftProtobuf

/// A person for coders of trees. The class is a string, and friends are indices.
struct PersonRecord: Codable, Equatable {
  var kind: String
  var hairCount: Int32
  var intro: String?
  var name: String
  var birthYear: Int
  var height: Double
  var weight: Double?
  var isMember: Bool
  var email: String?
  var tags: [String]
  var friends: [Int]
  var salary: Double?
  var title: String?
  var university: String?
  var semester: Int?
}

extension PeopleColumns {
  /// All persons as records.
  var records: [PersonRecord] {
    rebuild().enumerated().map { index, person in
      defer { person.friends = [] }
      let first = index * Self.friendsPerPerson
      let employee = person as? Employee
      let student = person as? Student
      return PersonRecord(
        kind: employee != nil ? "employee" : student != nil ? "student" : "person", hairCount: person.hairs,
        intro: person.intro, name: person.name, birthYear: person.birthYear, height: person.height,
        weight: person.weight, isMember: person.isMember, email: person.email, tags: person.tags,
        friends: friends[first..<first + Self.friendsPerPerson].map { Int($0) }, salary: employee?.salary,
        title: employee?.title, university: student?.university, semester: student?.semester)
    }
  }
}

extension ProtoPeople {
  /// Creates a protobuf message from the records.
  init(_ records: [PersonRecord]) {
    people = records.map { record in
      ProtoPerson.with { person in
        person.kind = record.salary != nil ? .employee : record.university != nil ? .student : .person
        person.hairCount = record.hairCount
        if let intro = record.intro { person.intro = intro }
        person.name = record.name
        person.birthYear = Int64(record.birthYear)
        person.height = record.height
        if let weight = record.weight { person.weight = weight }
        person.isMember = record.isMember
        if let email = record.email { person.email = email }
        person.tags = record.tags
        person.friends = record.friends.map { UInt32($0) }
        if let salary = record.salary { person.salary = salary }
        if let title = record.title { person.title = title }
        if let university = record.university { person.university = university }
        if let semester = record.semester { person.semester = Int64(semester) }
      }
    }
  }
}
