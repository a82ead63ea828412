import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Graphs of objects that differ only in their references.
final class LookAlikeTests: XCTestCase {
  // MARK: Shapes

  /// The targets of each vertex.
  private typealias Shape = [[Int]]

  private func undirected(_ count: Int, _ edges: [(Int, Int)]) -> Shape {
    var shape = Shape(repeating: [], count: count)
    for (one, other) in edges {
      shape[one].append(other)
      shape[other].append(one)
    }
    return shape
  }

  private func ring(_ count: Int, from first: Int = 0) -> [(Int, Int)] {
    (0..<count).map { (first + $0, first + ($0 + 1) % count) }
  }

  private func prism(_ count: Int) -> Shape {
    undirected(2 * count, ring(count) + ring(count, from: count) + (0..<count).map { ($0, count + $0) })
  }

  private func grid(_ width: Int, _ height: Int) -> Shape {
    var edges: [(Int, Int)] = []
    for y in 0..<height {
      for x in 0..<width {
        if x > 0 { edges.append((y * width + x - 1, y * width + x)) }
        if y > 0 { edges.append(((y - 1) * width + x, y * width + x)) }
      }
    }
    return undirected(width * height, edges)
  }

  private var petersen: Shape {
    undirected(10, ring(5) + (0..<5).map { ($0, $0 + 5) } + (0..<5).map { ($0 + 5, ($0 + 2) % 5 + 5) })
  }

  /// Returns the vertices of a 4-by-4 square, with edges by a rule.
  private func square(_ areNeighbours: (_ dx: Int, _ dy: Int) -> Bool) -> Shape {
    (0..<16).map { one in
      (0..<16).filter { other in
        one != other && areNeighbours((other % 4 - one % 4 + 4) % 4, (other / 4 - one / 4 + 4) % 4)
      }
    }
  }

  private func randomRegular(_ count: Int, _ degree: Int) -> Shape {
    while true {
      let ends = (0..<count * degree).map { $0 / degree }.shuffled()
      let pairs = stride(from: 0, to: ends.count, by: 2).map { (ends[$0], ends[$0 + 1]) }
      let shape = undirected(count, pairs)
      if shape.enumerated().allSatisfy({ $1.count == Set($1).count && !$1.contains($0) }) { return shape }
    }
  }

  // MARK: Graphs

  /// The kind of references of vertices.
  private enum Holding: CaseIterable {
    case set, keys, values, lists, sets, constant, unowned
  }

  /// Returns a graph of a shape as the set of its vertices, which is the root. The vertices are created in a
  /// random order.
  private func graph(_ shape: Shape, _ holding: Holding) -> Set<LookAlike> {
    var made = [LookAlike?](repeating: nil, count: shape.count)
    for index in shape.indices.shuffled() {
      made[index] = holding == .constant ? ConstantLookAlike([LookAlike("")]) : LookAlike("")
    }
    let vertices = made.compactMap { $0 }
    for index in shape.indices.shuffled() {
      let targets = shape[index].shuffled().map { vertices[$0] }
      let vertex = vertices[index]
      switch holding {
      case .set, .constant: vertex.peers = Set(targets)
      case .keys: vertex.weights = Dictionary(uniqueKeysWithValues: targets.map { ($0, 1) })
      case .values:
        vertex.routes = Dictionary(uniqueKeysWithValues: targets.map { ($0, vertices[shape[index][0]]) })
      case .lists: vertex.lists = Set(targets.map { [$0, vertex] })
      case .sets: vertex.sets = Set(targets.map { [$0, vertex] })
      case .unowned:
        vertex.links = Set(
          targets.map {
            let link = LookAlike("")
            (link.owner, link.partner) = ($0, vertex)
            return link
          })
      }
    }
    return Set(vertices.shuffled())
  }

  private let archiver = Archiver(isCanonical: true)

