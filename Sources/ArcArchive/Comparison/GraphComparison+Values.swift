import ArcFormat
import ArcRuntime

/// A value of a column, or within one.
struct ComparedValue {
  let value: ArchiveValue
  let layout: ColumnLayout
  let node: Int

  init(_ value: ArchiveValue, _ layout: ColumnLayout, node: Int) {
    self.value = value
    self.layout = layout
    self.node = node
  }

  /// The value of a property. What tells whether a keyed column has one is no part of it.
  init(_ value: ArchiveValue, _ layout: ColumnLayout, root: Int) {
    self.init(value, layout, node: layout.roots[root])
  }

  /// The value within an optional, as whose it is read.
  var wrapped: ComparedValue? {
    guard layout.nodes[node].kind == .optional else { return nil }
    return ComparedValue(value, layout, node: layout.nodes[node].children[0])
  }

  /// A part of the value.
  func part(_ value: ArchiveValue, _ position: Int) -> ComparedValue {
    ComparedValue(value, layout, node: layout.nodes[node].children[position])
  }

  var isWeak: Bool { layout.nodes[node].kind == .weak }

  /// The keys of elements that a `Codable` value encoded by keys; nil for others.
  func codedKeys(_ elements: [ArchiveValue]) -> [String]? {
    let element = layout.nodes[layout.nodes[node].children[0]]
    guard element.kind == .structure, element.name == "CodedField" else { return nil }
    var keys: [String] = []
    keys.reserveCapacity(elements.count)
    for element in elements {
      guard case .structure(_, let fields) = element, fields.count == 2,
        case .string(let key) = fields[0].value
      else { return nil }
      keys.append(key)
    }
    return keys
  }
}

// The values of two partners, part by part. Recursive over a value, which nests as deep as
// `ArchiveLimits.nesting` allows, not over objects.

extension GraphComparison {
  /// The first difference of two values, nil if there is none.
  func compare(_ left: ComparedValue, _ right: ComparedValue) throws -> FoundDifference? {
    if left.value != .null, let wrapped = left.wrapped { return try compare(wrapped, right) }
    if right.value != .null, let wrapped = right.wrapped { return try compare(left, wrapped) }
    switch (left.value, right.value) {
    case (.reference(let one), .reference(let other)):
      return compare(reference: one, other, isWeak: left.isWeak || right.isWeak)
    case (.array(let elements), .array(let others)):
      if let keys = left.codedKeys(elements), let otherKeys = right.codedKeys(others) {
        return try compareCodedFields((left, elements, keys), (right, others, otherKeys))
      }
      return try compare(elements, others) { element, other, index in
        try compare(left.part(element, 0), right.part(other, 0))?.behind(ObjectPath.step(toElement: index))
      }
    case (.set, .set), (.dictionary, .dictionary): return try compareKeys(left, right)
    case (.structure(let name, let fields), .structure(let otherName, let others))
    where name.hasSameBytes(as: otherName) && fields.map(\.name) == others.map(\.name):
      let isOnly = name == "?" && fields.count == 1 && fields[0].name.isEmpty
      for (index, field) in fields.enumerated() {
        let found = try compare(left.part(field.value, index), right.part(others[index].value, index))
        if let found {
          return found.behind(isOnly ? nil : ObjectPath.step(toField: field.name, at: index))
        }
      }
      return nil
    case (.enumeration(_, let name, let payload?), .enumeration(_, let otherName, let other?))
    where name.hasSameBytes(as: otherName):
      guard let part = left.payload(name, payload), let otherPart = right.payload(otherName, other) else {
        return left.value == right.value ? nil : differs(left, right)
      }
      return try compare(part, otherPart)?.behind(ObjectPath.step(to: name))
    case (.string(let text), .string(let other)):
      return texts.areEqual(text, other) ? nil : differs(left, right)
    default:
      return left.value.isExactly(right.value) ? nil : differs(left, right)
    }
  }

  private func differs(_ left: ComparedValue, _ right: ComparedValue) -> FoundDifference {
    FoundDifference(words(left.value, .first), words(right.value, .second))
  }

  private func compare(
    _ left: [ArchiveValue], _ right: [ArchiveValue],
    _ compare: (ArchiveValue, ArchiveValue, Int) throws -> FoundDifference?
  ) rethrows -> FoundDifference? {
    let count = min(left.count, right.count)
    for index in 0..<count {
      if let found = try compare(left[index], right[index], index) { return found }
    }
    guard left.count != right.count else { return nil }
    return FoundDifference(
      left.count > count ? words(left[count], .first) : "nothing",
      right.count > count ? words(right[count], .second) : "nothing"
    ).behind(ObjectPath.step(toElement: count))
  }

  /// Compares what two `Codable` values encoded by keys, in whatever order.
  private func compareCodedFields(
    _ left: (value: ComparedValue, fields: [ArchiveValue], keys: [String]),
    _ right: (value: ComparedValue, fields: [ArchiveValue], keys: [String])
  ) throws -> FoundDifference? {
    var positions: [ExactName: Int] = [:]
    for (position, key) in right.keys.enumerated() { positions[ExactName(key)] = position }
    for (index, field) in left.fields.enumerated() {
      let step = ObjectPath.step(toElement: index)
      guard let position = positions.removeValue(forKey: ExactName(left.keys[index])) else {
        return FoundDifference(words(field, .first), "nothing").behind(step)
      }
      let found = try compare(
        left.value.part(field, 0), right.value.part(right.fields[position], 0))
      if let found { return found.behind(step) }
    }
    guard let position = positions.values.min() else { return nil }
    return FoundDifference("nothing", words(right.fields[position], .second))
      .behind(ObjectPath.step(toElement: position))
  }

  /// A value in a few words.
  func words(_ value: ArchiveValue, _ side: Side) -> String {
    value.words { id in
      file(side).className(ofRow: Int(id.rawValue)).map { "an object of class '\($0)'" } ?? "an object"
    }
  }
}

extension ComparedValue {
  /// What a case carries.
  func payload(_ name: String, _ value: ArchiveValue) -> ComparedValue? {
    let node = layout.nodes[node]
    guard let index = node.labels.firstIndex(of: name), let position = node.payloads[index] else {
      return nil
    }
    return part(value, position)
  }
}
