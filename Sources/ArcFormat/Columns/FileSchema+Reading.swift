import ArcRuntime

/// Reading the class table of a file.
extension FileSchema {
  /// Reads and checks the class table. Spec: 02-container, rule I5; 07-limits, rules A5 and A6.
  package convenience init(
    reading segments: [SegmentInfo], in store: ByteStore, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let segmentCount = segments.count { $0.kind == .classes }
    var classes: [ClassDescription] = []
    var indices = ShortMap<ExactName, Int>()
    var byteCount = 0
    for segment in segments where segment.kind == .classes {
      byteCount += segment.rawByteCount
      try ArchiveLimits.check(
        byteCount, within: limits.classTableBytes, "classTableBytes", byteOffset: segment.byteOffset)
      let payload = try SegmentPayload(segment, in: store)
      var reader = payload.reader
      let known = classes.count
      try ClassTableSegment.read(&reader, into: &classes, indices: &indices, limits: limits)
      guard known == segment.firstIndex, classes.count == known + segment.count else {
        throw ArchiveError(
          .indexMismatch,
          found:
            "\(plural(classes.count - known, "new class", "new classes")) after \(plural(known, "known class", "known classes"))",
          expected:
            "\(plural(segment.count, "new class", "new classes")) after \(plural(segment.firstIndex, "known class", "known classes")), as in the index",
          byteOffset: segment.byteOffset)
      }
    }
    try Self.checkNames(classes, byteOffset: segments.first { $0.kind == .classes }?.byteOffset)
    let hierarchy = ClassHierarchy(classes)
    var layouts: [ColumnLayout] = []
    for (index, description) in classes.enumerated() {
      try Self.checkColumns(of: index, in: classes, hierarchy)
      let layout = try ColumnLayout(description)
      try ArchiveLimits.check(layout.nodes.count, within: limits.columnsPerClass, "columnsPerClass")
      layouts.append(layout)
    }
    let segment = segmentCount == 1 ? segments.first { $0.kind == .classes } : nil
    self.init(
      classes, indices, layouts, hierarchy, source: segment.map { SegmentCopy($0, in: store) })
  }

  /// Checks that class 0 is the class of the roots, and that no other class has a reserved name.
  ///
  /// Spec: 03-classes, rules C5 and C6.
  private static func checkNames(_ classes: [ClassDescription], byteOffset: Int?) throws(ArchiveError) {
    guard let roots = classes.first, roots.name == ClassDescription.rootsName, roots.superclassIndex == nil,
      roots.columns.allSatisfy({ $0.flags.isEmpty })
    else {
      throw ArchiveError(
        .malformedClassTable,
        found: classes.first.map { "'\($0.name)' as the first class" } ?? "a class table without classes",
        expected: "'\(ClassDescription.rootsName)' as the first class, without a superclass or column flags",
        byteOffset: byteOffset,
        className: classes.first?.name)
    }
    for description in classes.dropFirst()
    where ColumnLayout.isReserved(description.name) || description.superclassIndex == 0 {
      throw ArchiveError(
        .malformedClassTable,
        found: description.superclassIndex == 0
          ? "a class with the roots as its superclass"
          : "a class with the reserved name '\(description.name)'",
        expected: description.superclassIndex == 0
          ? "another superclass, or no superclass" : "a name that is not reserved",
        byteOffset: byteOffset, className: description.name)
    }
  }

  /// Checks that each column is declared by the class or a superclass. Checks that no two columns have the
  /// same declaring class and key, unless both are keyed and differ in their attributes. Spec: 03-classes,
  /// rules C3 and C4.
  private static func checkColumns(
    of index: Int, in classes: [ClassDescription], _ hierarchy: ClassHierarchy
  ) throws(ArchiveError) {
    let description = classes[index]
    for column in description.columns {
      guard hierarchy.isClass(index, orSubclassOf: column.declaringClassIndex) else {
        throw ArchiveError(
          .malformedClassTable,
          found: "a property declared by class '\(classes[column.declaringClassIndex].name)'",
          expected: "a property declared by class '\(description.name)' or one of its superclasses",
          className: description.name, key: column.key)
      }
    }
    if let column = description.repeatedColumn() {
      throw ArchiveError(
        .malformedClassTable, found: "two properties with the key '\(column.key)'",
        expected: "properties with distinct keys; only a hand-written coder may use a key for several types",
        className: description.name, key: column.key)
    }
  }
}
