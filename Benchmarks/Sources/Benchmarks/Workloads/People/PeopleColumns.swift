/// The people as plain arrays, one per attribute. The generator creates them, and the rebuild floor reads
/// them.
struct PeopleColumns {
  /// The class of a person.
  enum Kind: UInt8 {
    case person
    case employee
    case student
  }

  let count: Int
  var kinds: [Kind] = []
  var hairCounts: [Int32] = []
  var intros = OptionalTextColumn()
  var names = TextColumn()
  var birthYears: [Int] = []
  var heights: [Double] = []
  var weights: [Double?] = []
  var isMember: [Bool] = []
  var emails = OptionalTextColumn()
  /// All tags of all people as indices in `tagPool`, and the end of each person's tags.
  var tags: [UInt8] = []
  var tagEnds: [Int32] = []
  /// The indices of the friends, three per person.
  var friends: [Int32] = []
  /// The salaries and titles of employees, and the semesters and universities of students. 0 for others.
  var amounts: [Double] = []
  var semesters: [Int?] = []
  var texts: [UInt8] = []
  let tagPool: [String]

  static let friendsPerPerson = 3

  init(count: Int) {
    self.count = count
    var random = SeededGenerator(seed: 1)
    tagPool = (0..<50).map { Words.identifier(words: 1...3, number: $0, &random) }
    for _ in 0..<count { appendPerson(&random) }
  }

  private mutating func appendPerson(_ random: inout SeededGenerator) {
    let kind: Kind = random.chance(percent: 50) ? .person : random.chance(percent: 60) ? .employee : .student
    kinds.append(kind)
    hairCounts.append(Int32.random(in: 0...150_000, using: &random))
    intros.append(random.chance(percent: 50) ? Words.sentence(words: 4...9, &random) : nil)
    let name = Words.personName(&random)
    names.append(name)
    birthYears.append(Int.random(in: 1930...2020, using: &random))
    heights.append(Double(Int.random(in: 1450...2050, using: &random)) / 1000)
    weights.append(
      random.chance(percent: 70) ? Double(Int.random(in: 400...1300, using: &random)) / 10 : nil)
    isMember.append(random.chance(percent: 50))
    let address = Words.identifier(
      words: 1...1, number: Int.random(in: 0..<1_000_000, using: &random), &random)
    emails.append(random.chance(percent: 70) ? address + "@example.org" : nil)
    for _ in 0..<random.index(below: 6) { tags.append(UInt8(random.index(below: tagPool.count))) }
    tagEnds.append(Int32(tags.count))
    for _ in 0..<Self.friendsPerPerson { friends.append(Int32(random.index(below: count))) }
    amounts.append(kind == .employee ? Double(Int.random(in: 20_000...200_000, using: &random)) : 0)
    semesters.append(kind == .student && random.chance(percent: 90) ? random.index(below: 12) : nil)
    switch kind {
    case .person: texts.append(0)
    case .employee: texts.append(UInt8(random.index(below: Words.titles.count)))
    case .student: texts.append(UInt8(random.index(below: Words.universities.count)))
    }
  }
}
