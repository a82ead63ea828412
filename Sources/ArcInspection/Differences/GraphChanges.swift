import ArcArchive
import ArcFormat
import ArcRuntime

/// The changes between the objects of two files.
struct GraphChanges {
  /// A changed property: its values in two partners differ, or only one partner has it. Partners are an
  /// object of the first file and its counterpart in the second file.
  struct Value {
    let first: ObjectID
    let second: ObjectID
    let className: String
    /// The name of the property in the output of `tree`.
    let name: String
    /// The step to the property in a path. Nil if no step selects the property.
    let step: String?
    /// The value in the first file. Nil if the object does not have the property in this file.
    let old: TypedValue?
    /// The value in the second file. Nil if the object does not have the property in this file.
    let new: TypedValue?
  }

  /// The objects that only the first file has.
  private(set) var removed: [ObjectID] = []
  /// The objects that only the second file has.
  private(set) var added: [ObjectID] = []
  private(set) var values: [Value] = []
  /// The objects that moved, by their numbers in both files. An object moved if another object refers to it
  /// in the second file than in the first, on a shortest path from the roots.
  private(set) var moved: [(first: ObjectID, second: ObjectID)] = []
  /// The number of objects with changed values.
  private(set) var changedCount = 0

  /// Whether there are no changes, because both graphs are equal.
  var isEmpty: Bool { removed.isEmpty && added.isEmpty && values.isEmpty && moved.isEmpty }

  /// Compares objects with their partners.
  ///
  /// - Complexity: O(values of both files).
  init(_ matching: ObjectMatching, _ paths: ShortestPaths, _ pathsOfSecond: ShortestPaths) throws {
    var columns = ColumnPartners()
    for row in 0..<matching.first.file.rowCount {
      let id = ObjectID(rawValue: UInt32(row))
      guard let other = matching.partner(of: row) else {
        removed.append(id)
        continue
      }
      let count = values.count
      try compare(id, ObjectID(rawValue: UInt32(other)), matching, &columns)
      if values.count > count { changedCount += 1 }
      let (previous, otherPrevious) = (paths.predecessor(of: row), pathsOfSecond.predecessor(of: other))
      let isMoved = previous.map { matching.partner(of: $0) != otherPrevious } ?? (otherPrevious != nil)
      if isMoved { moved.append((id, ObjectID(rawValue: UInt32(other)))) }
    }
    for row in 0..<matching.second.file.rowCount where matching.partner(ofSecond: row) == nil {
      added.append(ObjectID(rawValue: UInt32(row)))
    }
  }

  private mutating func compare(
    _ id: ObjectID, _ otherID: ObjectID, _ matching: ObjectMatching, _ columns: inout ColumnPartners
  ) throws {
    let (first, second) = (matching.first, matching.second)
    let (object, other) = (try first.file.object(id), try second.file.object(otherID))
    let partners = columns.partners(ofClass: object.classIndex, other.classIndex, matching)
    func add(_ name: String, _ step: String?, _ old: TypedValue?, _ new: TypedValue?) {
      values.append(
        Value(
          first: id, second: otherID, className: object.className, name: name, step: step, old: old, new: new)
      )
    }
    var compared: Set<Int> = []
    for (position, property) in object.properties.enumerated() {
      let old = first.value(of: property, in: object)
      // If several columns have the same name, an object has a value in only one of them.
      let new = partners[property.columnIndex].lazy
        .compactMap { other.property(ofColumn: $0, at: position) }.first
      guard let new else {
        add(first.name(of: property, in: object), first.step(to: property, of: object), old, nil)
        continue
      }
      compared.insert(new.columnIndex)
      let value = second.value(of: new, in: other)
      let form = matching.values.form(old.withoutAbsentFields) { target in
        // An object without a partner gets a number that no row of the second file has.
        .reference(ObjectID(rawValue: matching.partner(of: Int(target.rawValue)).map { UInt32($0) } ?? .max))
      }
      if form != matching.values.form(value.withoutAbsentFields, { .reference($0) }) {
        add(first.name(of: property, in: object), first.step(to: property, of: object), old, value)
      }
    }
    guard compared.count < other.properties.count else { return }
    for property in other.properties where !compared.contains(property.columnIndex) {
      add(
        second.name(of: property, in: other), second.step(to: property, of: other), nil,
        second.value(of: property, in: other))
    }
  }
}

/// The columns with equal names in a class of the first file and a class of the second file. Computed once
/// for each pair of classes.
private struct ColumnPartners {
  private struct ClassPair: Hashable {
    let first: Int
    let second: Int
  }

  private var known: [ClassPair: [[Int]]] = [:]

  /// For each column of class `index` in the first file, returns the columns of class `other` in the second
  /// file that have the same name.
  mutating func partners(
    ofClass index: Int, _ other: Int, _ matching: ObjectMatching
  ) -> [[Int]] {
    let pair = ClassPair(first: index, second: other)
    if let known = known[pair] { return known }
    var columns: [ExactName: [Int]] = [:]
    for (column, name) in matching.second.names(ofClass: other).enumerated() {
      columns[ExactName(name), default: []].append(column)
    }
    let partners = matching.first.names(ofClass: index).map { columns[ExactName($0)] ?? [] }
    known[pair] = partners
    return partners
  }
}

extension ArchiveObject {
  /// Returns the property that is stored in a column. `position` is the probable index of the property in the
  /// object. Nil if the object has no such property.
  fileprivate func property(ofColumn column: Int, at position: Int) -> Property? {
    if position < properties.count, properties[position].columnIndex == column { return properties[position] }
    return properties.first { $0.columnIndex == column }
  }
}
