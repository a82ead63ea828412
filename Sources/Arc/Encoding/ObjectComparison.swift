import ArcFormat

/// A key that was encoded to be compared.
struct EncodedKey {
  /// The bytes that it is compared by.
  let values: ComparableValues
  private let copy: ColumnValues
  private let columns: ColumnWriterSet

  /// Copies a key from the columns that it was encoded to, before they are used for the next one.
  init(_ columns: ColumnWriterSet) {
    values = columns.comparableValues()
    copy = columns.copyOfValues()
    self.columns = columns
  }

  /// Appends the key to a column that is only compared.
  func append(to column: ColumnWriter) { columns.append(copy, to: column) }
}

/// What an object is compared by, and where its references lead.
struct ComparableFace {
  let values: ComparableValues
  let edges: [ObjectComparison.Edge]
  /// Whether references may be at other positions under other ranks.
  let dependsOnRanks: Bool

  init(_ values: ComparableValues, _ comparison: ObjectComparison?) {
    self.values = values
    edges = comparison?.edges ?? []
    dependsOnRanks = comparison?.dependsOnRanks ?? false
  }
}

/// What references count as while objects are compared with each other, and where they lead.
struct ObjectComparison {
  /// A reference of the object that is encoded.
  struct Edge: Hashable {
    /// The row that it leads to.
    let target: Int
    /// Which of the object's references it is. References in elements that nothing tells apart share one
    /// position.
    let position: Int
  }

  /// What a reference counts as, by row.
  let numbers: [UInt32]
  /// The references so far; nil while they are not needed.
  var edges: [Edge]?
  /// The position of the next reference.
  var nextPosition = 0
  /// Whether a reference may be at another position under other ranks.
  var dependsOnRanks = false

  init(numbers: [UInt32], edges: [Edge]?) {
    self.numbers = numbers
    self.edges = edges
  }

  func number(ofRow row: UInt32) -> UInt32 { Int(row) < numbers.count ? numbers[Int(row)] : 0 }

  mutating func note(_ row: UInt32) {
    guard edges != nil else { return }
    if row != 0 { edges?.append(Edge(target: Int(row), position: nextPosition)) }
    nextPosition += 1
  }
}
