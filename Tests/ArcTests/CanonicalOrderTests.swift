import Arc
import XCTest

final class CanonicalOrderTests: XCTestCase {
  private let archiver = Archiver(.init(isCanonical: true))

  /// The same elements in sets that iterate differently.
  private func variants<Element: Hashable>(_ elements: [Element]) -> [Set<Element>] {
    [1, 64, 1024].map { capacity in
      var set = Set<Element>(minimumCapacity: capacity)
      for element in capacity == 64 ? elements.reversed() : elements { set.insert(element) }
      return set
    }
  }

  private func assertOneForm<Element: Hashable & ArchivableValue>(
    _ elements: [Element], line: UInt = #line
  ) throws {
    let sets = variants(elements)
    let archives = try sets.map { try archiver.archive($0) }
    XCTAssertEqual(Set(archives).count, 1, line: line)
    XCTAssertEqual(
      Set(try sets.map { try archiver.archive(Dictionary(uniqueKeysWithValues: $0.map { ($0, 1) })) }).count,
      1,
      line: line)
    XCTAssertGreaterThan(Set(sets.map { Array($0) }).count, 1, "the sets iterate alike: no test", line: line)
    XCTAssertEqual(try Unarchiver().unarchive(Set<Element>.self, from: archives[0]), sets[0], line: line)
  }

  func testSetsAndDictionariesHaveOneForm() throws {
    try assertOneForm((0..<200).map { $0 * 7919 - 500 })
    try assertOneForm((0..<200).map { "key \($0 * 37 % 200)" })
    try assertOneForm([
      "", "\u{0}", "a", "a\u{0}", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaa", "é", "e\u{302}", "z",
    ])
    try assertOneForm((0..<100).map { [Double($0), -Double($0)] })
  }

  func testKeysThatHoldSetsHaveOneForm() throws {
    for _ in 0..<5 {
      let archives = try [1, 64, 1024].map { capacity in
        var outer = Set<Set<Int>>(minimumCapacity: capacity)
        for number in 0..<20 { outer.insert(variants([number, number + 1000, 5000, 7])[capacity % 3]) }
        return try archiver.archive(outer)
      }
      XCTAssertEqual(Set(archives).count, 1)
    }
  }

  func testWeakReferencesBesideSetsHaveOneForm() throws {
    let (a, b, c) = (Backlinked(), Backlinked(), Backlinked())
    (a.back, a.list, a.set) = (b, [a, c], [c])
    (b.back, b.set) = (a, [a, b, c])
    try assertOneArchive(of: [a, b])
  }

  func testWeakReferencesToWhatNothingKeepsCountAsNil() throws {
    let (a, b, gone) = (Backlinked(), Backlinked(), Backlinked())
    (a.back, a.list) = (gone, [b])
    b.set = [a]
    let bytes = try archiver.archive([a, b] as Set)
    let copy = try Unarchiver().unarchive(Set<Backlinked>.self, from: bytes)
    XCTAssertEqual(try archiver.archive(copy), bytes)
    withExtendedLifetime(gone) {}
  }

  /// The iteration order of a set of few differs from set to set.
  private func assertOneArchive(of objects: [Backlinked], line: UInt = #line) throws {
    var archives: Set<[UInt8]> = []
    for _ in 0..<100 { archives.insert(try archiver.archive(Set(objects))) }
    for set in variants(objects) { archives.insert(try archiver.archive(set)) }
    XCTAssertEqual(archives.count, 1, line: line)
  }

  func testSetsWithinElementsOfSetsTakeNoTwiceTheTimeWithEachLevel() throws {
    func nested(_ isOdd: Bool) -> Nested {
      var value = Nested(number: 0)
      for level in 1...60 {
        let other = Nested(number: -level)
        if level % 2 == 0 {
          value = Nested(number: level, inner: Set(isOdd ? [value, other] : [other, value]))
        } else {
          value = Nested(number: level, named: [value: level, other: 0])
        }
      }
      return value
    }
    let bytes = try archiver.archive(nested(true))
    XCTAssertEqual(try archiver.archive(nested(false)), bytes)
    XCTAssertEqual(try Unarchiver().unarchive(Nested.self, from: bytes).inner.count, 2)
  }

  func testKeysThatEqualNothingAreOrderedByTheirValues() throws {
    var archives: Set<[UInt8]> = []
    for _ in 0..<50 {
      var dictionary: [Double: Int] = [:]
      for number in 0..<4 { dictionary[.nan] = number }
      archives.insert(try archiver.archive(dictionary))
    }
    XCTAssertEqual(archives.count, 1)
  }

