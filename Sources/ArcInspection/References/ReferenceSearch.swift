import ArcArchive
import ArcFormat
import ArcRuntime

/// Where in an object the references to others are.
struct ReferenceSearch {
  /// A reference: what it leads to, whether weakly, and the steps to it from the object.
  struct Reference {
    let target: ObjectID
    let isWeak: Bool
    /// The column in which it is.
    let column: Int
    /// Nil if one of the steps is too long to be written.
    let step: String?
  }

  private let isWanted: (ObjectID) -> Bool
  /// The step to the property; nil if its name is too long to be written.
  private var beginning: String?
  /// The steps from the property to the value. They are converted to text only for references that are found.
  private var steps: [(step: ValueStep, namesEntry: Bool)] = []
  private var column = 0
  private var references: [Reference] = []

  /// The references in an object to others that are wanted, in the order of its properties.
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
        // Of a root, the name alone is the beginning of a path.
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

  /// Recursive over a value, which nests as deep as `ArchiveLimits.nesting`, not over objects.
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
