#if Collections
  import Arc
  import ArcCollections
  import ArcTesting
  import ArcTestSupport
  import DequeModule
  import HashTreeCollections
  import HeapModule
  import OrderedCollections
  import XCTest

  /// Collections of objects preserve identity. The reader fills them after it sets the properties by which
  /// their elements hash and compare.
  final class ObjectCollectionTests: XCTestCase {
    func testSharedObjectsOfCollectionsStayIdentical() throws {
      let team = Team(playerCount: 50)
      let copy = try roundTrip(team)
      XCTAssertEqual(copy.line.map(\.number), team.line.map(\.number))
      XCTAssertEqual(copy.ordered.map(\.number), team.ordered.map(\.number))
      for player in copy.line {
        XCTAssertTrue(player.team === copy)
        XCTAssertTrue(copy.ordered[try XCTUnwrap(copy.ordered.firstIndex(of: player))] === player)
        XCTAssertTrue(copy.friends[player] === copy.line.first)
        XCTAssertEqual(copy.goals[player], player.number)
        XCTAssertTrue(copy.tree.contains(player))
        XCTAssertTrue(copy.tree.contains { $0 === player })
      }
      XCTAssertEqual(copy.goals.keys.map(\.number), team.goals.keys.map(\.number))
      XCTAssertEqual([copy.tree.count, copy.friends.count, copy.queue.count], [50, 50, 50])
    }

    func testHeapWhoseOrderDependsOnReferencesIsRestored() throws {
      let team = Team(playerCount: 50)
      let copy = try roundTrip(team)
      XCTAssertEqual(copy.queue.unordered.map(\.number), team.queue.unordered.map(\.number))
      let numbers = sequence(state: ()) { _ in copy.queue.popMin()?.number }
      XCTAssertEqual(Array(numbers), (0..<50).reversed())
    }

    func testRestoredCopyEncodesToTheSameCanonicalBytes() throws {
      let archiver = Archiver(isCanonical: true)
      let bytes = try archiver.archive(Team(playerCount: 20))
      let copy = try Unarchiver().unarchive(Team.self, from: bytes)
      XCTAssertEqual(try archiver.archive(copy), bytes)
    }

    func testNestedOrderedSetsAreFilledInDependencyOrder() throws {
      var outer = Doll(0)
      for id in 1..<40 {
        let next = Doll(id)
        next.inner = [outer, Doll(1000 + id)]
        outer = next
      }
      var level: Doll? = try roundTrip(outer)
      var depth = 0
      while let doll = level {
        XCTAssertTrue(doll.inner.allSatisfy { doll.inner.contains($0) })
        level = doll.inner.first { $0.id < 1000 }
        depth += 1
      }
      XCTAssertEqual(depth, 40)
    }

    func testElementsAreFoundInRestoredRootCollections() throws {
      let players = Team(playerCount: 20).ordered
      let set = try roundTrip(players)
      XCTAssertTrue(set.allSatisfy { set.contains($0) })
      XCTAssertEqual(set.map(\.number), players.map(\.number))
      let goals = try roundTrip(Team(playerCount: 20).goals)
      XCTAssertTrue(goals.keys.allSatisfy { goals[$0] == $0.number })
    }

    func testElementsWhoseHashOrOrderChangesAreRefused() throws {
      let team = Team(playerCount: 30)
      assertThrows(.hashCycle, ">', key 'players'") { try roundTrip(Bench(OrderedSet(team.line))) }
      assertThrows(.hashCycle, ">', key 'players'") { try roundTrip(Bench(team.goals)) }
      assertThrows(.hashCycle, ">', key 'players'") { try roundTrip(Bench(team.tree)) }
      assertThrows(.hashCycle, ">', key 'players'") { try roundTrip(Bench(team.friends)) }
      assertThrows(.hashCycle, ">', key 'players'") { try roundTrip(Bench(team.queue)) }
      XCTAssertEqual(try roundTrip(Bench(team.line)).players.map(\.number), Array(0..<30))
    }

    func testElementsThatBecameEqualAreRefusedWhenWriting() throws {
      let team = Team(playerCount: 2)
      team.line[1].number = 0
      let values: [any ArchivableValue] = [team.ordered, team.goals, team.tree, team.friends]
      for value in values {
        assertThrows(.duplicateKey, "two equal keys") { try archive(value) }
      }
    }

    func testEqualObjectsOfAnArrayAreNotMerged() throws {
      let team = Team(playerCount: 1)
      let twins = [Player(1, in: team), Player(1, in: team)]
      let bytes = try Archiver().archive(twins)
      assertThrows(.hashCycle, "keys that are equal after reading") {
        try Unarchiver().unarchive(OrderedSet<Player>.self, from: bytes)
      }
    }

    func testPropertiesThatMayCauseHashCyclesAreListed() throws {
      XCTAssertEqual(
        try Unarchiver().cyclicKeys(in: Team.self),
        ["Team.friends", "Team.goals", "Team.ordered", "Team.queue", "Team.tree"])
      XCTAssertEqual(try Unarchiver().cyclicKeys(in: Roster.self), [], "values are no keys")
    }

    /// The columns of hand-written classes do not state that elements are hashed.
    func testHandWrittenClassRefusesElementsWhoseHashChanges() throws {
      let team = Team(playerCount: 30)
      assertThrows(.hashCycle, "class 'Shelf', key 'players'") {
        try roundTrip(Shelf(team.ordered), classes: [Team.self])
      }
      team.factor = 1
      let copy = try roundTrip(Shelf(team.ordered), classes: [Team.self])
      XCTAssertTrue(copy.players.allSatisfy { copy.players.contains($0) })
      XCTAssertEqual(copy.players.map(\.number), team.ordered.map(\.number))
    }

    private func archive(_ value: some ArchivableValue) throws -> [UInt8] { try Archiver().archive(value) }
  }

  @Archivable private final class Team {
    var factor = -1
    var ordered: OrderedSet<Player> = []
    var goals: OrderedDictionary<Player, Int> = [:]
    var tree: TreeSet<Player> = []
    var friends: TreeDictionary<Player, Player> = [:]
    var queue: Heap<Player> = []
    var line: Deque<Player> = []

    init(playerCount: Int) {
      line = Deque((0..<playerCount).map { Player($0, in: self) })
      ordered = OrderedSet(line.reversed())
      goals = OrderedDictionary(uniqueKeysWithValues: line.map { ($0, $0.number) })
      tree = TreeSet(line)
      if let first = line.first {
        friends = TreeDictionary(uniqueKeysWithValues: line.map { ($0, first) })
      }
      queue = Heap(line)
    }
  }

  /// Hashes and compares by its team. The reader links the team after it builds the player.
  @Archivable private final class Player: Hashable, Comparable {
    var number: Int
    var team: Team?
    init(_ number: Int, in team: Team) {
      self.number = number
      self.team = team
    }
    var priority: Int { number * (team?.factor ?? 1) }
    static func == (left: Player, right: Player) -> Bool { left.priority == right.priority }
    static func < (left: Player, right: Player) -> Bool { left.priority < right.priority }
    func hash(into hasher: inout Hasher) { hasher.combine(priority) }
  }

  /// A class whose players are set before the players have their teams.
  @Archivable private final class Bench<Players: ArchivableValue> {
    let players: Players
    init(_ players: Players) { self.players = players }
  }

  private final class Shelf: Archivable {
    var players: OrderedSet<Player> = []
    init(_ players: OrderedSet<Player>) { self.players = players }
    init(from decoder: borrowing ObjectDecoder) throws {}
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(players, forKey: "players")
    }
    func link(from decoder: borrowing ObjectDecoder) throws {
      players = try decoder.decode(OrderedSet<Player>.self, forKey: "players")
    }
  }

  @Archivable private final class Roster {
    var teams: OrderedDictionary<String, Roster> = [:]
    init() {}
  }

  /// Hashes by the elements of its set. Therefore, a set of dolls must be filled after the sets of its
  /// elements.
  @Archivable private final class Doll: Hashable {
    var id: Int
    var inner: OrderedSet<Doll> = []
    init(_ id: Int) { self.id = id }
    static func == (left: Doll, right: Doll) -> Bool { left === right }
    func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      for doll in inner { hasher.combine(doll) }
    }
  }
#endif
