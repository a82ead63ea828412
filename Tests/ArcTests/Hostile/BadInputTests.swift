import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Damaged and crafted input causes a typed error or returns a valid graph. It never causes a trap.
final class BadInputTests: XCTestCase {
  // MARK: Small archives

  private static var classes: [any Archivable.Type] { [Employee.self, Person.self] }

  private func people() -> [Person] {
    let ada = Person("Ada", hairCount: 2)
    let bob = Employee("Bob")
    ada.friends = [bob, ada]
    bob.friends = [ada]
    bob.boss = ada
    bob.mother = ada
    bob.salary = 12.5
    bob.height = 1.5
    bob.intro = "hello"
    return [ada, bob]
  }

  private func collections() -> Collections {
    let object = Collections()
    let ada = Person("Ada")
    object.numbers = [1, -200, 70_000]
    object.names = ["a"]
    object.nested = ["x": [1: ["a"]]]
    object.maybe = [nil, 1]
    object.points = [Point(x: 1)]
    object.targets = [.person(ada), .nowhere, .place(Point(x: 9), named: "p")]
    object.expression = .sum(.number(1), .call(function: "f", [.nothing]))
    object.tree = Branch(label: "r", children: [Branch(label: "a")])
    object.observers = [Observer(person: ada)]
    object.people = [ada]
    object.doubleOptional = .some(nil)
    return object
  }

  private func club() -> Club {
    let club = Club("c")
    club.members = [Member(1, in: club), Member(2, in: club)]
    return club
  }

  private func contacts() -> Contact {
    let first = Contact("a")
    first.next = Contact("b")
    first.next?.extras = ["phone": "1"]
    first.next?.previous = first
    return first
  }

  /// An archive with a function that reads it and releases the graph, including its cycles.
  private struct Sample {
    let name: String
    let bytes: [UInt8]
    let read: ([UInt8]) throws -> Void
  }

  private func sample<Root: ArchivableValue>(
    _ name: String, _ root: Root, _ compression: Compression
  ) throws -> Sample {
    let bytes = try Archiver(compression: compression, isCanonical: true).archive(root)
    let unarchiver = Unarchiver(classes: try ClassTable(registering: Self.classes), limits: .untrusted)
    // Changed bytes can result in graphs whose values nest too deeply for another walk.
    return Sample(name: name, bytes: bytes) { bytes in
      try? ObjectGraph.release(try unarchiver.unarchive(Root.self, from: bytes))
      _ = try unarchiver.unarchive(Root.self, from: bytes)
    }
  }

  private func samples(_ compression: Compression = .none) throws -> [Sample] {
    let scalars = Scalars()
    scalars.url = URL(string: "x", relativeTo: URL(string: "http://a/"))
    let people = people()
    let club = club()
    defer {
      try? ObjectGraph.release(people)
      try? ObjectGraph.release(club)
    }
    return [
      try sample("people", people, compression), try sample("collections", collections(), compression),
      try sample("club", club, compression), try sample("contacts", contacts(), compression),
      try sample("scalars", scalars, compression),
      try sample("chain", LetNode(2, LetNode(1, nil)), compression),
    ]
  }

  func testSampleArchivesAreValid() throws {
    for sample in try samples() + samples(.zlib) {
      XCTAssertNoThrow(try sample.read(sample.bytes), sample.name)
    }
  }

  // MARK: Damage

  func testEveryProperPrefixIsRefused() throws {
    for sample in try samples() + samples(.zlib) {
      let counts = stride(from: 0, to: sample.bytes.count, by: sample.name == "people" ? 1 : 7)
      for count in RandomTrials.sample(of: counts, oneIn: 8) {
        assertArchiveError("\(sample.name), \(count) bytes") {
          try sample.read(Array(sample.bytes[..<count]))
        }
      }
    }
  }

  func testEverySingleBitFlipIsRefused() throws {
    for sample in try samples() + samples(.zlib) {
      let bits = stride(from: 0, to: sample.bytes.count * 8, by: sample.name == "people" ? 1 : 13)
      for bit in RandomTrials.sample(of: bits, oneIn: 8) {
        assertArchiveError("\(sample.name), bit \(bit)") { try sample.read(sample.bytes.flipping(bit: bit)) }
      }
    }
  }

  func testBitFlipsWithValidChecksumsDoNotCrash() throws {
    for sample in try samples() + samples(.zlib) {
      let bits = stride(from: 0, to: sample.bytes.count * 8, by: sample.name == "people" ? 5 : 41)
      for bit in RandomTrials.sample(of: bits, oneIn: 40) {
        let bytes = HandMadeArchive.sealed(sample.bytes.flipping(bit: bit))
        assertArchiveErrorOrSuccess("\(sample.name), bit \(bit)") { try sample.read(bytes) }
      }
    }
  }

  func testRandomChangesWithValidChecksumsDoNotCrash() throws {
    let seed = RandomTrials.seed()
    let roundCount = RandomTrials.count(usually: 100, exhaustively: 600)
    var mutator = ArchiveMutator(seed: seed)
    for sample in try samples() {
      for round in 0..<roundCount {
        let bytes = mutator.changed(sample.bytes)
        assertArchiveErrorOrSuccess("\(sample.name), seed \(seed), round \(round)") { try sample.read(bytes) }
      }
    }
  }

  func testGoodFileIsReadAfterBadFiles() throws {
    let bytes = try Archiver().archive(contacts())
    let unarchiver = Unarchiver()
    for count in 0..<bytes.count { _ = try? unarchiver.unarchive(Contact.self, from: Array(bytes[..<count])) }
    XCTAssertEqual(try unarchiver.unarchive(Contact.self, from: bytes).next?.name, "b")
  }

  private func assertArchiveError(_ what: @autoclosure () -> String, _ body: () throws -> Void) {
    do {
      try body()
      XCTFail("\(what()) was read")
    } catch is ArchiveError {
    } catch {
      XCTFail("\(what()): \(error)")
    }
  }

  private func assertArchiveErrorOrSuccess(_ what: @autoclosure () -> String, _ body: () throws -> Void) {
    do { try body() } catch is ArchiveError {} catch { XCTFail("\(what()): \(error)") }
  }

  // MARK: File against program

  func testUnknownClassAndWrongRootAreRefused() throws {
    let people = people()
    defer { try? ObjectGraph.release(people) }
    let bytes = try Archiver().archive(people)
    assertThrows(.unknownClass, "'Employee'") {
      try Unarchiver(classes: ClassTable(scope: .declared)).unarchive([Person].self, from: bytes)
    }
    assertThrows(.typeMismatch, "key 'root'") { try Unarchiver().unarchive(Person.self, from: bytes) }
    assertThrows(.missingRoot, "'main'") {
      try Unarchiver().unarchive(Person.self, from: bytes, root: "main")
    }
  }

  func testErrorNamesTheMissingFile() {
    assertThrows(.fileSystem, "nowhere.arc") {
      try Unarchiver().read(ChainNode.self, from: URL(fileURLWithPath: "/nowhere.arc"))
    }
  }
}
