import ArcFormat
import ArcRuntime

// The comparison of the values of two partners. Recursive over a value, which nests as deep as
// `ArchiveLimits.nesting` allows, not over objects.

extension GraphComparison {
  /// Returns the first difference of two values. Nil if they are equal.
  func compare(_ left: TypedValue, _ right: TypedValue) throws -> FoundDifference? {
    switch (left.value, right.value) {
    case (.reference(let one), .reference(let other)):
      return compare(reference: one, other, isWeak: left.isWeak || right.isWeak)
    case (.string(let text), .string(let other)):
      return texts.areEqual(text, other) ? nil : differs(left, right)
    case (.set, .set), (.dictionary, .dictionary): return try compareKeys(left, right)
    case (.array(let elements), .array(let others)):
      if let keys = left.codedKeys(elements), let otherKeys = right.codedKeys(others) {
        return try compareCodedFields((left, keys), (right, otherKeys))
      }
      return try compareChildren(left, right) ?? missing(elements, others)
    default:
      if left.value.hasChildren(like: right.value) { return try compareChildren(left, right) }
      return left.value.isExactly(right.value) ? nil : differs(left, right)
    }
  }

  private func differs(_ left: TypedValue, _ right: TypedValue) -> FoundDifference {
    FoundDifference(words(left.value, .first), words(right.value, .second))
  }

  /// Returns the first difference of the values directly inside two values. Nil if they are equal.
  private func compareChildren(_ left: TypedValue, _ right: TypedValue) throws -> FoundDifference? {
    for ((step, child), (_, other)) in zip(left.children, right.children) {
      if let difference = try compare(child, other) { return difference.after(step) }
    }
    return nil
  }

  /// Returns a difference for the first element of the longer array that the shorter array does not have. Nil
  /// if both arrays have equally many elements.
  private func missing(_ left: [ArchiveValue], _ right: [ArchiveValue]) -> FoundDifference? {
    guard left.count != right.count else { return nil }
    let count = min(left.count, right.count)
    return FoundDifference(
      left.count > count ? words(left[count], .first) : "nothing",
      right.count > count ? words(right[count], .second) : "nothing"
    ).after(.element(count))
  }

  /// Returns the first difference between the fields of two `Codable` values that are encoded by keys. The
  /// order of the fields is ignored. Nil if the fields are equal.
  private func compareCodedFields(
    _ left: (fields: TypedValue, keys: [String]), _ right: (fields: TypedValue, keys: [String])
  ) throws -> FoundDifference? {
    var positions: [ExactName: Int] = [:]
    for (position, key) in right.keys.enumerated() { positions[ExactName(key)] = position }
    for (index, key) in left.keys.enumerated() {
      let field = left.fields.child(index)
      guard let position = positions.removeValue(forKey: ExactName(key)) else {
        return FoundDifference(words(field.value, .first), "nothing").after(.element(index))
      }
      let difference = try compare(field, right.fields.child(position))
      if let difference { return difference.after(.element(index)) }
    }
    guard let position = positions.values.min() else { return nil }
    return FoundDifference("nothing", words(right.fields.child(position).value, .second))
      .after(.element(position))
  }

  /// Returns a description of a value in a few words.
  func words(_ value: ArchiveValue, _ side: Side) -> String {
    value.words { id in
      file(side).className(ofRow: Int(id.rawValue)).map { "an object of class '\($0)'" } ?? "an object"
    }
  }
}

extension ArchiveValue {
  /// Whether both values are structures of the same type with the same fields, or the same enumeration case
  /// with associated values.
  fileprivate func hasChildren(like other: ArchiveValue) -> Bool {
    guard elementCount == nil, let pairs = ChildPairs(self, other, key: { $0 }), pairs.isAligned,
      pairs.count > 0
    else { return false }
    return fields == nil || (typeName ?? "").hasSameBytes(as: other.typeName ?? "")
  }
}

extension TypedValue {
  /// Returns the keys of elements that a `Codable` value encoded by keys. Nil for other arrays.
  fileprivate func codedKeys(_ elements: [ArchiveValue]) -> [String]? {
    guard let position = layout.nodes[node].children.first, layout.nodes[position].kind == .structure,
      layout.nodes[position].name == "CodedField"
    else { return nil }
    var keys: [String] = []
    keys.reserveCapacity(elements.count)
    for element in elements {
      guard let fields = element.fields, fields.count == 2, case .string(let key) = fields[0].value else {
        return nil
      }
      keys.append(key)
    }
    return keys
  }
}
