import Arc
import ArcModel
import ArcTestSupport
import XCTest

/// Writing objects with several references as marked objects.
final class ReferenceWritingTests: XCTestCase {
  private let writer = ModelWriter(references: .marked)
  private let reader = ModelReader(references: .marked)

  func testOnlyRepeatedlyReferencedObjectsGetReferenceMarks() throws {
    let (a, b, c) = (RefsPerson("a"), RefsPerson("b"), RefsPerson("c"))
    (a.friend, a.friends) = (b, [b, c])
    (b.friend, c.friend) = (c, RefsPerson("d"))
    XCTAssertEqual(
      try writer.text(of: a),
      """
      {"name":"a","friend":{"$id":"1","name":"b","friend":{"$id":"2","name":"c","friend":{"name":"d",\
      "friends":[],"byName":{}},"friends":[],"byName":{}},"friends":[],"byName":{}},"friends":[{"$ref":"1"},\
      {"$ref":"2"}],"byName":{}}
      """)
    XCTAssertEqual(
      try writer.text(of: [c.friend]), "[{\"name\":\"d\",\"friends\":[],\"byName\":{}}]")
  }

  func testReferenceCyclesRoundTrip() throws {
    let (a, b) = (RefsBoss("a"), RefsPerson("b"))
    (a.friend, b.friend, a.friends, a.observed) = (a, a, [a, b, a], a)
    (a.staff, b.byName, b.parent) = ([a], ["a": a, "b": b], a)
    a.deputy = RefsDeputy(boss: a)
    for writer in [writer, ModelWriter(isPretty: true, sortsKeys: true, references: .marked)] {
      let text = try writer.text(of: a)
      let read = try reader.read(RefsBoss.self, from: text)
      XCTAssertNil(read.deputy?.boss.friends[1].parent, "weak properties are not read")
      read.friends[1].parent = read
      XCTAssertTrue(try ObjectGraph.isIsomorphic(a, read), "\(text)")
      try ObjectGraph.release(read)
    }
    XCTAssertThrowsError(try ModelWriter().text(of: a)) {
      XCTAssertEqual(($0 as? ModelWritingError)?.code, .cycle)
    }
    try ObjectGraph.release(a)
  }

  func testReusedWriterWritesEqualText() throws {
    let a = RefsPerson("a")
    a.friend = a
    let text = try writer.text(of: [a])
    XCTAssertEqual(try writer.text(of: [a]), text)
    XCTAssertEqual(try writer.text(of: [RefsPerson("b")]), "[{\"name\":\"b\",\"friends\":[],\"byName\":{}}]")
    XCTAssertThrowsError(try ModelWriter(references: .marked, maximumDepth: 1).text(of: a))
    a.friend = nil
  }

  func testMemberNamedLikeAReferenceMarkIsRefused() throws {
    XCTAssertEqual(try ModelWriter().text(of: RefsNamed()), "{\"$id\":\"\"}")
    XCTAssertThrowsError(try writer.text(of: RefsNamed())) {
      XCTAssertEqual(($0 as? ModelWritingError)?.code, .duplicateName)
    }
  }

  func testRepeatedValuesGetNoReferenceMarks() throws {
    let hold = Hold()
    let timber = Timber()
    (hold.main, hold.all) = (Sack(), [timber, Sack(), timber])
    XCTAssertEqual(
      try writer.text(of: hold),
      "{\"main\":{\"weight\":2},\"all\":[{\"$id\":\"1\",\"beams\":3},{\"weight\":2},{\"$ref\":\"1\"}],\"extra\":{}}"
    )
  }

