import ArcFormat

/// The classes of a file that the program does not have and whose objects are omitted. Determines, before any
/// object is read, which properties cannot be read without these objects.
struct OmittedClasses {
  /// The omitted classes and all their superclasses.
  private let families: Set<Int>
  private let stored: StoredSchema

  /// Finds the omitted classes. Only classes with objects in the file can be omitted classes.
  init(
    of stored: StoredSchema, _ rowCounts: [Int], _ policy: UnknownContentPolicy, _ types: ReachableClasses,
    _ substitutes: SubstituteClasses
  ) {
    self.stored = stored
    if policy.refuses {
      families = []
      return
    }
    // A class that is refused for another reason is not omitted. Comparing the class reports the reason.
    let indices = stored.classes.indices.dropFirst().filter { index in
      do {
        return try rowCounts[index] > 0 && types.type(named: stored.classes[index].name) == nil
          && substitutes.type(forClassAt: index) == nil
      } catch { return false }
    }
    var families: Set<Int> = []
    for index in indices {
      var next: Int? = index
      while let index = next, families.insert(index).inserted {
        next = stored.classes[index].superclassIndex
      }
    }
    self.families = families
  }

  /// Returns the reason why a property or root cannot be read: it cannot be nil, but its column may refer to
  /// omitted objects. `className` is nil for a root. Returns nil if the property or root can be read.
  func difference(
    ofColumn position: Int, ofClassAt index: Int, as type: any ArchivableValue.Type, className: String?,
    key: String
  ) -> SchemaDifference? {
    guard !families.isEmpty, Self.needsObjects(type),
      stored.targets(ofColumns: [position], ofClassAt: index).contains(where: permitsOmitted)
    else { return nil }
    let encoding = TypeEncoding(of: type)
    return SchemaDifference(
      .checked, className: className, key: key,
      found: "references that become nil, because their objects have unknown classes and are omitted",
      expected: "a property that can be nil, not a property of " + TypeWords.named(encoding),
      fileType: stored.classes[index].columns[position].attributes.type, programType: encoding,
      remedy: "declare the property optional")
  }

  private func permitsOmitted(_ target: StoredSchema.Target) -> Bool {
    switch target {
    case .anyObject: true
    case .family(let index): families.contains(index)
    }
  }

  /// Whether values of a type may contain references that can neither be nil nor be omitted from a
  /// collection.
  private static func needsObjects(_ type: any ArchivableValue.Type) -> Bool {
    // A type without a valid encoding is rejected when its values are read.
    guard let layout = try? ColumnLayout(of: TypeEncoding(of: type)) else { return false }
    let marks = ColumnMarks.of(type)
    var isDispensable = [Bool](repeating: false, count: layout.nodes.count)
    for (node, mark) in marks { if case .takesNil = mark { isDispensable[node] = true } }
    for node in layout.nodes where [.array, .set, .dictionary].contains(node.kind) {
      for child in node.children { isDispensable[child] = true }
    }
    return layout.nodes.indices.contains { layout.nodes[$0].kind == .reference && !isDispensable[$0] }
  }
}
