import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Objects that the encoder first encounters as keys have one order.
final class CanonicalObjectTests: XCTestCase {
  private let archiver = Archiver(isCanonical: true)

  /// Returns the distinct archives of equal graphs whose sets iterate in different orders.
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

  func testObjectsOwnedBySetsHaveOneCanonicalForm() throws {
    XCTAssertEqual(try forms { set in set((0..<50).map { Pet("pet \($0)") }) }, 1)
  }

  func testObjectsDistinguishedByReferencesHaveOneCanonicalForm() throws {
    XCTAssertEqual(
      try forms { set in
        let names = (0..<20).map { Pet("name \($0)") }
        return Kennel(set(names.map { Pet("", friend: Pet("", friend: $0)) }), late: [])
      }, 1)
  }

  func testObjectsDistinguishedByReferrersHaveOneCanonicalForm() throws {
    // After the set, an array refers to all elements in an order, and a property to one element.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<20).map { _ in Pet("") }
        return Kennel(set(pets), late: pets, best: pets[7])
      }, 1)
    // Long lists of equal objects that differ only in their last objects.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<300).map { _ in Pet("") }
        for (pet, next) in zip(pets, pets.dropFirst()) { pet.friend = next }
        return Kennel(set(pets), late: [])
      }, 1)
  }

  func testInterchangeableObjectsHaveOneCanonicalForm() throws {
    XCTAssertEqual(try forms { set in set((0..<20).map { _ in Pet("") }) }, 1)
    let shared = Pet("shared")
    XCTAssertEqual(
      try forms { set in Kennel(set((0..<10).map { _ in Pet("", friend: shared) }), late: []) }, 1)
    // Each object has equal objects of its own, with back references.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<10).map { _ in Pet("", friend: Pet("", friend: Pet("leaf"))) }
        for pet in pets { pet.friend?.friend?.friend = pet }
        return Kennel(set(pets), late: [])
      }, 1)
    // The two objects refer to each other.
    XCTAssertEqual(
      try forms { set in
        let (one, other) = (Pet(""), Pet(""))
        (one.friend, other.friend) = (other, one)
        return Kennel(set([one, other]), late: [])
      }, 1)
    // Two sets with the same elements in the same order.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<10).map { _ in Pet("") }
        return [Kennel(set(pets), late: []), Kennel(set(pets), late: [])]
      }, 1)
  }

  func testDictionaryKeyedByObjectsHasOneCanonicalForm() throws {
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<20).map { _ in Pet("") }
        var ages: [Pet: Int] = [:]
        let numbers = Dictionary(uniqueKeysWithValues: pets.enumerated().map { ($1, $0) })
        for pet in set(pets) { ages[pet] = numbers[pet] }
        return ages
      }, 1)
  }

  func testSetOfObjectArraysHasOneCanonicalForm() throws {
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

  func testHandWrittenObjectsHaveOneCanonicalForm() throws {
    XCTAssertEqual(
      try forms { set in
        let pets = set((0..<10).map { Pet("pet \($0)") })
        var contacts: Set<Tagged> = []
        for pet in pets { contacts.insert(Tagged(pet.name, isTagged: pet.name.hasSuffix("3"))) }
        return contacts
      }, 1)
  }

  func testRandomGraphHasOneCanonicalFormOrError() throws {
    var random = SystemRandomNumberGenerator()
    var (oneFormCount, noneCount) = (0, 0)
    for trial in 0..<RandomTrials.count(usually: 24, exhaustively: 400) {
      let count = Int.random(in: 2...8, using: &random)
      // Random references, or symmetric references, so that many objects can be exchanged together.
      let isSymmetric = trial % 4 == 0
      let names = (0..<count).map { _ in isSymmetric ? "" : ["", "", "a"].randomElement(using: &random) ?? ""
      }
      func some() -> [Int] { (0..<count).filter { _ in Bool.random(using: &random) } }
      let friends = (0..<count).map {
        isSymmetric
          ? count - 1 - $0 : [nil, Int.random(in: 0..<count, using: &random)].randomElement() ?? nil
      }
      let (first, second, late, paired) = (some(), some(), Bool.random(using: &random) ? some() : [], some())
      var outcomes: Set<[UInt8]> = []
      for _ in 0..<6 {
        // The objects are created in a random order, so that neither addresses nor hashes identify them.
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
    // In a short run, the share of graphs without a canonical form can be larger by chance.
    XCTAssertGreaterThan(oneFormCount, RandomTrials.isExhaustive ? noneCount * 10 : noneCount)
  }

  func testManyMutualFriendsHaveOneCanonicalForm() throws {
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<40).map { _ in Pet("") }
        for (index, pet) in pets.enumerated() { pet.friend = pets[index ^ 1] }
        return Kennel(set(pets), late: [])
      }, 1)
  }

  func testPairsInterchangeableOnlyTogetherHaveOneCanonicalForm() throws {
    var outcomes: Set<[UInt8]> = []
    for _ in 0..<RandomTrials.count(usually: 50, exhaustively: 200) {
      var pets = [Pet?](repeating: nil, count: 4)
      for index in (0..<4).shuffled() { pets[index] = Pet("") }
      let made = pets.compactMap { $0 }
      made[0].friend = made[3]
      made[2].friend = made[1]
      let root = Litter(
        Set(made.shuffled()), Set((0..<4).shuffled().map { [made[$0], made[3 - $0]] }),
        Dictionary(uniqueKeysWithValues: (0..<4).shuffled().map { (made[$0], made[($0 + 1) % 4]) }), [])
      outcomes.insert(try archiver.archive(root))
    }
    XCTAssertEqual(outcomes.count, 1)
  }

  func testRingOfObjectsHasOneCanonicalForm() throws {
    // A ring has no first object, and a rotation exchanges more than two objects.
    XCTAssertEqual(
      try forms { set in
        let pets = (0..<5).map { _ in Pet("") }
        for (index, pet) in pets.enumerated() { pet.friend = pets[(index + 1) % 5] }
        return Kennel(set(pets), late: [])
      }, 1)
  }
}

@Archivable private final class Pet: HashedByIdentity {
  var name: String
  var friend: Pet?
  init(_ name: String, friend: Pet? = nil) {
    self.name = name
    self.friend = friend
  }
}

@Archivable private final class Kennel {
  var pets: Set<Pet>
  var late: [Pet]
  var best: Pet?
  init(_ pets: Set<Pet>, late: [Pet], best: Pet? = nil) {
    (self.pets, self.late, self.best) = (pets, late, best)
  }
}

@Archivable private final class Litter {
  var pets: Set<Pet>
  var pairs: Set<[Pet]>
  var followers: [Pet: Pet]
  var late: [Pet]
  init(_ pets: Set<Pet>, _ pairs: Set<[Pet]>, _ followers: [Pet: Pet], _ late: [Pet]) {
    (self.pets, self.pairs, self.followers, self.late) = (pets, pairs, followers, late)
  }
}

@Archivable private final class PetPairs {
  var pairs: Set<[Pet]>
  init(pairs: Set<[Pet]>) { self.pairs = pairs }
}

/// A class with hand-written coding and keys that not all objects have.
private final class Tagged: HandWrittenClass, HashedByIdentity {
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
}
