/// Objects that are about to be written, class by class.
///
/// Where objects of many classes alternate, their columns and their code drive each other out of the cache. So they
/// are written a class at a time: few enough at once that they themselves stay in the cache.
struct ClassGroups {
  /// Runs of one class that are not shorter are as good as groups.
  static let shortRunLength = 8
  /// With fewer objects there is little to gain.
  static let leastObjectCount = 64
  static let greatestObjectCount = 1024

  /// The positions of the objects are `first` and those that follow.
  private var first = 0
  private var classIndices: [Int] = []
  /// For each class how many of the objects are of it, and when they are ordered, where its part of `ordered` ends.
  private var ends: [Int] = []
  private var ordered: [Int] = []

  mutating func removeAll() {
    classIndices.removeAll(keepingCapacity: true)
    for index in ends.indices { ends[index] = 0 }
  }

  /// Adds the next object.
  mutating func add(_ position: Int, classIndex: Int) {
    if classIndices.isEmpty { first = position }
    classIndices.append(classIndex)
    if classIndex >= ends.count {
      ends.append(contentsOf: repeatElement(0, count: classIndex + 1 - ends.count))
    }
    ends[classIndex] += 1
  }

  /// Calls `body` for each class with the positions of its objects, in ascending order.
  mutating func forEachGroup(_ body: (ArraySlice<Int>) throws -> Void) rethrows {
    var start = 0
    for index in ends.indices { (ends[index], start) = (start, start + ends[index]) }
    if ordered.count < start { ordered.append(contentsOf: repeatElement(0, count: start - ordered.count)) }
    for (offset, classIndex) in classIndices.enumerated() {
      ordered[ends[classIndex]] = first + offset
      ends[classIndex] += 1
    }
    start = 0
    for end in ends where end > start {
      try body(ordered[start..<end])
      start = end
    }
  }

  /// Calls `body` for neighbouring objects of one class, in the order of positions.
  func forEachRun(_ body: (_ length: Int, _ classIndex: Int) throws -> Void) rethrows {
    var start = 0
    for offset in classIndices.indices.dropFirst() where classIndices[offset] != classIndices[start] {
      try body(offset - start, classIndices[start])
      start = offset
    }
    if start < classIndices.count { try body(classIndices.count - start, classIndices[start]) }
  }
}