  func testStringsStandInTheOrderOfTheirBytes() throws {
    let bytes = try archiver.archive(Set(["b", "B", "é", "ba", "b\u{0}", "zzzzzzzzz", "zzzzzzzza"]))
    guard case .set(let elements) = try ArchiveFile(bytes: bytes).roots()["root"] else {
      return XCTFail("no set")
    }
    XCTAssertEqual(
      elements, ["B", "b", "b\u{0}", "ba", "zzzzzzzza", "zzzzzzzzz", "é"].map { .string($0) })
  }

  func testNumbersStandInTheirOrder() throws {
    let bytes = try archiver.archive(Set([300, 2, 65_536, 1] as [UInt64]))
    guard case .set(let elements) = try ArchiveFile(bytes: bytes).roots()["root"] else {
      return XCTFail("no set")
    }
    XCTAssertEqual(elements, [1, 2, 300, 65_536].map { .integer($0) })
  }

  // MARK: Objects that are met first as keys

  /// The distinct archives of graphs that are built alike, whose sets iterate differently.
  private func forms<Root: ArchivableValue>(_ make: (_ shuffled: ([Pet]) -> Set<Pet>) -> Root) throws -> Int {
    var archives: Set<[UInt8]> = []
    for capacity in [1, 64, 1024, 2048, 1, 16] {
      let root = make { pets in
        var set = Set<Pet>(minimumCapacity: capacity)
        for pet in pets.shuffled() { set.insert(pet) }
        return set
      }
      let bytes = try archiver.archive(root)
      try ArchiveFile(bytes: bytes).verify()
      archives.insert(bytes)
    }
    return archives.count
  }

  func testObjectsOwnedByASetHaveOneForm() throws {
    XCTAssertEqual(try forms { set in set((0..<50).map { Pet("pet \($0)") }) }, 1)
  }

  func testObjectsThatDifferByWhatTheyReferToHaveOneForm() throws {
    XCTAssertEqual(
      try forms { set in
        let names = (0..<20).map { Pet("name \($0)") }
        return Kennel(set(names.map { Pet("", friend: Pet("", friend: $0)) }), late: [])
      }, 1)
  }

  func testObjectsThatDifferByWhoRefersToThemHaveOneForm() throws {
    // Behind the set, an array names all of them in an order, and one by itself.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<20).map { _ in Pet("") }
        return Kennel(set(pets), late: pets, best: pets[7])
      }, 1)
    // A long list of equal ones, of which the ends differ.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<300).map { _ in Pet("") }
        for (pet, next) in zip(pets, pets.dropFirst()) { pet.friend = next }
        return Kennel(set(pets), late: [])
      }, 1)
  }

  func testObjectsThatAreInterchangeableHaveOneForm() throws {
    XCTAssertEqual(try forms { set in set((0..<20).map { _ in Pet("") }) }, 1)
    let shared = Pet("shared")
    XCTAssertEqual(
      try forms { set in Kennel(set((0..<10).map { _ in Pet("", friend: shared) }), late: []) }, 1)
    // Each with equal objects of its own, and a way back.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<10).map { _ in Pet("", friend: Pet("", friend: Pet("leaf"))) }
        for pet in pets { pet.friend?.friend?.friend = pet }
        return Kennel(set(pets), late: [])
      }, 1)
    // Each other's.
    XCTAssertEqual(
      try forms { set in
        let (one, other) = (Pet(""), Pet(""))
        (one.friend, other.friend) = (other, one)
        return Kennel(set([one, other]), late: [])
      }, 1)
    // Two sets that say the same in the same order.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<10).map { _ in Pet("") }
        return [Kennel(set(pets), late: []), Kennel(set(pets), late: [])]
      }, 1)
  }

  func testKeysOfDictionariesThatDifferByTheirValuesHaveOneForm() throws {
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<20).map { _ in Pet("") }
        var ages: [Pet: Int] = [:]
        let numbers = Dictionary(uniqueKeysWithValues: pets.enumerated().map { ($1, $0) })
        for pet in set(pets) { ages[pet] = numbers[pet] }
        return ages
      }, 1)
  }

  func testKeysOfSeveralObjectsHaveOneForm() throws {
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<12).map { Pet("\($0 / 4)") }
        var pairs: Set<[Pet]> = []
        for pet in set(pets) {
          guard let index = pets.firstIndex(of: pet), index % 2 == 0 else { continue }
          pairs.insert([pets[index], pets[index + 1]])
        }
        return PetPairs(pairs: pairs)
      }, 1)
  }

  func testObjectsByHandHaveOneForm() throws {
    XCTAssertEqual(
      try forms { set in
        let pets = set((0..<10).map { Pet("pet \($0)") })
        var contacts: Set<Tagged> = []
        for pet in pets { contacts.insert(Tagged(pet.name, isTagged: pet.name.hasSuffix("3"))) }
        return contacts
      }, 1)
  }

  func testRandomGraphsHaveOneFormOrNone() throws {
    var random = SystemRandomNumberGenerator()
    var (oneFormCount, noneCount) = (0, 0)
    for _ in 0..<400 {
      let count = Int.random(in: 2...8, using: &random)
      let names = (0..<count).map { _ in ["", "", "a"].randomElement(using: &random) ?? "" }
      func some() -> [Int] { (0..<count).filter { _ in Bool.random(using: &random) } }
      let friends = (0..<count).map { _ in
        [nil, Int.random(in: 0..<count, using: &random)].randomElement() ?? nil
      }
      let (first, second, late, paired) = (some(), some(), Bool.random(using: &random) ? some() : [], some())
      var outcomes: Set<[UInt8]> = []
      for _ in 0..<6 {
        // Made in any order, so that neither addresses nor hashes tell which is which.
        var pets = [Pet?](repeating: nil, count: count)
        for index in (0..<count).shuffled() { pets[index] = Pet(names[index]) }
        let made = pets.compactMap { $0 }
        for (index, friend) in friends.enumerated() { made[index].friend = friend.map { made[$0] } }
        let root = Litter(
          Set(first.shuffled().map { made[$0] }),
          Set(second.shuffled().map { [made[$0], made[count - 1 - $0]] }),
          Dictionary(uniqueKeysWithValues: paired.shuffled().map { (made[$0], made[($0 + 1) % count]) }),
          late.map { made[$0] })
        do {
          outcomes.insert(try archiver.archive(root))
        } catch let error as ArchiveError where error.code == .notArchivable {
          outcomes.insert([])
        }
        for pet in made { pet.friend = nil }
      }
      XCTAssertEqual(outcomes.count, 1, "\(names) \(friends) \(first) \(second) \(paired) \(late)")
      if outcomes.contains([]) { noneCount += 1 } else { oneFormCount += 1 }
    }
    XCTAssertGreaterThan(oneFormCount, noneCount * 10)
  }

  func testObjectsThatHaveNoOrderAreRefused() throws {
    // A ring has no beginning, and going round it exchanges more than two.
    let pets = (0..<5).map { _ in Pet("") }
    for (index, pet) in pets.enumerated() { pet.friend = pets[(index + 1) % 5] }
    assertThrows(.notArchivable, "objects of class 'Pet' as keys of a set or dictionary") {
      _ = try self.archiver.archive(Kennel(Set(pets), late: []))
    }
    XCTAssertNoThrow(try Archiver().archive(Kennel(Set(pets), late: [])))
    pets[0].name = "first"
    XCTAssertNoThrow(try archiver.archive(Kennel(Set(pets), late: [])))
    for pet in pets { pet.friend = nil }
  }
}

