import Arc
import ArcTestSupport

/// An object with a column of each kind in which graphs can have a late difference.
@Archivable final class LateNode {
  var number = 0
  var small: Int8 = 0
  var ratio = 0.5
  var isOn = false
  var name = ""
  var note: String?
  var numbers: [Int] = []
  var words: [String] = []
  var tags: Set<String> = []
  var counts: [String: Int] = [:]
  var shape = LateShape.none
  var pair = LatePair()
  var left: LateNode?
  var children: [LateNode] = []
  weak var boss: LateNode?

  init(_ number: Int = 0) { self.number = number }
}

@Archivable final class LateLeaf {
  var text: String
  init(_ text: String) { self.text = text }
}

@Archivable struct LatePair {
  var one = 0
  var node: LateNode?
  var leaf: LateLeaf?
}

@Archivable enum LateShape {
  case none
  case number(Int)
  case named(String, by: LateNode?)
  indirect case nested([LateShape])
}

extension LateNode {
  /// Changes a random value, or nothing.
  func change(_ others: [LateNode], _ random: inout SplitMix64) {
    switch Int.random(in: 0..<18, using: &random) {
    case 0: number += [1, 1000, -70_000].randomElement(using: &random) ?? 1
    case 1: small &+= 1
    case 2: ratio = -ratio
    case 3: isOn.toggle()
    case 4: name = others.randomElement(using: &random)?.name ?? "new"
    case 5: note = note == nil ? "new" : nil
    case 6: numbers.append(7)
    case 7: numbers.reverse()
    case 8: words = words.isEmpty ? ["new"] : Array(words.dropLast())
    case 9: tags.formSymmetricDifference(["a", "new"])
    case 10: counts["a", default: 0] += 1
    case 11: shape = .named("new", by: others.randomElement(using: &random))
    case 12: shape = .nested([.number(1), shape])
    case 13: pair.node = others.randomElement(using: &random)
    case 14: left = others.randomElement(using: &random)
    case 15: children.append(others.randomElement(using: &random) ?? self)
    case 16: boss = others.randomElement(using: &random)
    default: pair.leaf = LateLeaf("leaf")
    }
  }

  /// Returns the nodes of a connected graph with random values and references.
  static func random(_ random: inout SplitMix64) -> [LateNode] {
    let nodes = (0..<Int.random(in: 1..<60, using: &random)).map { LateNode($0) }
    let texts = ["a", "b", "name", "a longer name", "\u{E9}", ""]
    for (index, node) in nodes.enumerated() {
      if index > 0 { nodes[Int.random(in: max(0, index - 9)..<index, using: &random)].children.append(node) }
      node.name = texts.randomElement(using: &random) ?? ""
      if Bool.random(using: &random) { node.note = "note \(index)" }
      node.numbers = (0..<Int.random(in: 0..<4, using: &random)).map { $0 * index }
      node.words = (0..<Int.random(in: 0..<3, using: &random)).map { texts[$0] + node.name }
      node.tags = Set(node.words)
      node.counts = Dictionary(node.words.map { ($0, $0.utf8.count) }, uniquingKeysWith: +)
      for _ in 0..<Int.random(in: 0..<3, using: &random) { node.change(nodes, &random) }
    }
    return nodes
  }
}
