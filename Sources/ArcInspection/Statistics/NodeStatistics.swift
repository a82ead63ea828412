import ArcFormat

/// The statistics of the values of a property, or of values nested in a property.
struct NodeStatistics {
  /// The name of the property, followed by the path to nested values: `friends[]`, `scores.keys`, `point.x`.
  let label: String
  /// The index of the column in its class.
  let column: Int
  /// Whether the node is the property itself, not a nested value.
  let isProperty: Bool
  /// The kind of the values.
  var kind: ColumnKind
  /// The number of values, including nil.
  var valueCount = 0
  /// The number of optionals and references that are nil.
  var nilCount = 0
  /// The size of the values in the segments before compression, in bytes.
  var storedByteCount = 0
  /// The size of the values if each value were stored by itself, without packing, in bytes.
  var plainByteCount = 0
  /// The number of chunks per encoding.
  var chunkCounts: [String: Int] = [:]
  /// The lengths of collections in elements, or of strings and data in bytes. Nil if the values have another
  /// kind, or if there are no values.
  var lengths: Lengths?
  /// The distinct values. Incomplete if there were too many.
  var distinct = DistinctValues()

  /// The minimum, maximum and sum of lengths.
  struct Lengths {
    var least: Int
    var greatest: Int
    var total: Int

    /// Adds a length to `lengths`, which is nil before the first length is added.
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

/// The distinct values of a node, compared by their 64-bit hashes.
struct DistinctValues {
  private var hashes: Set<Int> = []
  /// Whether there may be more distinct values than `count`, because not all values could be stored.
  private(set) var isIncomplete = false

  /// The number of distinct values. A lower bound if `isIncomplete` is true.
  var count: Int { hashes.count }

  /// The number of further distinct values that can be stored. All nodes share this limit.
  struct Room {
    /// The number of distinct values that can still be stored. The initial number limits the memory to about
    /// 100 MB.
    var count = 1 << 22
  }

  /// Adds the hash of a value. If the hash is new but `room` is exhausted, only sets `isIncomplete`.
  mutating func add(_ hash: Int, _ room: inout Room) {
    guard !isIncomplete else { return }
    guard room.count > 0 else {
      isIncomplete = !hashes.contains(hash)
      return
    }
    if hashes.insert(hash).inserted { room.count -= 1 }
  }
}
