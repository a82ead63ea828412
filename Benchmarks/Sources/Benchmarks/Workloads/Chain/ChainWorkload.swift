import SwiftProtobuf

/// A chain of objects: the deepest possible graph, which overflows the stack of every recursive archiver.
struct ChainWorkload: Workload {
  static let name = "chain"
  static let fullCount = 1_000_000

  private let count: Int
  private let values: Lazily<[Int]>
  private let chain: Lazily<[ChainNode]>

  init(count: Int) {
    self.count = count
    let values = Lazily { Self.values(count) }
    self.values = values
    chain = Lazily(dismantle: Self.dismantle) { Self.rebuild(try values.value()) }
  }

  private static func values(_ count: Int) -> [Int] {
    var random = SeededGenerator(seed: 3)
    return (0..<count).map { _ in Int.random(in: 0..<1_000_000, using: &random) }
  }

  var contenders: [Contender] {
    let plainChain = Lazily(dismantle: PlainChainNode.dismantle) { [values] in
      PlainChainNode.chain(try values.value())
    }
    return
      ArcSubject(graph: chain, objectCount: count, dismantle: Self.dismantle).contenders
      + Contender.walk(chain, objectCount: count)
      + Contender.walk(plainChain, objectCount: count, suffix: ", plain")
      + [
        .plainWalk(chain, objectCount: count),
        .rebuild(values, objectCount: count, dismantle: Self.dismantle) { Self.rebuild($0) },
        .naiveClone(chain, objectCount: count, dismantle: Self.dismantle) { chain in
          var clones: [ObjectIdentifier: ChainNode] = [:]
          return chain.map { $0.clone(&clones) }
        },
      ] + peers
  }

  /// The nested chain is too deep for coders of values, so the peers get a table.
  private var peers: [Contender] {
    let remark = "a table of nodes, links as indices"
    let fewer = min(count, 50_000)
    let records = Lazily {
      Self.values(fewer).enumerated().map { ChainRecord(value: $1, next: $0 + 1 < fewer ? $0 + 1 : nil) }
    }
    let message = Lazily { [count] in
      ProtoChain.with { chain in
        chain.nodes = Self.values(count).enumerated().map { index, value in
          ProtoChainNode.with {
            $0.value = Int64(value)
            $0.next = index + 1 < count ? Int32(index + 1) : -1
          }
        }
      }
    }
    return Contender.codable(records, objectCount: fewer, remark: remark)
      + Contender.protobuf(message, objectCount: count, remark: remark)
  }

  /// Allocates the nodes in order, and links each node to the previous node immediately.
  private static func rebuild(_ values: [Int]) -> [ChainNode] {
    guard let first = values.first else { return [] }
    let head = ChainNode(value: first)
    var tail = head
    for value in values.dropFirst() {
      let node = ChainNode(value: value)
      tail.next = node
      tail = node
    }
    return [head]
  }

  /// Frees the nodes one by one, because releasing the head would recurse a million times.
  static func dismantle(_ chain: [ChainNode]) {
    var node = chain.first
    while let next = node?.next {
      node?.next = nil
      node = next
    }
  }
}

/// A node for coders of values.
struct ChainRecord: Codable, Equatable {
  let value: Int
  let next: Int?
}

extension ChainNode {
  /// Returns a copy of this node and all later nodes, by recursion.
  func clone(_ clones: inout [ObjectIdentifier: ChainNode]) -> ChainNode {
    if let clone = clones[ObjectIdentifier(self)] { return clone }
    let clone = ChainNode(value: value)
    clones[ObjectIdentifier(self)] = clone
    clone.next = next?.clone(&clones)
    return clone
  }
}
