import ArcFormat
import ArcRuntime

/// Memory that a graph or a count in a command takes, counted against the limits of the file.
struct MemoryCharge {
  private let limit: Int
  private(set) var byteCount = 0

  init(_ limits: ArchiveLimits) { limit = limits.rawBytes }

  /// Throws `limitExceeded` if so many more bytes are too many. Spec: 07-limits, rule A2.
  mutating func add(_ count: Int, of stride: Int) throws(ArchiveError) {
    let bytes = count.multipliedReportingOverflow(by: stride)
    let sum = byteCount.addingReportingOverflow(bytes.partialValue)
    byteCount = bytes.overflow || sum.overflow ? .max : sum.partialValue
    try ArchiveLimits.check(byteCount, within: limit, "rawBytes")
  }
}

/// The references between all rows of a file, as numbers: row 0 is that of the roots.
///
///     let graph = try ReferenceGraph(file)
///     graph.forEachTarget(of: 1) { target, kind in … }
///
/// Takes 5 bytes a reference and 16 a row; `reversed()` as much again.
struct ReferenceGraph {
  /// What a reference does for its target.
  enum Kind: UInt8 {
    /// Keeps it.
    case strong
    /// Does not keep it, and is never nil.
    case unowned
    /// Does not keep it.
    case weak
  }

  /// The references of row r are at `starts[r]..<starts[r + 1]`.
  private var starts: [Int]
  private var targets: [UInt32]
  private var kinds: [UInt8]
  /// Bits that the values of each row take in plain columns; texts of the file's table count as their
  /// numbers.
  private(set) var bitCounts: [Int]

  /// Bytes that a row takes here, in the reverse, and in all that is made of both: ways, dominators, sets.
  private static let byteCountOfRow = 96

  /// The number of rows, row 0 included.
  var rowCount: Int { starts.count - 1 }
  /// The number of references that lead to objects.
  var referenceCount: Int { targets.count }

  private init(starts: [Int], targets: [UInt32], kinds: [UInt8], bitCounts: [Int]) {
    self.starts = starts
    self.targets = targets
    self.kinds = kinds
    self.bitCounts = bitCounts
  }

  /// Reads the references of a file a segment at a time.
  ///
  /// - Throws: what is wrong with the file, all of which is verified before; `limitExceeded` if there are
  ///   more references than fit.
  /// - Complexity: O(rows · columns + references).
  init(_ file: ArchiveFile) throws {
    try file.verify()
    var charge = MemoryCharge(file.limits)
    try charge.add(file.rowCount, of: Self.byteCountOfRow)
    var reader = ReferenceReader(file)
    starts = [0]
    starts.reserveCapacity(file.rowCount + 1)
    (targets, kinds, bitCounts) = ([], [], Array(repeating: 0, count: file.rowCount))
    for index in file.rowsSegments {
      let segment = try file.rows(inSegment: index)
      let found = try reader.read(segment, &charge)
      append(found, firstRow: segment.firstRow, rowCount: segment.rowCount)
      for (offset, count) in found.bitCounts.enumerated() where segment.firstRow + offset < bitCounts.count {
        bitCounts[segment.firstRow + offset] = count
      }
    }
  }

  /// Sorts the references of neighbouring rows by who has them.
  private mutating func append(_ found: ReferenceReader.Found, firstRow: Int, rowCount: Int) {
    var places = [Int](repeating: 0, count: rowCount + 1)
    for owner in found.owners { places[Int(owner) + 1] += 1 }
    let start = targets.count
    places[0] = start
    for row in 1..<places.count { places[row] += places[row - 1] }
    starts += places.dropFirst()
    targets += repeatElement(0, count: found.owners.count)
    kinds += repeatElement(0, count: found.owners.count)
    for (position, owner) in found.owners.enumerated() {
      let place = places[Int(owner)]
      places[Int(owner)] += 1
      targets[place] = found.targets[position]
      kinds[place] = found.kinds[position]
    }
  }

  /// The same references from their targets: the targets of a row are those who refer to it.
  ///
  /// - Complexity: O(rows + references).
  func reversed() -> ReferenceGraph {
    var places = [Int](repeating: 0, count: rowCount + 1)
    for target in targets { places[Int(target) + 1] += 1 }
    for row in 1..<max(places.count, 1) { places[row] += places[row - 1] }
    var reverse = ReferenceGraph(
      starts: places, targets: Array(repeating: 0, count: targets.count),
      kinds: Array(repeating: 0, count: targets.count), bitCounts: [])
    for row in 0..<rowCount {
      for reference in starts[row]..<starts[row + 1] {
        let place = places[Int(targets[reference])]
        places[Int(targets[reference])] += 1
        reverse.targets[place] = UInt32(truncatingIfNeeded: row)
        reverse.kinds[place] = kinds[reference]
      }
    }
    return reverse
  }

  /// Where the references of a row are: numbers for `target(_:)`.
  func references(of row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  /// The row that a reference leads to.
  func target(_ reference: Int) -> Int { Int(targets[reference]) }

  /// Whether a reference keeps its target.
  func isStrong(_ reference: Int) -> Bool { kinds[reference] == Kind.strong.rawValue }

  /// What a reference does for its target.
  func kind(_ reference: Int) -> Kind { Kind(rawValue: kinds[reference]) ?? .strong }

  /// Calls `body` with each row that a strong reference of a row leads to.
  @inline(__always) func forEachOwned(by row: Int, _ body: (Int) -> Void) {
    for reference in starts[row]..<starts[row + 1] where kinds[reference] == Kind.strong.rawValue {
      body(Int(targets[reference]))
    }
  }
}
