import Arc

/// People that one version of their classes archived and the next version reads. Only reading is measured,
/// because writing the old version equals writing people.
struct EvolvedWorkload: Workload {
  static let name = "evolved"
  static let fullCount = 200_000
  let contenders: [Contender]

  init(count: Int) {
    let columns = Lazily { PeopleColumns(count: count) }
    let old = Lazily(dismantle: Self.dismantle) { try columns.value().rebuildOldGuests() }
    let oldDigest = Lazily { WalkMemory(capacity: count).digest(try old.value(), comparesLinks: true) }
    let fewer = min(count, 20_000)
    let records = Lazily { PeopleColumns(count: fewer).records.map(OldGuestRecord.init) }
    contenders =
      [
        Self.reading(old, Contender.Name.arc, .arc, count, Speaker.self) { (guests: [Guest]) in
          Self.dismantle(guests)
        } digest: {
          WalkMemory(capacity: count).digest($0, comparesLinks: true)
        } expected: {
          try oldDigest.value()
        },
        Self.reading(old, "Arc same version", .peer, count, OldSpeaker.self) { (guests: [OldGuest]) in
          Self.dismantle(guests)
        } digest: {
          WalkMemory(capacity: count).digest($0, comparesLinks: true)
        } expected: {
          try oldDigest.value()
        },
        .rebuild(columns, objectCount: count, dismantle: Self.dismantle) {
          $0.rebuildGuests()
        },
      ] + OldGuestRecord.contenders(records, objectCount: fewer)
  }

  /// Breaks the cycles.
  private static func dismantle(_ guests: [OldGuest]) {
    for guest in guests { guest.friends = [] }
  }

  /// Breaks the cycles.
  private static func dismantle(_ guests: [Guest]) {
    for guest in guests { guest.friends = [] }
  }

  /// Returns Arc's reading of old guests as an array of a class and its subclass `Other`.
  private static func reading<Element: Archivable, Other: Archivable>(
    _ old: Lazily<[OldGuest]>, _ name: String, _ role: Contender.Role, _ count: Int, _ other: Other.Type,
    dismantle: @escaping ([Element]) -> Void, digest: @escaping ([Element]) -> UInt64,
    expected: @escaping () throws -> UInt64
  ) -> Contender {
    let input = { try Archiver().archive(old.value()) }
    return Contender(
      name: name, role: role, operation: .unarchive, objectCount: count, makeInput: input
    ) { bytes in
      let table = ClassTable()
      try table.register(other)
      return Call(bytesAreResult: false) {
        try Unarchiver(classes: table).unarchive([Element].self, from: bytes)
      } byteCount: { _ in
        bytes.count
      } dismantle: {
        dismantle($0)
      } check: {
        guard try digest($0) == expected() else {
          throw WrongResult(description: "\(name) read another graph than it wrote")
        }
      }
    }
  }
}

extension PeopleColumns {
  /// Builds the people as old guests. Employees become guests who speak.
  func rebuildOldGuests() -> [OldGuest] {
    let guests = kinds.indices.map { index in
      let tags = tags(at: index)
      let height = Float(heights[index])
      let birthYear = Int32(birthYears[index])
      return kinds[index] == .employee
        ? OldSpeaker(
          name: names[index], birthYear: birthYear, height: height, nickname: emails[index], tags: tags,
          topic: Words.titles[Int(texts[index])])
        : OldGuest(
          name: names[index], birthYear: birthYear, height: height, nickname: emails[index], tags: tags)
    }
    for index in guests.indices { guests[index].friends = friends(at: index, of: guests) }
    return guests
  }

  /// Builds the people as new guests.
  func rebuildGuests() -> [Guest] {
    let guests = kinds.indices.map { index in
      let tags = tags(at: index)
      return kinds[index] == .employee
        ? Speaker(
          fullName: names[index], birthYear: birthYears[index], height: heights[index], tags: tags,
          topic: Words.titles[Int(texts[index])])
        : Guest(fullName: names[index], birthYear: birthYears[index], height: heights[index], tags: tags)
    }
    for index in guests.indices { guests[index].friends = friends(at: index, of: guests) }
    return guests
  }
}
