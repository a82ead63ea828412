import ArcArchive
import ArcFormat
import ArcRuntime

/// A search for the references in an object.
struct ReferenceSearch {
  /// A reference to an object.
  struct Reference {
    let target: ObjectID
    let isWeak: Bool
    /// The index of the column that contains the reference.
    let column: Int
    /// The path from the object to the reference. Nil if a step is too long to be printed.
    let step: String?
  }

  private let isWanted: (ObjectID) -> Bool
  /// The step to the property. Nil if its name is too long to be printed.
  private var beginning: String?
  /// The steps from the property to the current value. They are converted to text only when the search finds
  /// a matching reference.
  private var steps: [(step: ValueStep, namesEntry: Bool)] = []
  private var column = 0
  private var references: [Reference] = []

  /// Returns the references in an object, in the order of the object's properties. Omits references to
  /// targets for which `isWanted` returns false.
  ///
  /// - Complexity: O(values of the object).
  static func references(
    in object: ArchiveObject, _ catalog: ObjectCatalog, where isWanted: (ObjectID) -> Bool
  ) -> [Reference] {
    withoutActuallyEscaping(isWanted) { isWanted in
      var search = ReferenceSearch(isWanted: isWanted)
      let layout = catalog.file.layouts[object.classIndex]
      for property in object.properties {
        let root = layout.roots[property.columnIndex]
        guard layout.containsAnyReference(root) else { continue }
        // In row 0, properties are roots, and a path begins with the name of a root without a point.
        search.beginning =
          object.id.rawValue == 0
          ? PathText(root: property.key)?.text : catalog.step(to: property, of: object)
        search.column = property.columnIndex
        search.visit(catalog.value(of: property, in: object))
      }
      return search.references
    }
  }

  private init(isWanted: @escaping (ObjectID) -> Bool) { self.isWanted = isWanted }

  /// Appends the references in a value. The recursion follows nested values, whose depth
  /// `ArchiveLimits.nesting` limits. It does not follow references.
  private mutating func visit(_ value: TypedValue) {
    if case .reference(let id?) = value.value {
      guard isWanted(id) else { return }
      let texts = [beginning] + steps.map { $0.step.printedText(namesEntry: $0.namesEntry) }
      references.append(
        Reference(
          target: id, isWeak: value.isWeak, column: column,
          step: texts.contains(nil) ? nil : texts.compactMap { $0 }.joined()))
    }
    var keys: Set<ArchiveValue> = []
    for (step, child) in value.children(keys: .last) {
      var namesEntry = true
      if case .value(_, let key) = step { namesEntry = keys.insert(key).inserted }
      steps.append((step, namesEntry))
      visit(child)
      steps.removeLast()
    }
  }
}
