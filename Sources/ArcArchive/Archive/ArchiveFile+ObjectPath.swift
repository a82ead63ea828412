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
  ) throws -> [ValuePath.Step]? {
    let object = try object(ObjectID(rawValue: UInt32(row)))
    let layout = layouts[object.classIndex]
    for property in object.properties {
      let root = layout.roots[property.columnIndex]
      guard layout.containsReference(root),
        let inner = TypedValue(property, in: object, of: self)
          .steps(to: ObjectID(rawValue: UInt32(target)))
      else { continue }
      return (isBox(object.classIndex) ? [] : [step(to: property, ofClass: object.classIndex)]) + inner
    }
    return nil
  }
}

extension TypedValue {
  /// Creates the value of a property of an object.
  package init(_ property: ArchiveObject.Property, in object: ArchiveObject, of file: ArchiveFile) {
    let layout = file.layouts[object.classIndex]
    self.init(property.value, layout: layout, node: layout.roots[property.columnIndex])
  }

  /// The steps to the first strong reference to an object in the value; nil if there is none.
  /// Recursive over the value, which nests as deep as `ArchiveLimits.nesting`, not over objects.
  fileprivate func steps(to id: ObjectID) -> [ValuePath.Step]? {
    if case .reference(let target) = value { return target == id && !isWeak ? [] : nil }
    for (step, child) in children(keys: .last) {
      if let steps = StackExtension.step({ child.steps(to: id) }) { return step.pathSteps + steps }
    }
    return nil
  }
}

extension ArchiveFile {
  /// The step from an object of a class to one of its properties.
  package func step(to property: ArchiveObject.Property, ofClass classIndex: Int) -> ValuePath.Step {
    .name(classes.propertyName(ofColumn: property.columnIndex, ofClass: classIndex))
  }
}
