import ArcFormat

/// The classes of a file that the program does not have and whose objects are left out, and what that means
/// for what leads to them, told before any object is read.
struct LeftOutClasses {
  /// These classes, and all above them.
  private let families: Set<Int>
  private let stored: StoredSchema

  /// Finds them among the classes with objects.
  init(
    of stored: StoredSchema, _ rowCounts: [Int], _ policy: UnknownContentPolicy, _ types: ReachableClasses,
    _ substitutes: SubstituteClasses
  ) {
    self.stored = stored
    if policy.refuses {
      families = []
      return
    }
    // A class that is refused for another reason is not left out; comparing it tells the reason.
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

  /// The difference of a property, or of a root with `className` nil, that cannot be nil where its column may
  /// lead to objects which are left out; nil where nothing can go wrong.
  func difference(
    ofColumn position: Int, ofClassAt index: Int, as type: any ArchivableValue.Type, className: String?,
    key: String
  ) -> SchemaDifference? {
    guard !families.isEmpty, Self.needsObjects(type),
      stored.targets(ofColumns: [position], ofClassAt: index).contains(where: leadsToLeftOut)
    else { return nil }
    let encoding = TypeEncoding(of: type)
    return SchemaDifference(
      .checked, className: className, key: key,
      found: "references that become nil, because their objects have unknown classes and are omitted",
      expected: "a property that can be nil, not a property of " + TypeWords.named(encoding),
      fileType: stored.classes[index].columns[position].attributes.type, programType: encoding,
      remedy: "declare the property optional")
  }

  private func leadsToLeftOut(_ target: StoredSchema.Target) -> Bool {
    switch target {
    case .anyObject: true
    case .family(let index): families.contains(index)
    }
  }

  /// Whether values of a type have references that neither can be nil nor are left out of a collection.
  private static func needsObjects(_ type: any ArchivableValue.Type) -> Bool {
    // A type without a valid encoding is rejected where its values are read.
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