  func testSharedObjectsInsideValuesGetReferenceMarks() throws {
    let person = RefsPerson("p")
    let holder = RefsHolder()
    (holder.plain, holder.tagged) = (.person(person), .pair(person, second: person))
    (holder.pair, holder.keyed) = ((person, 1), [person: 2])
    let text = try writer.text(of: holder)
    XCTAssertEqual(text.components(separatedBy: "{\"$ref\":\"1\"}").count, 5, text)
    let read = try reader.read(RefsHolder.self, from: text)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(holder, read))
  }

  func testObjectThatChangesItsMembersIsWrittenOnce() throws {
    let message = RefsMessage()
    message.answer = message
    let value = try writer.value(of: message)
    XCTAssertEqual(message.askedCount, 1)
    XCTAssertEqual(value["answer"], ["$ref": "1"])
    XCTAssertEqual(value["$id"], "1")
    XCTAssertEqual(value["changed"], true)
    message.answer = nil
  }

  func testRandomGraphsStayIsomorphicAfterRoundTrip() throws {
    let seed = RandomTrials.seed()
    var random = SplitMix64(seed: seed)
    let writers = [
      writer, ModelWriter(isPretty: true, references: .marked),
      ModelWriter(sortsKeys: true, references: .marked),
      ModelWriter(naming: .snakeCase, nulls: .written, references: .marked),
    ]
    for trial in 0..<RandomTrials.count(usually: 20, exhaustively: 200) {
      let nodes = randomNodes(&random)
      let writer = writers[trial % writers.count]
      let text = try writer.text(of: nodes)
      for mode in [ModelReader.Mode.strict, .lenient] {
        let (read, issues) = try ModelReader(mode, naming: writer.naming, references: .marked)
          .readWithIssues([RefsNode].self, from: text)
        guard try issues.isEmpty && ObjectGraph.isIsomorphic(nodes, read) else {
          return XCTFail(
            "\(issues) \(try ObjectGraph.difference(between: nodes, and: read).map { "\($0)" } ?? ""), seed \(seed)"
          )
        }
        try ObjectGraph.release(read)
      }
      try ObjectGraph.release(nodes)
    }
  }

  private func randomNodes(_ random: inout SplitMix64) -> [RefsNode] {
    var nodes: [RefsNode] = []
    func chance() -> Bool { Bool.random(using: &random) }
    func any() -> RefsNode { nodes[Int.random(in: nodes.indices, using: &random)] }
    func some() -> [RefsNode] { (0..<Int.random(in: 0...3, using: &random)).map { _ in any() } }
    for number in 0..<Int.random(in: 1...8, using: &random) {
      nodes.append(
        number == 0
          ? RefsNode(0, base: nil, bases: [])
          : RefsNode(number, base: chance() ? any() : nil, bases: chance() ? some() : []))
    }
    for node in nodes {
      if chance() { (node.next, node.observed) = (any(), any()) }
      if chance() { node.list = some().map { chance() ? $0 : nil } }
      if chance() { node.named = ["a": some(), "$id": some()] }
      if chance() { (node.group, node.ranks) = (Set(some()), [any(): 3]) }
      if chance() { node.nodeCase = chance() ? .node(any()) : .deep(.node(any()), chance() ? any() : nil) }
      if chance() { (node.pair, node.part.node) = ((any(), 1), any()) }
    }
    return nodes.shuffled(using: &random)
  }

  // MARK: Crafted JSON

  func testDamagedTextWithReferencesGivesErrorOrValue() throws {
    var random = SplitMix64(seed: 7)
    let short =
      "[{\"$id\":\"1\",\"number\":1,\"next\":{\"$ref\":\"2\"}},{\"$id\":\"2\",\"number\":2,\"back\":{\"$ref\":\"1\"}}]"
    for (text, step) in [(short, 16), (try writer.text(of: randomNodes(&random)), 100)] {
      let bytes = Array(text.utf8)
      for length in RandomTrials.sample(of: bytes.indices, oneIn: step) {
        try readOrRefuse(Array(bytes.prefix(length)))
      }
      for index in RandomTrials.sample(of: bytes.indices, oneIn: step) {
        for byte in [
          bytes[index] ^ 1, UInt8(ascii: "1"), UInt8(ascii: "}"),
        ] {
          var changed = bytes
          changed[index] = byte
          try readOrRefuse(changed)
        }
      }
    }
  }

  private func readOrRefuse(_ bytes: [UInt8]) throws {
    for mode in [ModelReader.Mode.strict, .lenient] {
      let reader = ModelReader(mode, references: .marked)
      if let links = try? reader.read([RefsLink].self, from: bytes) { try ObjectGraph.release(links) }
      if let nodes = try? reader.read([RefsNode].self, from: bytes) { try ObjectGraph.release(nodes) }
    }
  }
}