  private func form(_ vertices: Set<LookAlike>) throws -> [UInt8] {
    defer { for vertex in vertices { vertex.clear() } }
    return try archiver.archive(vertices)
  }

  private func areIsomorphic(_ one: Set<LookAlike>, _ other: Set<LookAlike>) throws -> Bool {
    defer { for vertex in one.union(other) { vertex.clear() } }
    let areSame = try ObjectGraph.isIsomorphic(one, other)
    XCTAssertEqual(try ObjectGraph.difference(between: one, and: other) == nil, areSame)
    return areSame
  }

  // MARK: Tests

  func testIndistinguishableObjectsHaveOneCanonicalForm() throws {
    var shapes: [Shape] = (3...12).map { undirected($0, ring($0)) }
    shapes += (3...12).map { count in (0..<count).map { [($0 + 1) % count] } }
    shapes += (3...6).map(prism)
    shapes += [petersen, grid(2, 3), grid(3, 3), grid(4, 3), undirected(6, ring(3) + ring(3, from: 3))]
    shapes.append(undirected(6, (0..<9).map { ($0 / 3, 3 + $0 % 3) }))
    shapes.append(undirected(5, (0..<6).map { ($0 / 3, 2 + $0 % 3) }))
    shapes.append((0..<5).map { one in (0..<5).filter { $0 != one } })
    shapes += [randomRegular(8, 3), randomRegular(10, 3), randomRegular(7, 4), randomRegular(12, 3)]
    let formCount = RandomTrials.size(usually: 3, exhaustively: 6)
    var trials = TrialSample(oneIn: 20)
    for shape in shapes {
      for holding in Holding.allCases where trials.includesNext() {
        let forms = try Set((0..<formCount).map { _ in try form(graph(shape, holding)) })
        XCTAssertEqual(forms.count, 1, "\(shape), \(holding)")
      }
      guard trials.includesNext() else { continue }
      XCTAssertTrue(try areIsomorphic(graph(shape, .set), graph(shape, .set)), "\(shape)")
    }
  }

  func testNonisomorphicGraphsOfEqualDegreesAreUnequal() throws {
    let pairs: [(Shape, Shape)] = [
      (undirected(6, ring(3) + ring(3, from: 3)), undirected(6, ring(6))),
      (undirected(8, ring(4) + ring(4, from: 4)), undirected(8, ring(8))),
      (undirected(9, ring(4) + ring(5, from: 4)), undirected(9, ring(3) + ring(6, from: 3))),
      (prism(3), undirected(6, (0..<9).map { ($0 / 3, 3 + $0 % 3) })),
      (prism(5), petersen),
      // The rook's graph and the Shrikhande graph, which are strongly regular with equal parameters.
      (
        square { ($0 == 0) != ($1 == 0) },
        square { ($0 == 0 && $1 % 2 == 1) || ($1 == 0 && $0 % 2 == 1) || ($0 == $1 && $0 % 2 == 1) }
      ),
    ]
    // At least one kind of references for each pair.
    var trials = TrialSample(oneIn: 4)
    for (one, other) in pairs {
      XCTAssertEqual(one.map(\.count), other.map(\.count))
      let isSmall = one.count < 12
      for holding in isSmall ? Holding.allCases : [.set] where !isSmall || trials.includesNext() {
        XCTAssertFalse(try areIsomorphic(graph(one, holding), graph(other, holding)), "\(one), \(holding)")
      }
    }
    let (one, other) = pairs[5]
    let formCount = RandomTrials.size(usually: 2, exhaustively: 3)
    for shape in RandomTrials.sample(of: [one, other], oneIn: 2) {
      XCTAssertEqual(try Set((0..<formCount).map { _ in try form(graph(shape, .set)) }).count, 1)
    }
  }

