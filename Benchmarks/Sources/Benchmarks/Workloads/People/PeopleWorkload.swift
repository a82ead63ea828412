/// Persons in a class hierarchy with strings, numbers, optionals, tags from a pool of 50 and three references
/// to random other persons, so that there are many cycles. The root is an array of all persons.
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
    people = Lazily(dismantle: Self.dismantle) { try columns.value().rebuild() }
  }

  var contenders: [Contender] {
    let subject = ArcSubject(
      graph: people, objectCount: count, classes: [Employee.self, Student.self], dismantle: Self.dismantle)
    return subject.contenders + subject.compressedContenders() + subject.valueContenders
      + Contender.walk(people, objectCount: count)
      + [
        .rebuild(columns, objectCount: count, dismantle: Self.dismantle) { $0.rebuild() },
        .naiveClone(people, objectCount: count, dismantle: Self.dismantle) { people in
          var clones: [ObjectIdentifier: Person] = [:]
          return people.map { $0.clone(&clones) }
        },
      ] + PeoplePeers.all(count: count)
  }

  /// Breaks the cycles.
  static func dismantle(_ people: [Person]) {
    for person in people { person.friends = [] }
  }
}