@Archivable
private final class Pet: Hashable {
  var name: String
  var friend: Pet?
  init(_ name: String, friend: Pet? = nil) {
    self.name = name
    self.friend = friend
  }
  static func == (left: Pet, right: Pet) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Archivable
private final class Kennel {
  var pets: Set<Pet>
  var late: [Pet]
  var best: Pet?
  init(_ pets: Set<Pet>, late: [Pet], best: Pet? = nil) {
    (self.pets, self.late, self.best) = (pets, late, best)
  }
}

@Archivable
private final class Litter {
  var pets: Set<Pet>
  var pairs: Set<[Pet]>
  var followers: [Pet: Pet]
  var late: [Pet]
  init(_ pets: Set<Pet>, _ pairs: Set<[Pet]>, _ followers: [Pet: Pet], _ late: [Pet]) {
    (self.pets, self.pairs, self.followers, self.late) = (pets, pairs, followers, late)
  }
}

@Archivable
private final class PetPairs {
  var pairs: Set<[Pet]>
  init(pairs: Set<[Pet]>) { self.pairs = pairs }
}

/// Coded by hand, with keys that not all have.
private final class Tagged: Archivable, Hashable {
  let name: String
  let isTagged: Bool
  init(_ name: String, isTagged: Bool) { (self.name, self.isTagged) = (name, isTagged) }
  init(from decoder: borrowing ObjectDecoder) throws {
    name = try decoder.decode(String.self, forKey: "name")
    isTagged = try decoder.contains("tag")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    if isTagged { try encoder.encode(true, forKey: "tag") }
    try encoder.encode(name, forKey: "name")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {}
  static func == (left: Tagged, right: Tagged) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Archivable
private final class Backlinked: Hashable {
  weak var back: Backlinked?
  var list: [Backlinked] = []
  var set: Set<Backlinked> = []
  init() {}
  static func == (left: Backlinked, right: Backlinked) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Archivable
private struct Nested: Hashable {
  var number = 0
  var inner: Set<Nested> = []
  var named: [Nested: Int] = [:]
  static func == (left: Nested, right: Nested) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
