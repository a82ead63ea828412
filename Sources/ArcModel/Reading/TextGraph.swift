import ArcJSON

/// The objects of a text, found before any of them is built. Contains which JSON objects describe one object,
/// and which objects must be built before an object. An object is identified by its number, an index into
/// `nodes`.
struct TextGraph {
  /// The objects, outer objects first.
  var nodes: [Node] = []
  /// The JSON objects from which objects are built, in the order in which they were found.
  var sources: [Source] = []
  /// The numbers of the objects, by identity.
  var keyed: [ObjectKey: Int] = [:]
  /// The numbers of the existing objects that the text updates, by the identifier of the object in memory.
  var updatedNumbers: [ObjectIdentifier: Int] = [:]
  /// The pairs of values that must be equal. A pair contains the values of one constant in two JSON objects
  /// that describe one object.
  var constants: [Constant] = []
  /// The JSON objects that refer to another JSON object by `$ref`.
  var references: [Reference] = []
  /// The needs of all objects. A need is the document index of a JSON object whose object must be built
  /// first. `Node.needs` is the range of one object's needs in this array.
  var needs: [Int] = []
  /// For each row, the number of the object that the row's JSON object describes. Each JSON object has a row.
  private var numbers: [Int32]
  /// The numbers of objects, by `$id`.
  var identified: [String: Int] = [:]
  /// The JSON objects that have an `$id`, but that no property reads. Nil until a `$ref` requires a search
  /// for them.
  var unreferenced: UnreferencedObjects?
  /// Whether at least one object lacks a required value. Other objects may already refer to this object, so
  /// the reading ends with an error.
  var isIncomplete = false

  /// A JSON object from which an object is built.
  struct Source {
    let index: Int
    /// The number of the object when the JSON object was found. After a merge, `number(ofObjectAt:)` returns
    /// another number.
    let number: Int
  }

  /// The document indices of two JSON values for one `let` property of an object. The values must be equal.
  struct Constant {
    let value: Int
    let other: Int
    let node: Int
    let filler: JSONRowFiller
  }

  struct Node {
    /// The position of the first JSON object that describes this object, as an index into the document.
    let index: Int
    var plan: Int
    /// The position in `ReadingSession.members` at which the object's members begin, or -1 before they are
    /// found.
    var firstMember = -1
    /// The range of the object in `TextGraph.needs`.
    var needs = 0..<0
    var state = State.found
  }

  enum State {
    case found
    /// The object waits for the objects that must be built before it.
    case waiting
    case built
    case failed
    /// An existing object that receives new values from the text.
    case updated
    /// The object is not built, because another node has the same identity.
    case merged
  }

  /// A JSON object with a `$ref`. `node` is the node of the property that reads this JSON object.
  struct Reference {
    let index: Int
    /// The document index of the value of `$ref`.
    let name: Int
    let node: Int
    let filler: JSONRowFiller
  }

  /// The JSON objects that have an `$id`, but that no property reads.
  struct UnreferencedObjects {
    /// The document index of the first JSON object with each `$id`.
    var entries: [String: Int] = [:]
    /// The document index of a repeated `$id` value, for each `$id` that several objects have.
    var duplicates: [String: Int] = [:]
  }

  /// Adds an object that is built from a JSON object. Returns its number.
  mutating func addNode(ofObjectAt index: Int, plan: Int, _ state: State = .found) -> Int {
    let number = nodes.count
    nodes.append(Node(index: index, plan: plan, state: state))
    addSource(index, of: number)
    return number
  }

  /// Adds another JSON object that describes the object with a number.
  mutating func addSource(_ index: Int, of number: Int) {
    setNumber(number, ofObjectAt: index)
    sources.append(Source(index: index, number: number))
  }

  /// Creates an empty graph without rows.
  init() { numbers = [] }

  /// Creates a graph without objects, for `rowCount` rows.
  init(rowCount: Int) { numbers = Array(repeating: Self.unknown, count: rowCount) }

  /// The element of `numbers` for a row whose JSON object is not found yet.
  private static let unknown: Int32 = -1
  /// The element of `numbers` for a row whose JSON object describes no object.
  private static let noObject: Int32 = -2

  /// Returns the number of the object that a JSON object describes. Returns nil if there is no object.
  func number(ofObjectAt index: Int) -> Int? {
    let number = numbers[JSONRowFiller.row(ofObjectAt: index)]
    return number >= 0 ? Int(number) : nil
  }

  /// Returns the object that is built in a row. Each row belongs to a JSON object. Returns nil if this JSON
  /// object describes no object, or an object that is built in the row of another JSON object.
  func node(ofRow row: Int) -> Node? {
    guard numbers[row] >= 0 else { return nil }
    let node = nodes[Int(numbers[row])]
    return JSONRowFiller.row(ofObjectAt: node.index) == row ? node : nil
  }

  /// Returns the document indices of all JSON objects that describe each updated object, in ascending order.
  /// The key is the document index of the object's first JSON object.
  func entriesOfUpdatedObjects() -> [Int: [Int]] {
    var entries: [Int: [Int]] = [:]
    for source in sources {
      guard let number = number(ofObjectAt: source.index), nodes[number].state == .updated else { continue }
      entries[nodes[number].index, default: []].append(source.index)
    }
    return entries.mapValues { $0.sorted() }
  }

  /// Whether a JSON object was found already.
  func isKnown(_ index: Int) -> Bool { numbers[JSONRowFiller.row(ofObjectAt: index)] != Self.unknown }

  /// Records the number of the object that a JSON object is read as. `number` is nil if no object is built
  /// for the JSON object.
  mutating func setNumber(_ number: Int?, ofObjectAt index: Int) {
    numbers[JSONRowFiller.row(ofObjectAt: index)] =
      number.map { Int32(truncatingIfNeeded: $0) } ?? Self.noObject
  }
}
