import ArcJSON

/// The objects of a text, found before one of them is built: which JSON objects are which object, and which
/// objects need which objects. An object has a number, its index in `nodes`.
struct TextGraph {
  /// The objects, outer objects first.
  var nodes: [Node] = []
  /// The JSON objects from which objects are built, in the order in which they were found.
  var sources: [Source] = []
  /// The numbers of objects, by identity.
  var keyed: [ObjectKey: Int] = [:]
  /// The numbers of existing objects that are updated.
  var updatedNumbers: [ObjectIdentifier: Int] = [:]
  /// Pairs of values of one constant that must be equal.
  var constants: [Constant] = []
  /// The JSON objects with a `$ref` to another JSON object.
  var references: [Reference] = []
  /// The document indices of the JSON objects whose objects must be built first. Each object has a part of
  /// this array.
  var needs: [Int] = []
  /// For each row, and so for each JSON object, the number of its object.
  private var numbers: [Int32]
  /// The numbers of objects, by `$id`.
  var identified: [String: Int] = [:]
  /// The JSON objects with an `$id` that no property contains. Nil before they are searched.
  var unreferenced: UnreferencedObjects?
  /// Whether an object lacks a value that it needs, although other objects may already refer to it.
  var isIncomplete = false

  /// A JSON object from which an object is built.
  struct Source {
    let index: Int
    /// The number that the object had when the JSON object was found. If the object was merged,
    /// `number(ofObjectAt:)` returns another number.
    let number: Int
  }

  /// The document indices of two values of one constant of an object.
  struct Constant {
    let value: Int
    let other: Int
    let node: Int
    let filler: RowFiller
  }

  struct Node {
    /// The document index of the object's first JSON object.
    let index: Int
    var plan: Int
    /// The position of the object's first element in `ReadingSession.members`, or -1 before its members are
    /// found.
    var firstMember = -1
    /// The object's part of `TextGraph.needs`.
    var needs = 0..<0
    var state = State.found
  }

  enum State {
    case found
    /// The objects that it needs are being built.
    case waiting
    case built
    case failed
    /// An existing object that receives new values from the text.
    case updated
    /// The object is another node's object, because both have the same identity.
    case merged
  }

  /// A JSON object with a `$ref`, and the node of the property that contains it.
  struct Reference {
    let index: Int
    /// The document index of the value of `$ref`.
    let name: Int
    let node: Int
    let filler: RowFiller
  }

  /// JSON objects with an `$id` that no property contains.
  struct UnreferencedObjects {
    /// The document indices of the objects, by `$id`.
    var entries: [String: Int] = [:]
    /// The document indices of repeated `$id` values, by `$id`.
    var duplicates: [String: Int] = [:]
  }

  /// Adds an object that is built from a JSON object. Returns its number.
  mutating func addNode(ofObjectAt index: Int, plan: Int, _ state: State = .found) -> Int {
    let number = nodes.count
    nodes.append(Node(index: index, plan: plan, state: state))
    addSource(index, of: number)
    return number
  }

  /// Adds another JSON object from which an object is built.
  mutating func addSource(_ index: Int, of number: Int) {
    setNumber(number, ofObjectAt: index)
    sources.append(Source(index: index, number: number))
  }

  /// Creates an empty graph without rows.
  init() { numbers = [] }

  /// Creates a graph without objects, for `rowCount` rows.
  init(rowCount: Int) { numbers = Array(repeating: Self.unknown, count: rowCount) }

  /// Marks a row in `numbers` whose JSON object was not found yet.
  private static let unknown: Int32 = -1
  /// The number of a JSON object that has no object.
  private static let noObject: Int32 = -2

  /// Returns the number of the object for a JSON object. Returns nil if it has none.
  func number(ofObjectAt index: Int) -> Int? {
    let number = numbers[RowFiller.row(ofObjectAt: index)]
    return number >= 0 ? Int(number) : nil
  }

  /// Returns the object of a row. Returns nil if the row has the object of another JSON object.
  func node(ofRow row: Int) -> Node? {
    guard numbers[row] >= 0 else { return nil }
    let node = nodes[Int(numbers[row])]
    return RowFiller.row(ofObjectAt: node.index) == row ? node : nil
  }

  /// Returns the document indices of all JSON objects of each updated object, in ascending order, by the
  /// document index of the first.
  func entriesOfUpdatedObjects() -> [Int: [Int]] {
    var entries: [Int: [Int]] = [:]
    for source in sources {
      guard let number = number(ofObjectAt: source.index), nodes[number].state == .updated else { continue }
      entries[nodes[number].index, default: []].append(source.index)
    }
    return entries.mapValues { $0.sorted() }
  }

  /// Whether a JSON object was found already.
  func isKnown(_ index: Int) -> Bool { numbers[RowFiller.row(ofObjectAt: index)] != Self.unknown }

  /// Records the number of the object that a JSON object is read as. `number` is nil if no object is built
  /// for the JSON object.
  mutating func setNumber(_ number: Int?, ofObjectAt index: Int) {
    numbers[RowFiller.row(ofObjectAt: index)] = number.map { Int32(truncatingIfNeeded: $0) } ?? Self.noObject
  }
}
