import Foundation

/// All people for `NSKeyedArchiver`.
final class KeyedPeople: NSObject, NSCoding {
  let people: [KeyedPerson]

  init(_ people: [KeyedPerson]) { self.people = people }

  init?(coder: NSCoder) {
    guard let people = coder.decodeObject(forKey: "people") as? [KeyedPerson] else { return nil }
    self.people = people
  }

  func encode(with coder: NSCoder) { coder.encode(people, forKey: "people") }

  /// A checksum over the values that are fast to read.
  var digest: UInt64 {
    var digest = Digest()
    for person in people {
      digest.fold(person.record.name)
      digest.fold(person.record.birthYear)
      for friend in person.record.friends { digest.fold(friend) }
    }
    return digest.value
  }
}

/// A person for `NSKeyedArchiver`. Friends are indices, because Foundation on Linux cannot read a cycle: an
/// object that is being read has no identity yet.
final class KeyedPerson: NSObject, NSCoding {
  let record: PersonRecord

  init(_ record: PersonRecord) { self.record = record }

  init?(coder: NSCoder) {
    guard let kind = coder.decodeObject(forKey: "kind") as? String,
      let name = coder.decodeObject(forKey: "name") as? String,
      let tags = coder.decodeObject(forKey: "tags") as? [String],
      let friends = coder.decodeObject(forKey: "friends") as? [Int]
    else { return nil }
    record = PersonRecord(
      kind: kind, hairCount: coder.decodeInt32(forKey: "hairCount"),
      intro: coder.decodeObject(forKey: "intro") as? String, name: name,
      birthYear: coder.decodeInteger(forKey: "birthYear"), height: coder.decodeDouble(forKey: "height"),
      weight: coder.containsValue(forKey: "weight") ? coder.decodeDouble(forKey: "weight") : nil,
      isMember: coder.decodeBool(forKey: "isMember"), email: coder.decodeObject(forKey: "email") as? String,
      tags: tags, friends: friends,
      salary: coder.containsValue(forKey: "salary") ? coder.decodeDouble(forKey: "salary") : nil,
      title: coder.decodeObject(forKey: "title") as? String,
      university: coder.decodeObject(forKey: "university") as? String,
      semester: coder.containsValue(forKey: "semester") ? coder.decodeInteger(forKey: "semester") : nil)
  }

  func encode(with coder: NSCoder) {
    coder.encode(record.kind, forKey: "kind")
    coder.encode(record.hairCount, forKey: "hairCount")
    coder.encode(record.intro, forKey: "intro")
    coder.encode(record.name, forKey: "name")
    coder.encode(record.birthYear, forKey: "birthYear")
    coder.encode(record.height, forKey: "height")
    if let weight = record.weight { coder.encode(weight, forKey: "weight") }
    coder.encode(record.isMember, forKey: "isMember")
    coder.encode(record.email, forKey: "email")
    coder.encode(record.tags, forKey: "tags")
    coder.encode(record.friends, forKey: "friends")
    if let salary = record.salary { coder.encode(salary, forKey: "salary") }
    coder.encode(record.title, forKey: "title")
    coder.encode(record.university, forKey: "university")
    if let semester = record.semester { coder.encode(semester, forKey: "semester") }
  }
}
