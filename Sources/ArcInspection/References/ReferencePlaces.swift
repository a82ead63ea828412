import ArcArchive
import ArcFormat
import ArcRuntime

/// Where in an object the references to others are.
struct ReferencePlaces {
  /// A reference: what it leads to, whether weakly, and the steps to it from the object.
  struct Place {
    let target: ObjectID
    let isWeak: Bool
    /// The column in which it is.
    let column: Int
    /// Nil if one of the steps is too long to be written.
    let step: String?
  }

  /// A step, of which text is made only where it is asked for.
  private enum Step {
    case text(String?)
    case element(Int)
    case value(ArchiveValue, Int, isFirst: Bool)
    case key(Int)
    case field(String, Int)
    case caseName(String)

    var text: String? {
      switch self {
      case .text(let text): text
      case .element(let index): PathText.step(toElement: index)
      case .value(let key, let index, let isFirst):
        (isFirst ? PathText.step(toValueFor: key) : nil) ?? PathText.step(toValueAt: index)
      case .key(let index): PathText.step(toKeyAt: index)
      case .field(let name, let index): name.isEmpty ? ".\(index)" : PathText.step(to: name)
      case .caseName(let name): PathText.step(to: name)
      }
    }
  }

  private let isWanted: (ObjectID) -> Bool
  private var steps: [Step] = []
  private var column = 0
  private var places: [Place] = []

  /// The references in an object to others that are wanted, in the order of its properties.
  ///
  /// - Complexity: O(values of the object).
  static func places(
    in object: ArchiveObject, _ catalog: ObjectCatalog, where isWanted: (ObjectID) -> Bool
  ) -> [Place] {
    withoutActuallyEscaping(isWanted) { isWanted in
      var search = ReferencePlaces(isWanted: isWanted)
      let layout = catalog.file.layouts[object.classIndex]
      for property in object.properties {
        let root = layout.roots[property.columnIndex]
        guard layout.reaches(from: root, where: { $0.kind == .reference || $0.kind == .weak }) else {
          continue
        }
        // Of a root, the name alone is the beginning of a path.
        let step =
          object.id.rawValue == 0
          ? PathText(root: property.key)?.text : catalog.step(to: property, of: object)
        search.column = property.columnIndex
        search.steps = [.text(step)]
        search.visit(catalog.value(of: property, in: object))
      }
      return search.places
    }
  }

  private init(isWanted: @escaping (ObjectID) -> Bool) { self.isWanted = isWanted }

  /// Recursive over a value, which nests as deep as `ArchiveLimits.nesting`, not over objects.
  private mutating func visit(_ value: TypedValue) {
    switch value.value {
    case .reference(let id?):
      guard isWanted(id) else { return }
      let texts = steps.map(\.text)
      let isWhole = !texts.contains(nil)
      places.append(
        Place(
          target: id, isWeak: value.isWeak, column: column,
          step: isWhole ? texts.compactMap { $0 }.joined() : nil))
    case .array, .set: for index in 0..<value.childCount { visit(value.child(index), .element(index)) }
    case .dictionary(let entries):
      var seen: Set<ArchiveValue> = []
      for (index, entry) in entries.enumerated() {
        let isFirst = seen.insert(entry.key).inserted
        visit(value.child(index), .value(entry.key, index, isFirst: isFirst))
        if let key = value.key(index) { visit(key, .key(index)) }
      }
    case .structure(_, let fields):
      for (index, field) in fields.enumerated() {
        if value.isOnlyValueOfCase {
          visit(value.child(index))
        } else {
          visit(value.child(index), .field(field.name, index))
        }
      }
    case .enumeration(_, let name, .some): visit(value.child(0), .caseName(name))
    default: break
    }
  }

  private mutating func visit(_ value: TypedValue, _ step: Step) {
    steps.append(step)
    visit(value)
    steps.removeLast()
  }
}
