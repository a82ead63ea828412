import ArcFormat
import ArcRuntime

/// Compares the graphs of two archives without their classes, beginning at the roots. Two objects correspond
/// if equal paths reach them.
///
/// An object of the first file and an object of the second file become partners when corresponding references
/// first reach them, in breadth-first order. From then on, a reference to one of them corresponds only to a
/// reference to the other. So the numbers of rows do not matter, and no function recurses over objects.
/// Numbers are compared bit by bit.
///
/// Elements of sets and keys of dictionaries that contain objects are matched by the contents of the objects.
/// Elements with equal contents are matched in the order of the files. In files in canonical form, this is
/// the order of the graph. Spec: 05-graph, sections 2 and 8.
package final class GraphComparison {
  let first: ArchiveFile
  let second: ArchiveFile
  /// The fingerprints of long strings of both files. Each string is read once.
  let texts = LongTexts()
  /// Returns whether the objects of a class of the first file are boxes of values.
  private let isBox: (_ classIndex: Int) -> Bool
  /// For each row of the first file, the row of its partner in the second file. `partnersOfSecond` is the
  /// inverse.
  private var partners: [UInt32]
  private var partnersOfSecond: [UInt32]
  /// For each row of the first file, the row from which it was first reached.
  private var parents: [UInt32]
  /// The rows of the first file in the order in which they were reached.
  private var reached: [UInt32] = []
  /// The rows with weak references to rows that were not reached yet.
  private var unsettled: [UInt32] = []
  /// Whether the targets of weak references become partners. True after all strong references have been
  /// followed.
  private var followsWeak = false
  /// The row of the first file that is compared now.
  private var current: UInt32 = 0

  /// The number that represents no row. Rows are less than 2^32 - 1.
  private static let noRow = UInt32.max

  /// Creates a comparison of two files. No other code may read the files during the comparison.
  package init(
    _ first: ArchiveFile, _ second: ArchiveFile, isBox: @escaping (_ classIndex: Int) -> Bool = { _ in false }
  ) {
    self.first = first
    self.second = second
    self.isBox = isBox
    partners = Array(repeating: Self.noRow, count: first.rowCount)
    partnersOfSecond = Array(repeating: Self.noRow, count: second.rowCount)
    parents = Array(repeating: Self.noRow, count: first.rowCount)
  }

  /// Returns the first differences, at most `limit`. Each pair of objects has at most one difference.
  ///
  /// Equal rows at the beginning of both files are not compared as objects, unless `skipsEqualRows` is false.
  ///
  /// - Throws: `ArchiveError` if a file is damaged; `limitExceeded` for values that nest too deeply.
  /// - Complexity: O(objects + values) time and memory.
  package func differences(atMost limit: Int, skipsEqualRows: Bool = true) throws -> [GraphDifference] {
    try StackExtension.traverse { try foundDifferences(atMost: limit, skipsEqualRows: skipsEqualRows) }
  }

  private func foundDifferences(atMost limit: Int, skipsEqualRows: Bool) throws -> [GraphDifference] {
    var differences: [GraphDifference] = []
    if try !skipsEqualRows || !pairEqualRows() { pair(0, 0) }
    var next = 0
    while differences.count < limit {
      if next < reached.count {
        current = reached[next]
        next += 1
      } else if let row = unsettled.popLast() {
        (current, followsWeak) = (row, true)
      } else {
        break
      }
      if let found = try compareCurrent() { differences.append(try difference(found)) }
    }
    return differences
  }

  /// Pairs the equal rows at the beginning of both files, and the rows to which these rows refer. Returns
  /// whether any rows were paired.
  private func pairEqualRows() throws -> Bool {
    let equal = EqualRows(first, second)
    guard equal.count > 0 else { return false }
    let (referrers, weak) = try equal.referrers()
    guard isNumberedAsReached(referrers[..<equal.count]) else { return false }
    let end = max(equal.count, min(first.rowCount, second.rowCount))
    for row in 0..<equal.count { (partners[row], partnersOfSecond[row]) = (UInt32(row), UInt32(row)) }
    for row in equal.count..<end where referrers[row] != Self.noRow {
      (partners[row], partnersOfSecond[row]) = (UInt32(row), UInt32(row))
      reached.append(UInt32(row))
    }
    (parents, unsettled) = (referrers, weak)
    return true
  }

  /// Whether each row except row 0 is the target of a reference in an earlier row: the order in which Arc
  /// numbers objects. If the file has construction references, returns true without this check, because the
  /// targets of construction references precede the referring rows.
  private func isNumberedAsReached(_ referrers: ArraySlice<UInt32>) -> Bool {
    first.schema.hasConstructionColumn.contains(true)
      || zip(referrers.indices, referrers).dropFirst().allSatisfy { $0 > $1 }
  }

  // MARK: Objects

  /// Returns the first difference of the current object and its partner. Nil if they are equal.
  private func compareCurrent() throws -> FoundDifference? {
    let left = try first.object(ObjectID(rawValue: current))
    let right = try second.object(ObjectID(rawValue: partners[Int(current)]))
    guard left.className.hasSameBytes(as: right.className) else {
      return FoundDifference(Self.words(left), Self.words(right))
    }
    let isBox = isBox(left.classIndex)
    for (position, property) in left.properties.enumerated() {
      // Called only for a difference, because checking whether a name is an identifier takes long.
      func steps() -> [ValuePath.Step] { isBox ? [] : [first.step(to: property, ofClass: left.classIndex)] }
      guard let other = right.property(like: property, at: position) else {
        return FoundDifference(words(property.value, .first), "nothing").after(steps())
      }
      let found = try compare(
        TypedValue(property, in: left, of: first),
        TypedValue(other, in: right, of: second))
      if let found { return found.after(steps()) }
    }
    for (position, property) in right.properties.enumerated()
    where left.property(like: property, at: position) == nil {
      return FoundDifference("nothing", words(property.value, .second))
        .after(isBox ? [] : [second.step(to: property, ofClass: right.classIndex)])
    }
    return nil
  }

  private static func words(_ object: ArchiveObject) -> String { "an object of class '\(object.className)'" }

  /// Makes two objects partners, which are compared later.
  private func pair(_ left: UInt32, _ right: UInt32) {
    partners[Int(left)] = right
    partnersOfSecond[Int(right)] = left
    parents[Int(left)] = current
    reached.append(left)
  }

  /// Returns the difference between two references. Nil if both references are nil, if their targets are
  /// partners, or if the call makes the targets partners. The targets of weak references become partners
  /// later.
  func compare(reference left: ObjectID?, _ right: ObjectID?, isWeak: Bool) -> FoundDifference? {
    guard let left, let right else {
      return left == right ? nil : FoundDifference(words(left, .first), words(right, .second))
    }
    let (partner, owner) = (partners[Int(left.rawValue)], partnersOfSecond[Int(right.rawValue)])
    if partner == right.rawValue { return nil }
    if partner == Self.noRow, owner == Self.noRow {
      if isWeak, !followsWeak {
        if unsettled.last != current { unsettled.append(current) }
      } else {
        pair(left.rawValue, right.rawValue)
      }
      return nil
    }
    return FoundDifference(
      partner == Self.noRow ? "another object" : sameObject(left.rawValue),
      owner == Self.noRow ? "another object" : sameObject(owner))
  }

  private func words(_ id: ObjectID?, _ side: Side) -> String {
    id.flatMap { common($0, side) }.map(sameObject) ?? words(.reference(id), side)
  }

  private func sameObject(_ row: UInt32) -> String {
    "the same object as " + (path(to: row)?.text ?? "object #\(row)")
  }

  /// Returns the row of the first file that represents an object of either file: the object's own row, or the
  /// row of the object's partner in the first file. Nil if the object has no partner yet.
  func common(_ id: ObjectID, _ side: Side) -> UInt32? {
    let row = Int(id.rawValue)
    switch side {
    case .first: return partners[row] == Self.noRow ? nil : id.rawValue
    case .second: return partnersOfSecond[row] == Self.noRow ? nil : partnersOfSecond[row]
    }
  }

  /// One of the files.
  enum Side {
    case first
    case second
  }

  func file(_ side: Side) -> ArchiveFile { side == .first ? first : second }

  // MARK: Paths

  private func difference(_ found: FoundDifference) throws -> GraphDifference {
    var path = path(to: current) ?? ObjectPath(ObjectID(rawValue: current))
    path.append(found.steps.reversed())
    return GraphDifference(path: path.text, first: found.first, second: found.second)
  }

  /// Returns the path by which an object was first reached. Nil if the path cannot be determined.
  private func path(to row: UInt32) -> ObjectPath? {
    var rows = [row]
    let parents = parents
    while let last = rows.last, last != 0 {
      let parent = parents[Int(last)]
      // If objects need other objects for construction, the first referring row may be farther from the root
      // than the row itself. Then the path is searched in the file.
      guard parent != Self.noRow, rows.count < first.rowCount else {
        return first.objectPath(toRow: Int(row), isBox: isBox)
      }
      rows.append(parent)
    }
    rows.reverse()
    // A path without a step is still worth showing.
    return ObjectPath(objectCount: rows.count - 1) {
      try? first.steps(from: Int(rows[$0]), to: Int(rows[$0 + 1]), isBox)
    }
  }
}

/// A difference between the values of two objects. The steps from the objects to the difference are in
/// reverse order.
struct FoundDifference {
  var steps: [ValuePath.Step] = []
  let first: String
  let second: String

  init(_ first: String, _ second: String) {
    self.first = first
    self.second = second
  }

  /// Returns the difference with additional steps before its steps.
  func after(_ steps: [ValuePath.Step]) -> FoundDifference {
    var found = self
    found.steps += steps.reversed()
    return found
  }

  /// Returns the difference with an additional step before its other steps: the step into a nested value.
  func after(_ step: ValueStep) -> FoundDifference { after(step.pathSteps) }
}

extension ArchiveObject {
  /// Returns the property with the key and declaring class of another property. `position` is the probable
  /// index of the returned property. Nil if there is no such property.
  fileprivate func property(like other: Property, at position: Int) -> Property? {
    func isLike(_ property: Property) -> Bool {
      property.key.hasSameBytes(as: other.key)
        && property.declaringClass.hasSameBytes(as: other.declaringClass)
    }
    if position < properties.count, isLike(properties[position]) { return properties[position] }
    return properties.first(where: isLike)
  }
}
