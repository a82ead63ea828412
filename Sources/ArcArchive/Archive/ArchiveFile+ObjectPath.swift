package import ArcFormat

// By which way the roots reach an object: found when there is an error to tell of.

extension ArchiveFile {
  /// A shortest way from a root to an object, over references that keep their targets, weak ones not. The
  /// keys of classes for which `isBox` is true are no steps: who has the value is what refers to the object.
  ///
  /// Reads all references once, without classes. Nil if no root reaches the object, or if something in the
  /// file cannot be read: the error that asks for the way is worth more than one about the way.
  ///
  /// - Complexity: O(objects + references) time and memory, without recursion over objects.
  package func objectPath(toRow row: Int, isBox: (_ classIndex: Int) -> Bool) -> ObjectPath? {
    guard row != 0 else { return ObjectPath() }
    guard row > 0, row < rowCount, let references = try? RowReferences(of: self),
      let rows = ShortestPaths(in: references, following: { $0 != .weak }).path(to: row)
    else { return nil }
    return ObjectPath(objectCount: rows.count - 1) { try? steps(from: rows[$0], to: rows[$0 + 1], isBox) }
  }

  /// The coded name of the class of a row; nil if there is no such row, or it cannot be read.
  ///
  /// - Complexity: O(log *n*) in the number of runs, once the segment was read.
  package func className(ofRow row: Int) -> String? { classIndex(ofRow: row).map { classes[$0].name } }

  /// The index of the class of a row; nil if there is no such row, or it cannot be read.
  ///
  /// - Complexity: O(log *n*) in the number of runs, once the segment was read.
  package func classIndex(ofRow row: Int) -> Int? {
    guard let segment = rowsSegment(ofRow: row) else { return nil }
    return (try? rows(inSegment: segment))?.classIndex(ofRow: row)
  }

  /// The first row of a class; nil if it has none, or a segment before it cannot be read.
  ///
  /// - Complexity: O(segments + runs).
  package func firstRow(ofClass index: Int) -> Int? {
    for segment in rowsSegments {
      guard let runs = try? rows(inSegment: segment).runs else { return nil }
      if let run = runs.first(where: { $0.classIndex == index }) { return run.rows.lowerBound }
    }
    return nil
  }

  /// The steps from an object to the first reference in it that leads to another.
  func steps(
    from row: Int, to target: Int, _ isBox: (_ classIndex: Int) -> Bool
  ) throws -> [String]? {
    let object = try object(ObjectID(rawValue: UInt32(row)))
    let layout = layouts[object.classIndex]
    for property in object.properties {
      let root = layout.roots[property.columnIndex]
      guard layout.containsReference(root),
        let inner = property.value.steps(to: ObjectID(rawValue: UInt32(target)), layout, node: root)
      else { continue }
      return (isBox(object.classIndex) ? [] : [ObjectPath.step(to: property.key)]) + inner
    }
    return nil
  }
}

extension ArchiveValue {
  /// The steps to the first strong reference to an object in the value of a node; nil if there is none.
  /// Recursive over the value, which nests as deep as `ArchiveLimits.nesting`, not over objects.
  fileprivate func steps(to id: ObjectID, _ layout: ColumnLayout, node index: Int) -> [String]? {
    let node = layout.nodes[index]
    func child(_ value: ArchiveValue, _ position: Int, _ step: @autoclosure () -> String? = nil) -> [String]?
    {
      let steps = StackExtension.step { value.steps(to: id, layout, node: node.children[position]) }
      return steps.map { (step().map { [$0] } ?? []) + $0 }
    }
    switch self {
    case .reference(let target):
      if node.kind == .optional { return child(self, 0) }
      return target == id && node.kind != .weak ? [] : nil
    case _ where node.kind == .optional: return self == .null ? nil : child(self, 0)
    case .array(let elements), .set(let elements):
      for (position, element) in elements.enumerated() {
        if let steps = child(element, 0, ObjectPath.step(toElement: position)) { return steps }
      }
    case .dictionary(let entries):
      for (position, entry) in entries.enumerated() {
        if let steps = child(entry.value, 1, ObjectPath.step(toValueFor: entry.key.keyText, at: position)) {
          return steps
        }
        if let steps = child(entry.key, 0, ObjectPath.step(toKey: position)) { return steps }
      }
    case .structure(let name, let fields):
      let isOnly = name == "?" && fields.count == 1 && fields[0].name.isEmpty
      for (position, field) in fields.enumerated() {
        let step = { isOnly ? nil : ObjectPath.step(toField: field.name, at: position) }
        if let steps = child(field.value, position, step()) { return steps }
      }
    case .enumeration(_, let name, let payload?):
      guard let position = node.labels.firstIndex(of: name), let inner = node.payloads[position] else {
        return nil
      }
      return child(payload, inner, ObjectPath.step(to: name))
    default: break
    }
    return nil
  }

  /// A string or number as a key in a path.
  var keyText: String? {
    switch self {
    case .string(let text): ObjectPath.quoted(text)
    case .integer(let number): "\(number)"
    default: nil
    }
  }
}
