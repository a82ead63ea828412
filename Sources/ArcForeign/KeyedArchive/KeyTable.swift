import ArcRuntime

/// Numbers the keys of dictionaries in a property list, so that the key in each node is decoded once.
struct KeyTable {
  private(set) var keys: [String] = []
  private var numbers: [ExactName: Int] = [:]
  /// The number of the key in each node. -1 if the node has not been decoded.
  private var numberOfNode: [Int32]

  init(nodeCount: Int) { numberOfNode = Array(repeating: -1, count: nodeCount) }

  /// Returns the number of a key. Adds the key if it is new.
  mutating func number(of key: String) -> Int {
    if let known = numbers[ExactName(key)] { return known }
    numbers[ExactName(key)] = keys.count
    keys.append(key)
    return keys.count - 1
  }

  /// Returns the number of the key in a node. Nil if the node is not a string.
  mutating func number(ofNode node: Int, in list: PropertyList) -> Int? {
    if node >= numberOfNode.count {
      numberOfNode += Array(repeating: -1, count: list.nodes.count - numberOfNode.count)
    }
    if numberOfNode[node] >= 0 { return Int(numberOfNode[node]) }
    guard let text = list.string(node) else { return nil }
    let number = number(of: text)
    numberOfNode[node] = Int32(truncatingIfNeeded: number)
    return number
  }
}

/// The keys of one object with the nodes of their values, in the order of the file.
struct KeyedMembers {
  let items: [(key: Int, node: Int)]

  subscript(key: Int) -> Int? { items.first { $0.key == key }?.node }

  /// Reads the members of a dictionary. Returns nil if the node is not a dictionary.
  ///
  /// Throws if two keys are equal, because two readers could then use different values for the key.
  init?(_ list: PropertyList, _ node: Int, _ table: inout KeyTable) throws(ImportError) {
    guard let (keys, values) = list.entries(node) else { return nil }
    var items: [(key: Int, node: Int)] = []
    items.reserveCapacity(keys.count)
    var seen: Set<Int> = []
    for (keyNode, valueNode) in zip(keys, values) {
      guard let key = table.number(ofNode: Int(keyNode), in: list) else {
        throw ImportError(
          .malformedPropertyList, found: "\(list.words(Int(keyNode))) as a key",
          expected: "a string as a key",
          byteOffset: list.byteOffsets[node])
      }
      let isNew = keys.count > 8 ? seen.insert(key).inserted : !items.contains { $0.key == key }
      guard isNew else {
        throw ImportError(
          .duplicateKey, found: "two equal keys in a dictionary", expected: "distinct keys",
          byteOffset: list.byteOffsets[node], key: table.keys[key])
      }
      items.append((key, Int(valueNode)))
    }
    self.items = items
  }
}