  func testRandomGraphComparisonAgreesWithTryingAllPermutations() throws {
    var counts = [true: 0, false: 0]
    for trial in 0..<RandomTrials.size(usually: 50, exhaustively: 300) {
      let count = Int.random(in: 2...6)
      let density = Int.random(in: 1...4)
      let one: Shape =
        trial % 3 == 0 && count > 3
        ? undirected(count, ring(count))
        : (0..<count).map { vertex in (0..<count).filter { _ in Int.random(in: 0..<5) < density } }
      var other = one
      // Up to two edges are moved to other vertices.
      for _ in 0..<Int.random(in: 0...2) {
        let (from, to) = (Int.random(in: 0..<count), Int.random(in: 0..<count))
        guard let moved = other[from].randomElement(), !other[to].contains(moved) else { continue }
        other[from].removeAll { $0 == moved }
        other[to].append(moved)
      }
      let expected = Permutations.areIsomorphic(one, other)
      counts[expected, default: 0] += 1
      let holding = [Holding.set, .keys, .lists, .unowned][trial % 4]
      XCTAssertEqual(
        try areIsomorphic(graph(one, holding), graph(other, holding)), expected, "\(one) \(other) \(holding)")
    }
    // About a quarter of the trials change the graph.
    let fewest = RandomTrials.size(usually: 0, exhaustively: 30)
    XCTAssertGreaterThan(counts[true, default: 0], fewest)
    XCTAssertGreaterThan(counts[false, default: 0], fewest)
  }

  func testGraphWithTooManyInterchangeableObjectsIsRefused() throws {
    func ring(of count: Int) -> Set<LookAlike> { graph((0..<count).map { [($0 + 1) % count] }, .set) }
    XCTAssertEqual(try Set((0..<2).map { _ in try form(ring(of: 60)) }).count, 1)
    var messages: Set<String> = []
    for _ in 0..<RandomTrials.size(usually: 2, exhaustively: 3) {
      XCTAssertThrowsError(try form(ring(of: 1_500))) { messages.insert("\($0)") }
    }
    XCTAssertEqual(messages.count, 1)
    XCTAssertTrue(messages.first?.contains("with equal archived values as keys") ?? false, "\(messages)")
    XCTAssertNoThrow(try Archiver().archive(ring(of: 1_500)))
  }

  func testManyInterchangeableObjectsEncodeToSameBytes() throws {
    // Each connected piece of these graphs has only a few objects.
    func rings(_ count: Int) -> Set<LookAlike> {
      graph(undirected(6 * count, (0..<count).flatMap { ring(6, from: 6 * $0) }), .set)
    }
    let ringCount = RandomTrials.size(usually: 20, exhaustively: 100)
    XCTAssertEqual(try Set((0..<2).map { _ in try form(rings(ringCount)) }).count, 1)
    // As one connected piece, they would exceed the bound.
    let count = RandomTrials.size(usually: 1_200, exhaustively: 3_000)
    XCTAssertEqual(
      try Set((0..<2).map { _ in try form(Set((0..<count).map { _ in LookAlike("") })) }).count, 1)
  }

  func testSetsInLetPropertiesHaveOneCanonicalForm() throws {
    let forms = try (0..<20).map { _ in
      try archiver.archive(ConstantLookAlike((0..<6).map { LookAlike("\($0)") }.shuffled()))
    }
    XCTAssertEqual(Set(forms).count, 1)
  }

