import ArcRuntime

/// The keys of dictionaries in a property list as numbers: each text is read once.
struct KeyTable {
  private(set) var keys: [String] = []
  private var numbers: [ExactName: Int] = [:]
  /// For each node its number; -1 if it was not asked for.
  private var numberOfNode: [Int32]

  init(nodeCount: Int) { numberOfNode = Array(repeating: -1, count: nodeCount) }

  /// The number of a key.
  mutating func number(of key: String) -> Int {
    if let known = numbers[ExactName(key)] { return known }
    numbers[ExactName(key)] = keys.count
    keys.append(key)
    return keys.count - 1
  }

  /// The number of the key in a node; nil if that is no string.
  mutating func number(ofNode node: Int, in list: PropertyList) -> Int? {
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

  /// The node of a key; nil if there is none.
  subscript(key: Int) -> Int? { items.first { $0.key == key }?.node }

  /// Reads the keys of a dictionary; nil if a node is none. Two equal keys are refused: readers would differ
  /// in which of them counts.
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
