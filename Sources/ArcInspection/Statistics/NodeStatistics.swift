import ArcFormat

/// What was counted of the values of a property, or of what is nested in it.
struct NodeStatistics {
  /// The name of the property, and the way to what is nested in it: `friends[]`, `scores.keys`, `point.x`.
  let label: String
  /// The index of the column in its class, and whether this is the property itself.
  let column: Int
  let isProperty: Bool
  /// What the values are.
  var kind: ColumnKind
  /// All values, nil included.
  var valueCount = 0
  /// Optionals without a value, and references to nothing.
  var nilCount = 0
  /// Bytes in the segments before compression, and what they would be if each value stood for itself.
  var storedByteCount = 0
  var plainByteCount = 0
  /// How many chunks there are of each encoding.
  var chunkCounts: [String: Int] = [:]
  /// Elements of collections, and bytes of texts and data; nil for other values, and where there is none.
  var lengths: Lengths?
  /// Different values, as far as they were counted.
  var distinct = DistinctValues()

  /// Lengths of several values.
  struct Lengths {
    var least: Int
    var greatest: Int
    var total: Int

    /// Adds a length to others.
    static func add(_ length: Int, to lengths: inout Lengths?) {
      let old = lengths ?? Lengths(least: length, greatest: length, total: 0)
      lengths = Lengths(
        least: min(old.least, length), greatest: max(old.greatest, length), total: old.total &+ length)
    }
  }

  /// Whether the distinct values are counted.
  var isCounted: Bool {
    switch kind {
    case .optional, .array, .set, .dictionary, .structure, .url: false
    default: true
    }
  }
}

/// Different values of a node, by hashes of 64 bits.
struct DistinctValues {
  private var hashes: Set<Int> = []
  /// Whether there may be more values than were counted.
  private(set) var isIncomplete = false

  /// The number of different values, at least.
  var count: Int { hashes.count }

  /// Memory for the values of all nodes together, in values.
  struct Room {
    /// How many more there is room for: some 100 MB at first.
    var count = 1 << 22
  }

  /// Adds a value, unless there is no more room.
  mutating func add(_ hash: Int, _ room: inout Room) {
    guard !isIncomplete else { return }
    guard room.count > 0 else {
      isIncomplete = !hashes.contains(hash)
      return
    }
    if hashes.insert(hash).inserted { room.count -= 1 }
  }
}
