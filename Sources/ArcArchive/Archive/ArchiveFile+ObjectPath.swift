package import ArcFormat

// The path from the roots to an object, which an error message shows. It is searched only after an error.

extension ArchiveFile {
  /// Finds a shortest path from a root to an object through strong and unowned references.
  ///
  /// The function reads all references once, without classes. The path contains no steps for boxes (objects
  /// that contain values of type `any P`): it shows the content of a box as a value of the referring object.
  ///
  /// - Parameters:
  ///   - row: the row of the object.
  ///   - isBox: returns whether the objects of a class are boxes.
  /// - Returns: the path; nil if no root reaches the object, or if a part of the file cannot be read. The
  ///   function does not throw, because its error would hide the error whose message needs the path.
  /// - Complexity: O(objects + references) time and memory, without recursion over objects.
  package func objectPath(toRow row: Int, isBox: (_ classIndex: Int) -> Bool) -> ObjectPath? {
    guard row != 0 else { return ObjectPath() }
    guard row > 0, row < rowCount, let references = try? RowReferences(of: self),
      let rows = ShortestPaths(in: references, following: { $0 != .weak }).path(to: row)
    else { return nil }
    return ObjectPath(objectCount: rows.count - 1) { try? steps(from: rows[$0], to: rows[$0 + 1], isBox) }
  }

  /// Returns the coded name of the class of a row. Nil if there is no such row, or if its segment cannot be
  /// read.
  ///
  /// - Complexity: O(log *n*) in the number of runs, after the segment was read.
  package func className(ofRow row: Int) -> String? { classIndex(ofRow: row).map { classes[$0].name } }

  /// Returns the index of the class of a row. Nil if there is no such row, or if its segment cannot be read.
  ///
  /// - Complexity: O(log *n*) in the number of runs, after the segment was read.
  package func classIndex(ofRow row: Int) -> Int? {
    guard let segment = rowsSegment(ofRow: row) else { return nil }
    return (try? rows(inSegment: segment))?.classIndex(ofRow: row)
  }

  /// Returns the first row of a class. Nil if the class has no rows, or if a segment before its first row
  /// cannot be read.
  ///
  /// - Complexity: O(segments + runs).
  package func firstRow(ofClass index: Int) -> Int? {
    for segment in rowsSegments {
      guard let runs = try? rows(inSegment: segment).runs else { return nil }
      if let run = runs.first(where: { $0.classIndex == index }) { return run.rows.lowerBound }
    }
    return nil
  }

  /// Returns the steps from an object to the first reference to `target` in the object's values. Nil if no
  /// value contains such a reference.
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

  /// Returns the steps to the first reference to `id` in the value, without weak references. Nil if there is
  /// no such reference.
  ///
  /// Recursive over the value, whose nesting is at most `ArchiveLimits.nesting`, but not over objects.
  fileprivate func steps(to id: ObjectID) -> [ValuePath.Step]? {
    if case .reference(let target) = value { return target == id && !isWeak ? [] : nil }
    for (step, child) in children(keys: .last) {
      if let steps = StackExtension.step({ child.steps(to: id) }) { return step.pathSteps + steps }
    }
    return nil
  }
}

extension ArchiveFile {
  /// Returns the step from an object of a class to one of its properties.
  package func step(to property: ArchiveObject.Property, ofClass classIndex: Int) -> ValuePath.Step {
    .name(classes.propertyName(ofColumn: property.columnIndex, ofClass: classIndex))
  }
}
