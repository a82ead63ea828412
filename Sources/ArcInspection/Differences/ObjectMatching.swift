import ArcArchive
import ArcFormat
import ArcRuntime

/// The pairs of corresponding objects of two files. The two objects of a pair are *partners*. Pairs are found
/// by keys that the user names, then by the paths from the roots, then by the values of the objects.
///
/// In two arrays, objects with equal values become partners first. The remaining objects are matched in their
/// order. So an object that was inserted at the beginning does not change the partners of all other objects.
struct ObjectMatching {
  /// A property whose values identify objects.
  struct Key {
    /// The name of the objects' class. Nil if the key applies to objects of all classes.
    let className: String?
    let name: ValuePath.Name

    /// Parses a key in the form `id` or `Person.id`.
    init(_ text: String) {
      let point = text.lastIndex(of: ".")
      className = point.map { String(text[..<$0]) }
      name = ValuePath.Name(point.map { String(text[text.index(after: $0)...]) } ?? text)
    }
  }

  let first: ObjectCatalog
  let second: ObjectCatalog
  /// The forms in which values of both files are compared.
  let values = ValueForms()
  /// The row of the partner in the second file, by row of the first file. `noRow` if the object has no
  /// partner.
  private var partners: [UInt32]
  /// The row of the partner in the first file, by row of the second file. `noRow` if the object has no
  /// partner.
  private var partnersOfSecond: [UInt32]
  /// A digest of the values of each object of the first file, by row.
  private let digests: [Int]
  /// A digest of the values of each object of the second file, by row.
  private let digestsOfSecond: [Int]
  /// The rows of the first file that have a partner, but whose references are not followed yet.
  private var pending: [UInt32] = []

  private static let noRow = UInt32.max

  /// Matches the objects of two files.
  ///
  /// - Throws: An `ArchiveError` if a file is damaged, or `limitExceeded` if there are too many objects.
  /// - Complexity: O(values of both files).
  init(_ first: ObjectCatalog, _ second: ObjectCatalog, keys: [Key]) throws {
    (self.first, self.second) = (first, second)
    for catalog in [first, second] {
      try catalog.file.verify()
      var charge = MemoryCharge(catalog.file.limits)
      try charge.add(catalog.file.rowCount, of: 64)
    }
    partners = Array(repeating: Self.noRow, count: first.file.rowCount)
    partnersOfSecond = Array(repeating: Self.noRow, count: second.file.rowCount)
    digests = try Self.digests(of: first, values)
    digestsOfSecond = try Self.digests(of: second, values)
    pair(0, 0)
    for key in keys { try pair(by: key) }
    try pairTargets()
    // The remaining objects are matched by their values, and the targets of their references by paths.
    pairUniqueContents()
    try pairTargets()
    pairEqualContents()
    try pairTargets()
  }

  /// Returns the row of the partner of an object of the first file. Nil if the object has no partner.
  func partner(of row: Int) -> Int? { partners[row] == Self.noRow ? nil : Int(partners[row]) }

  /// Returns the row of the partner of an object of the second file. Nil if the object has no partner.
  func partner(ofSecond row: Int) -> Int? {
    partnersOfSecond[row] == Self.noRow ? nil : Int(partnersOfSecond[row])
  }

  private static func digests(of catalog: ObjectCatalog, _ values: ValueForms) throws -> [Int] {
    try (0..<catalog.file.rowCount).map {
      try values.digest(catalog.file.object(ObjectID(rawValue: UInt32($0))))
    }
  }

  private mutating func pair(_ row: UInt32, _ other: UInt32) {
    (partners[Int(row)], partnersOfSecond[Int(other)]) = (other, row)
    pending.append(row)
  }

  private func isFree(_ id: ObjectID) -> Bool { partners[Int(id.rawValue)] == Self.noRow }
  private func isFree(ofSecond id: ObjectID) -> Bool { partnersOfSecond[Int(id.rawValue)] == Self.noRow }

  // MARK: Keys

  private mutating func pair(by key: Key) throws {
    let rows = try self.rows(by: key, first)
    let others = try self.rows(by: key, second)
    for (value, row) in rows.sorted(by: { $0.value < $1.value }) {
      guard let other = others[value], row != Self.noRow, other != Self.noRow,
        isFree(ObjectID(rawValue: row)), isFree(ofSecond: ObjectID(rawValue: other))
      else { continue }
      pair(row, other)
    }
  }

  /// Returns the row of each object that has a value for a key property. The dictionary's keys contain the
  /// class and the value. The row is `noRow` if several objects of the class have an equal value.
  private func rows(by key: Key, _ catalog: ObjectCatalog) throws -> [ArchiveValue: UInt32] {
    var rows: [ArchiveValue: UInt32] = [:]
    for row in 1..<UInt32(max(catalog.file.rowCount, 1)) {
      let object = try catalog.file.object(ObjectID(rawValue: row))
      guard key.className.map({ $0.hasSameBytes(as: object.className) }) ?? true,
        let property = catalog.property(key.name, of: object), property.value != .null
      else { continue }
      let value = values.form(property.value) { _ in .null }
      let name = ArchiveValue.array([.data(Array(object.className.utf8)), value])
      rows[name] = rows[name] == nil ? row : Self.noRow
    }
    return rows
  }

  // MARK: Paths

