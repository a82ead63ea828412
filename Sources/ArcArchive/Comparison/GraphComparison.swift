import ArcFormat
import ArcRuntime

/// Compares the graphs of two archives without their classes, from the roots on: objects are the same if the
/// same ways lead to them.
///
/// Each object of the first file gets a partner in the second one when a reference first leads to it, in
/// the order of both, breadth first; from then on references to the two must go together. So the numbers of
/// rows do not matter, and nothing recurses over objects. Numbers are compared bit by bit.
///
/// Elements of sets and keys of dictionaries with objects in them are matched by what these hold. Where that
/// does not tell them apart, the order of the files decides, which is that of the graph if both are in
/// canonical form. Spec: 05-graph, sections 2 and 8.
package final class GraphComparison {
  let first: ArchiveFile
  let second: ArchiveFile
  /// The long strings of both files, each of which is read once.
  let texts = LongTexts()
  /// Whether the objects of a class of the first file stand for values in places of any type.
  private let isBox: (_ classIndex: Int) -> Bool
  /// By row of the first file, the row of the partner; and the other way round.
  private var partners: [UInt32]
  private var partnersOfSecond: [UInt32]
  /// By row of the first file, the row from which it was first reached.
  private var parents: [UInt32]
  /// Rows of the first file in the order in which they were reached.
  private var reached: [UInt32] = []
  /// Rows with weak references to what was not reached yet.
  private var unsettled: [UInt32] = []
  /// Whether weak references bring their targets into the comparison: when no others are left.
  private var followsWeak = false
  /// The row of the first file that is compared.
  private var current: UInt32 = 0

  /// No row: rows are below 2^32 - 1.
  private static let nobody = UInt32.max

  /// A comparison of two files, which no one else reads meanwhile.
  package init(
    _ first: ArchiveFile, _ second: ArchiveFile, isBox: @escaping (_ classIndex: Int) -> Bool = { _ in false }
  ) {
    self.first = first
    self.second = second
    self.isBox = isBox
    partners = Array(repeating: Self.nobody, count: first.rowCount)
    partnersOfSecond = Array(repeating: Self.nobody, count: second.rowCount)
    parents = Array(repeating: Self.nobody, count: first.rowCount)
  }

  /// The differences that are found first: one for each pair of objects, up to a number.
  ///
  /// Rows with which the files begin in common are not compared one by one, unless `skipsEqualRows` is false.
  ///
  /// - Throws: what is wrong with a file; `limitExceeded` for values that nest too deeply.
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

  /// Makes the rows partners that the files begin with in common, and what these refer to; returns whether
  /// there are any.
  private func pairEqualRows() throws -> Bool {
    let equal = EqualRows(first, second)
    guard equal.count > 0 else { return false }
    let (referrers, weak) = try equal.referrers()
    guard isNumberedAsReached(referrers[..<equal.count]) else { return false }
    let end = max(equal.count, min(first.rowCount, second.rowCount))
    for row in 0..<equal.count { (partners[row], partnersOfSecond[row]) = (UInt32(row), UInt32(row)) }
    for row in equal.count..<end where referrers[row] != Self.nobody {
      (partners[row], partnersOfSecond[row]) = (UInt32(row), UInt32(row))
      reached.append(UInt32(row))
    }
    (parents, unsettled) = (referrers, weak)
    return true
  }

  /// Whether earlier rows refer to all rows but the first, as far as none has to be built before.
  private func isNumberedAsReached(_ referrers: ArraySlice<UInt32>) -> Bool {
    first.schema.hasConstructionColumn.contains(true)
      || zip(referrers.indices, referrers).dropFirst().allSatisfy { $0 > $1 }
  }

  // MARK: Objects

  /// Compares the current object with its partner.
  private func compareCurrent() throws -> FoundDifference? {
    let left = try first.object(ObjectID(rawValue: current))
    let right = try second.object(ObjectID(rawValue: partners[Int(current)]))
    guard left.className.hasSameBytes(as: right.className) else {
      return FoundDifference(Self.words(left), Self.words(right))
    }
    let isBox = isBox(left.classIndex)
    for (position, property) in left.properties.enumerated() {
      // Only for a difference: it takes long to tell whether a name is an identifier.
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

  /// Makes two objects partners, to be compared later.
  private func pair(_ left: UInt32, _ right: UInt32) {
    partners[Int(left)] = right
    partnersOfSecond[Int(right)] = left
    parents[Int(left)] = current
    reached.append(left)
  }

  /// Compares two references.
  func compare(reference left: ObjectID?, _ right: ObjectID?, isWeak: Bool) -> FoundDifference? {
    guard let left, let right else {
      return left == right ? nil : FoundDifference(words(left, .first), words(right, .second))
    }
    let (partner, owner) = (partners[Int(left.rawValue)], partnersOfSecond[Int(right.rawValue)])
    if partner == right.rawValue { return nil }
    if partner == Self.nobody, owner == Self.nobody {
      if isWeak, !followsWeak {
        if unsettled.last != current { unsettled.append(current) }
      } else {
        pair(left.rawValue, right.rawValue)
      }
      return nil
    }
    return FoundDifference(
      partner == Self.nobody ? "another object" : sameObject(left.rawValue),
      owner == Self.nobody ? "another object" : sameObject(owner))
  }

  private func words(_ id: ObjectID?, _ side: Side) -> String {
    id.flatMap { common($0, side) }.map(sameObject) ?? words(.reference(id), side)
  }

  private func sameObject(_ row: UInt32) -> String {
    "the same object as " + (path(to: row)?.text ?? "object #\(row)")
  }

  /// The row of the first file that stands for an object in both: its own, or its partner's; nil while it has
  /// no partner.
  func common(_ id: ObjectID, _ side: Side) -> UInt32? {
    let row = Int(id.rawValue)
    switch side {
    case .first: return partners[row] == Self.nobody ? nil : id.rawValue
    case .second: return partnersOfSecond[row] == Self.nobody ? nil : partnersOfSecond[row]
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

  /// The way on which an object was first reached.
  private func path(to row: UInt32) -> ObjectPath? {
    var way = [row]
    let parents = parents
    while let last = way.last, last != 0 {
      let parent = parents[Int(last)]
      // Of objects that need others to be built, the first that refers to one need not be nearer to the root.
      guard parent != Self.nobody, way.count < first.rowCount else {
        return first.objectPath(toRow: Int(row), isBox: isBox)
      }
      way.append(parent)
    }
    way.reverse()
    // A path without a step is still worth showing.
    return ObjectPath(objectCount: way.count - 1) {
      try? first.steps(from: Int(way[$0]), to: Int(way[$0 + 1]), isBox)
    }
  }
}

/// A difference in the values of two objects, with the steps to it, the last one first.
struct FoundDifference {
  var steps: [ValuePath.Step] = []
  let first: String
  let second: String

  init(_ first: String, _ second: String) {
    self.first = first
    self.second = second
  }

  /// The difference after some steps.
  func after(_ steps: [ValuePath.Step]) -> FoundDifference {
    var found = self
    found.steps += steps.reversed()
    return found
  }

  /// The difference after a step into a value.
  func after(_ step: ValueStep) -> FoundDifference { after(step.pathSteps) }
}

extension ArchiveObject {
  /// The property with the key and declaring class of another one, which is probably at the same position.
  fileprivate func property(like other: Property, at position: Int) -> Property? {
    func isLike(_ property: Property) -> Bool {
      property.key.hasSameBytes(as: other.key)
        && property.declaringClass.hasSameBytes(as: other.declaringClass)
    }
    if position < properties.count, isLike(properties[position]) { return properties[position] }
    return properties.first(where: isLike)
  }
}
