import ArcFormat
import ArcRuntime

/// What became of the objects of a file in another.
struct GraphChanges {
  /// A value that is another, or a property that only one of two objects has.
  struct Value {
    let first: ObjectID
    let second: ObjectID
    let className: String
    /// The property as `tree` names it, and its step.
    let name: String
    let step: String?
    let old: TypedValue?
    let new: TypedValue?
  }

  /// Objects that only the first file has, and that only the second one has.
  private(set) var removed: [ObjectID] = []
  private(set) var added: [ObjectID] = []
  private(set) var values: [Value] = []
  /// Objects that another object leads to first, by their numbers in both files.
  private(set) var moved: [(first: ObjectID, second: ObjectID)] = []
  /// Objects with values that are others.
  private(set) var changedCount = 0

  /// Whether both graphs are the same.
  var isEmpty: Bool { removed.isEmpty && added.isEmpty && values.isEmpty && moved.isEmpty }

  /// Compares objects with their partners.
  ///
  /// - Complexity: O(values of both files).
  init(_ matching: ObjectMatching, _ ways: ShortestWays, _ waysOfSecond: ShortestWays) throws {
    for row in 0..<matching.first.file.rowCount {
      let id = ObjectID(rawValue: UInt32(row))
      guard let other = matching.partner(of: row) else {
        removed.append(id)
        continue
      }
      let count = values.count
      try compare(id, ObjectID(rawValue: UInt32(other)), matching)
      if values.count > count { changedCount += 1 }
      let (finder, otherFinder) = (ways.finder(of: row), waysOfSecond.finder(of: other))
      let isMoved = finder.map { matching.partner(of: $0) != otherFinder } ?? (otherFinder != nil)
      if isMoved { moved.append((id, ObjectID(rawValue: UInt32(other)))) }
    }
    for row in 0..<matching.second.file.rowCount where matching.partner(ofSecond: row) == nil {
      added.append(ObjectID(rawValue: UInt32(row)))
    }
  }

  private mutating func compare(_ id: ObjectID, _ otherID: ObjectID, _ matching: ObjectMatching) throws {
    let (object, other) = (try matching.first.file.object(id), try matching.second.file.object(otherID))
    let names = object.properties.map { matching.first.name(of: $0, in: object) }
    let otherNames = other.properties.map { matching.second.name(of: $0, in: other) }
    var places = Dictionary(
      otherNames.enumerated().map { (ExactName($1), $0) }, uniquingKeysWith: { first, _ in first })
    func add(_ name: String, _ step: String?, _ old: TypedValue?, _ new: TypedValue?) {
      values.append(
        Value(
          first: id, second: otherID, className: object.className, name: name, step: step, old: old, new: new)
      )
    }
    for (name, property) in zip(names, object.properties) {
      let old = matching.first.value(of: property, in: object)
      let step = matching.first.step(to: property, of: object)
      guard let place = places.removeValue(forKey: ExactName(name)) else {
        add(name, step, old, nil)
        continue
      }
      let new = matching.second.value(of: other.properties[place], in: other)
      let form = ComparableValue.form(old.value) { target in
        // No row of the second file is this one.
        .reference(ObjectID(rawValue: matching.partner(of: Int(target.rawValue)).map { UInt32($0) } ?? .max))
      }
      if form != ComparableValue.form(new.value, { .reference($0) }) { add(name, step, old, new) }
    }
    for (place, name) in otherNames.enumerated() where places[ExactName(name)] == place {
      let property = other.properties[place]
      add(
        name, matching.second.step(to: property, of: other), nil,
        matching.second.value(of: property, in: other))
    }
  }
}