  func testExistentialDictionaryValuesStayWithTheirKeys() throws {
    let classes = ClassTable()
    try classes.register(LookAlikeMark.self)
    try classes.register(LookAlikesWithMarks.self)
    let numbers = (0..<8).map { "key \($0)" }
    for isOrdered in [true, false] {
      let marks = Dictionary(
        uniqueKeysWithValues: numbers.shuffled().map { ($0, LookAlikeMark(text: $0) as any LookAlikeNaming) })
      let first = LookAlike("")
      var byVertex: [LookAlike: any LookAlikeNaming] = [:]
      for name in ["a", "b", "c", "d"] { byVertex[LookAlike(name)] = LookAlikeMark(text: name) }
      let named = Dictionary(uniqueKeysWithValues: byVertex.keys.map { ($0.name, $0) })
      // Some keys have rows before the other keys.
      let vertices = isOrdered ? [] : ["c", "a"].compactMap { named[$0] }
      let root = LookAlikesWithMarks(vertices, [first, LookAlike("")], marks, byVertex)
      let copy = try Unarchiver(classes: classes).unarchive(
        LookAlikesWithMarks.self, from: archiver.archive(root))
      for (key, mark) in copy.marks { XCTAssertEqual(mark.text, key) }
      for (vertex, mark) in copy.byVertex { XCTAssertEqual(mark.text, vertex.name) }
      XCTAssertEqual(copy.marks.count, 8)
      XCTAssertEqual(copy.byVertex.count, 4)
      XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy))
    }
  }

  func testSimilarObjectsAreDistinguishedByExistentialValues() throws {
    func root(_ texts: [String]) -> LookAlikesWithMarks {
      LookAlikesWithMarks(
        [], [], [:],
        Dictionary(uniqueKeysWithValues: texts.shuffled().map { (LookAlike(""), LookAlikeMark(text: $0)) }))
    }
    XCTAssertEqual(try Set((0..<10).map { _ in try archiver.archive(root(["a", "b", "c"])) }).count, 1)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(root(["a", "b", "c"]), root(["a", "b", "c"])))
    XCTAssertFalse(try ObjectGraph.isIsomorphic(root(["a", "b", "c"]), root(["a", "b", "b"])))
  }
}

/// A comparison of graphs by all permutations of their vertices.
private enum Permutations {
  static func areIsomorphic(_ one: [[Int]], _ other: [[Int]]) -> Bool {
    let (one, other) = (one.map { Set($0) }, other.map { Set($0) })
    func isPossible(_ images: [Int]) -> Bool {
      if images.count == one.count { return true }
      let vertex = images.count
      return one.indices.contains { image in
        guard !images.contains(image), one[vertex].count == other[image].count else { return false }
        let extended = images + [image]
        return extended.indices.allSatisfy {
          one[vertex].contains($0) == other[image].contains(extended[$0])
            && one[$0].contains(vertex) == other[extended[$0]].contains(image)
        } && isPossible(extended)
      }
    }
    return isPossible([])
  }
}

@Archivable private class LookAlike: HashedByIdentity {
  var name: String
  var peers: Set<LookAlike> = []
  var weights: [LookAlike: Int] = [:]
  var routes: [LookAlike: LookAlike] = [:]
  var lists: Set<[LookAlike]> = []
  var sets: Set<Set<LookAlike>> = []
  var links: Set<LookAlike> = []
  unowned var owner: LookAlike?
  weak var partner: LookAlike?
  init(_ name: String) { self.name = name }

  /// Removes all references of the vertex.
  func clear() { (peers, weights, routes, lists, sets, links) = ([], [:], [:], [], [], []) }
}

@Archivable private final class ConstantLookAlike: LookAlike {
  let own: Set<LookAlike>
  init(_ own: [LookAlike]) {
    self.own = Set(own)
    super.init("")
  }
}

private protocol LookAlikeNaming { var text: String { get } }

@Archivable private struct LookAlikeMark: LookAlikeNaming {
  var text: String
}

@Archivable private final class LookAlikesWithMarks {
  let vertices: [LookAlike]
  let lookAlikes: Set<LookAlike>
  let marks: [String: any LookAlikeNaming]
  let byVertex: [LookAlike: any LookAlikeNaming]
  init(
    _ vertices: [LookAlike], _ lookAlikes: Set<LookAlike>, _ marks: [String: any LookAlikeNaming],
    _ byVertex: [LookAlike: any LookAlikeNaming]
  ) {
    (self.vertices, self.lookAlikes, self.marks, self.byVertex) = (vertices, lookAlikes, marks, byVertex)
  }
}
