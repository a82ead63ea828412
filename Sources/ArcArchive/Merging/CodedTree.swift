package import ArcFormat
import ArcRuntime

// `Codable` values are archived as trees: an enumeration whose case `fields` contains a list of fields with
// keys. The order of the fields has no meaning, and a program encodes only the keys that it knows.

extension ArchiveValue {
  /// The coded name of the enumeration.
  private static let codedName = "Coded"

  /// A field of a tree: a key and its value.
  private struct CodedField {
    let key: ExactName
    let value: ArchiveValue
    /// The element of the tree's list of fields that contains the key and the value.
    let element: ArchiveValue
  }

  /// Whether the value is the tree of a `Codable` value.
  fileprivate var isCodedTree: Bool {
    if case .enumeration(Self.codedName, _, _) = self { true } else { false }
  }

  /// The fields of a tree that is a keyed container. Nil for other values.
  private var codedFields: [CodedField]? {
    guard case .enumeration(Self.codedName, "fields", .structure(_, let content)?) = self,
      content.count == 1, case .array(let elements) = content[0].value
    else { return Optional.none }
    var fields: [CodedField] = []
    for element in elements {
      guard case .structure(_, let parts) = element, case .string(let key)? = parts.first?.value,
        let value = parts.last?.value
      else { return Optional.none }
      fields.append(CodedField(key: ExactName(key), value: value, element: element))
    }
    return fields
  }

  /// Returns a copy of the keyed container whose fields are `elements`.
  private func replacingCodedFields(_ elements: [ArchiveValue]) -> ArchiveValue {
    guard case .enumeration(let name, let label, .structure(let type, let content)?) = self,
      let list = content.first
    else { return self }
    return .enumeration(
      name: name, case: label,
      payload: .structure(name: type, fields: [Field(name: list.name, value: .array(elements))]))
  }

  /// Returns the tree as the program changed it, with the keys of the stored tree that the program does not
  /// know. If the program did not change the tree, returns the stored tree. Nil if the values are not trees.
  func mergedTree(unchanged: ArchiveValue, stored: ArchiveValue, by merge: ValueMerge) -> ArchiveValue? {
    guard stored.isCodedTree, unchanged.isCodedTree, isCodedTree else { return Optional.none }
    if isSameTree(as: unchanged) { return stored }
    guard let current = codedFields, let before = unchanged.codedFields, let read = stored.codedFields else {
      return Optional.none
    }
    let known = Dictionary(before.map { ($0.key, $0.value) }) { first, _ in first }
    let origins = Dictionary(read.map { ($0.key, $0.value) }) { first, _ in first }
    let keys = Set(current.map(\.key))
    let elements = current.map { field in
      guard let before = known[field.key], let origin = origins[field.key],
        case .structure(let name, let parts) = field.element, let key = parts.first, let value = parts.last
      else { return field.element }
      let merged = merge.merged(field.value, unchanged: before, stored: origin)
      return .structure(name: name, fields: [key, Field(name: value.name, value: merged)])
    }
    let unknown = read.filter { known[$0.key] == nil && !keys.contains($0.key) }
    return replacingCodedFields(elements + unknown.map(\.element))
  }

  /// Whether the tree was read from `stored`, which may contain keys that the program does not know. Nil if
  /// the values are not trees.
  func isTreeRead(from stored: ArchiveValue, unread: UnreadObjects?) -> Bool? {
    guard isCodedTree, stored.isCodedTree else { return Optional.none }
    if let fields = codedFields, let others = stored.codedFields {
      let origins = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
      return fields.allSatisfy { field in
        origins[field.key].map { field.value.isRead(from: $0, unread: unread) } ?? true
      }
    }
    guard case .enumeration(_, let label, let payload?) = self,
      case .enumeration(_, let otherLabel, let other?) = stored
    else { return self == stored }
    if label.hasSameBytes(as: otherLabel) { return payload.isRead(from: other, unread: unread) }
    // `Codable` may encode a number as another kind of number.
    guard case .structure(_, let content) = payload, case .structure(_, let otherContent) = other,
      let number = content.first?.value.double
    else { return false }
    return number == otherContent.first?.value.double
  }

  /// Whether two values are equal by `isSame(as:)`, without regard to the order of the keys in trees.
  ///
  /// Recursive over the values, whose nesting is limited.
  fileprivate func isSameTree(as other: ArchiveValue) -> Bool {
    if let fields = codedFields, let others = other.codedFields {
      let values = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
      return fields.count == others.count
        && fields.allSatisfy { field in values[field.key].map { field.value.isSameTree(as: $0) } ?? false }
    }
    return hasParts(like: other) { $0.isSameTree(as: $1) } ?? isSame(as: other)
  }
}

extension ColumnLayout {
  /// Whether a column may contain trees of `Codable` values.
  package var holdsCodedValues: Bool { roots.indices.contains { holdsTrees($0) } }

  /// Whether the column with an index may contain trees of `Codable` values.
  fileprivate func holdsTrees(_ root: Int) -> Bool {
    reaches(from: roots[root]) { node in
      node.kind == .enumeration && node.name?.hasSameBytes(as: "Coded") ?? false
    }
  }
}

extension ReadArchive {
  /// Whether a tree of a `Codable` value in the file contains more than the program encodes again: additional
  /// keys, or values of another kind.
  ///
  /// - Returns: False if all trees are unchanged. The result may be true for an unchanged tree that contains
  ///   a reference, because objects have other numbers in the graph.
  /// - Throws: `ArchiveError` if a row is damaged.
  /// - Complexity: O(values of the objects with such trees), or O(columns) if there are no such trees.
  package func losesCodedValues() throws -> Bool {
    guard let unchanged else { return false }
    let file = try ArchiveFile(bytes: bytes, limits: limits)
    let columns = file.classes.indices.map { index in
      file.classes[index].columns.indices.filter { file.layouts[index].holdsTrees($0) }
    }
    if columns.allSatisfy(\.isEmpty) { return false }
    let graph = try ArchiveFile(bytes: unchanged.graph.bytes, limits: .ofOwnArchives)
    for row in 0..<rowCount {
      guard let index = file.classIndex(ofRow: row), !columns[index].isEmpty, row < unchanged.rows.count,
        row == 0 || unchanged.rows[row] > 0
      else { continue }
      let stored = try file.object(ObjectID(rawValue: UInt32(truncatingIfNeeded: row)))
      let current = try graph.object(ObjectID(rawValue: row == 0 ? 0 : unchanged.rows[row]))
      for position in columns[index] {
        guard case .read(let key, let declaringClass) = classes[index].columns[position],
          let before = stored.value(inColumn: position),
          let property = current.properties.first(where: {
            $0.key.hasSameBytes(as: key) && (row == 0 || $0.declaringClass.hasSameBytes(as: declaringClass))
          })
        else { continue }
        if !property.value.isSameTree(as: before) { return true }
      }
    }
    return false
  }
}