  /// Follows the references of each object that has a partner. Matches the referenced objects with the
  /// objects to which the partner refers.
  private mutating func pairTargets() throws {
    var next = 0
    while next < pending.count {
      let row = pending[next]
      next += 1
      let object = try first.file.object(ObjectID(rawValue: row))
      let other = try second.file.object(ObjectID(rawValue: partners[Int(row)]))
      let names = second.names(ofClass: other.classIndex)
      for property in object.properties {
        let name = first.name(of: property, in: object)
        guard
          first.file.layouts[object.classIndex].containsReference(
            first.file.layouts[object.classIndex].roots[property.columnIndex]),
          let partner = other.properties.first(where: { names[$0.columnIndex].hasSameBytes(as: name) })
        else { continue }
        pairInside(first.value(of: property, in: object), second.value(of: partner, in: other))
      }
    }
    pending = []
  }

  /// Matches the objects at equal paths in two values. Recursive over the values, not over objects.
  private mutating func pairInside(_ value: TypedValue, _ other: TypedValue) {
    if case .reference(let id?) = value.value, case .reference(let otherID?) = other.value {
      guard !value.isWeak, !other.isWeak, isFree(id), isFree(ofSecond: otherID), isSameClass(id, otherID)
      else { return }
      return pair(id.rawValue, otherID.rawValue)
    }
    let kind = value.value.containerKind
    guard kind != nil, kind == other.value.containerKind else { return }
    if let elements = value.value.elements { pairLists(elements, other.value.elements ?? []) }
    // The elements of sets have no index and no key.
    guard kind != .set,
      let pairs = ChildPairs(value.value, other.value, key: { values.form($0) { _ in .null } })
    else { return }
    for (index, child) in value.value.children(keys: .none).enumerated() {
      // `pairLists` has matched objects in arrays, which may have moved.
      if kind == .array, case .reference = child.value { continue }
      // A field under another label may be a renamed field.
      let renamed = kind == .structure && index < other.childCount ? index : nil
      guard let partner = pairs.partner(of: index) ?? renamed else { continue }
      pairInside(value.child(index), other.child(partner))
    }
  }

  private func isSameClass(_ id: ObjectID, _ other: ObjectID) -> Bool {
    // An object whose class cannot be read has no partner. This also applies to the functions below.
    guard let name = try? first.className(of: id), let otherName = try? second.className(of: other) else {
      return false
    }
    return name.hasSameBytes(as: otherName)
  }

  /// Matches the objects of two lists: first objects whose digest is unique in each list, then objects of the
  /// same class in their order.
  private mutating func pairLists(_ elements: [ArchiveValue], _ others: [ArchiveValue]) {
    var rows = elements.compactMap(\.objectID).filter { isFree($0) }.map(\.rawValue)
    var otherRows = others.compactMap(\.objectID).filter { isFree(ofSecond: $0) }.map(\.rawValue)
    pairUnique(rows, otherRows)
    rows.removeAll { partners[Int($0)] != Self.noRow }
    otherRows.removeAll { partnersOfSecond[Int($0)] != Self.noRow }
    var waiting: [ExactName: [UInt32]] = [:]
    for other in otherRows.reversed() {
      if let name = try? second.className(of: ObjectID(rawValue: other)) {
        waiting[ExactName(name), default: []].append(other)
      }
    }
    for row in rows where isFree(ObjectID(rawValue: row)) {
      guard let name = try? first.className(of: ObjectID(rawValue: row)),
        let other = waiting[ExactName(name)]?.popLast(), isFree(ofSecond: ObjectID(rawValue: other))
      else { continue }
      pair(row, other)
    }
  }

  // MARK: Contents

  private var freeRows: [UInt32] {
    partners.indices.filter { partners[$0] == Self.noRow }.map { UInt32($0) }
  }

  private var freeRowsOfSecond: [UInt32] {
    partnersOfSecond.indices.filter { partnersOfSecond[$0] == Self.noRow }.map { UInt32($0) }
  }

  private mutating func pairUniqueContents() { pairUnique(freeRows, freeRowsOfSecond) }

  /// Matches the remaining objects that have equal values, in the order of both files, because nothing else
  /// distinguishes these objects.
  private mutating func pairEqualContents() {
    var waiting: [Int: [UInt32]] = [:]
    for other in freeRowsOfSecond.reversed() {
      waiting[digestsOfSecond[Int(other)], default: []].append(other)
    }
    for row in freeRows {
      if let other = waiting[digests[Int(row)]]?.popLast() { pair(row, other) }
    }
  }

  /// Matches two rows if they have equal digests and no other row in either list has this digest.
  private mutating func pairUnique(_ rows: [UInt32], _ others: [UInt32]) {
    let rowOfDigest = Self.unique(rows, digests)
    let otherOfDigest = Self.unique(others, digestsOfSecond)
    for row in rows {
      let digest = digests[Int(row)]
      guard rowOfDigest[digest] == row, let other = otherOfDigest[digest], other != Self.noRow,
        isFree(ObjectID(rawValue: row)), isFree(ofSecond: ObjectID(rawValue: other))
      else { continue }
      pair(row, other)
    }
  }

  private static func unique(_ rows: [UInt32], _ digests: [Int]) -> [Int: UInt32] {
    var rowOfDigest: [Int: UInt32] = [:]
    for row in rows {
      let known = rowOfDigest[digests[Int(row)]]
      rowOfDigest[digests[Int(row)]] = known == nil || known == row ? row : noRow
    }
    return rowOfDigest
  }
}
