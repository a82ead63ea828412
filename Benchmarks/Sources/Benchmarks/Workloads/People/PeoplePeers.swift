/// The peers for people. Slow peers get fewer people.
enum PeoplePeers {
  private static let remark = "friends as indices"

  static func all(count: Int) -> [Contender] {
    let records = records(min(count, 20_000))
    let everyone = self.records(count)
    let message = Lazily { ProtoPeople(try everyone.value()) }
    let keyedRecords = self.records(min(count, 200))
    let keyed = Lazily { KeyedPeople(try keyedRecords.value().map(KeyedPerson.init)) }
    return Contender.codable(records, objectCount: min(count, 20_000), remark: remark)
      + Contender.protobuf(message, objectCount: count, remark: remark)
      + Contender.keyedArchiver(keyed, objectCount: min(count, 200), remark: remark) { $0.digest }
  }

  private static func records(_ count: Int) -> Lazily<[PersonRecord]> {
    Lazily { PeopleColumns(count: count).records }
  }
}
