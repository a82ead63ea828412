/// Persons in a class hierarchy with strings, numbers, optionals, tags out of a pool of 50 and three references to
/// random others, so that cycles abound. The root is an array of everyone.
struct PeopleWorkload: Workload {
  static let name = "people"
  static let fullCount = 200_000

  private let count: Int
  private let columns: Lazily<PeopleColumns>
  private let people: Lazily<[Person]>

  init(count: Int) {
    self.count = count
    let columns = Lazily { PeopleColumns(count: count) }
    self.columns = columns
    people = Lazily(letGo: Self.letGo) { try columns.value().rebuild() }
  }

  var contenders: [Contender] {
    let subject = ArcSubject(
      graph: people, objectCount: count, classes: [Employee.self, Student.self], letGo: Self.letGo)
    return subject.contenders + subject.compressedContenders() + subject.valueContenders
      + Contender.walk(people, objectCount: count)
      + [
        .rebuild(columns, objectCount: count, letGo: Self.letGo) { $0.rebuild() },
        .naiveClone(people, objectCount: count, letGo: Self.letGo) { people in
          var clones: [ObjectIdentifier: Person] = [:]
          return people.map { $0.clone(&clones) }
        },
      ] + PeoplePeers.all(count: count)
  }

  /// Cuts the cycles.
  static func letGo(_ people: [Person]) {
    for person in people { person.friends = [] }
  }
}
