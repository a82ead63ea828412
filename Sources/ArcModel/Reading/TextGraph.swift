import ArcJSON

/// What a text tells of objects, found before any of them is built: which JSON objects stand for which
/// object, and which objects need which others.
struct TextGraph {
  /// The objects, those further out first.
  var nodes: [Node] = []
  /// The JSON objects of which objects are made, as they were met.
  var sources: [Source] = []
  /// The numbers of objects by their identities.
  var keyed: [ObjectKey: Int] = [:]
  /// The numbers of objects that are updated.
  var updatedNumbers: [ObjectIdentifier: Int] = [:]
  /// Values of constants that must be the same.
  var constants: [Constant] = []
  /// The JSON objects that lead to others.
  var references: [Reference] = []
  /// The entries of JSON objects whose objects others need to be built, those that one needs side by side.
  var needs: [Int] = []
  /// For each row, which has one JSON object, the number of the object that it stands for.
  private var numbers: [Int32]
  /// The numbers of objects by their names.
  var identified: [String: Int] = [:]
  /// The entries of further JSON objects by their names; nil before they were looked for.
  var others: OtherObjects?
  /// Whether an object, which others can refer to already, lacks a value that it needs.
  var isIncomplete = false

  /// A JSON object of which an object is made.
  struct Source {
    let index: Int
    /// The number of the object, as far as that was known when it was met.
    let number: Int
  }

  /// Two values of a constant of an object.
  struct Constant {
    let value: Int
    let other: Int
    let node: Int
    let filler: RowFiller
  }

  /// An object.
  struct Node {
    /// The entry of its first JSON object.
    let index: Int
    var plan: Int
    /// Where the entries of its properties' values begin; -1 before they were looked for.
    var firstMember = -1
    /// Its part of `needs`.
    var needs = 0..<0
    var state = State.found
  }

  enum State {
    case found
    /// It waits for objects that it needs.
    case waiting
    case built
    case failed
    /// It is there already, and takes what the text has for it.
    case updated
    /// It is another one.
    case merged
  }

  /// A JSON object that leads to another one, and what refers to it.
  struct Reference {
    let index: Int
    /// The entry of the name.
    let name: Int
    let node: Int
    let filler: RowFiller
  }

  /// JSON objects with names that no property leads to.
  struct OtherObjects {
    var entries: [String: Int] = [:]
    /// The entries of names that are there twice.
    var duplicates: [String: Int] = [:]
  }

  /// Adds an object, and the JSON object that it is made of; returns its number.
  mutating func addNode(ofObjectAt index: Int, plan: Int, _ state: State = .found) -> Int {
    let number = nodes.count
    nodes.append(Node(index: index, plan: plan, state: state))
    addSource(index, of: number)
    return number
  }

  /// Has an object made of another JSON object too.
  mutating func addSource(_ index: Int, of number: Int) {
    setNumber(number, ofObjectAt: index)
    sources.append(Source(index: index, number: number))
  }

  /// A graph without objects; it has room for none.
  init() { numbers = [] }

  /// A graph without objects, of a number of rows.
  init(rowCount: Int) { numbers = Array(repeating: Self.unknown, count: rowCount) }

  /// The number of what was not met yet.
  private static let unknown: Int32 = -1
  /// The number of what stands for no object.
  private static let nothing: Int32 = -2

  /// The number of the object that a JSON object stands for; nil for none.
  func number(ofObjectAt index: Int) -> Int? {
    let number = numbers[RowFiller.row(ofObjectAt: index)]
    return number >= 0 ? Int(number) : nil
  }

  /// The object of a row; nil for one that leads to another one's.
  func node(ofRow row: Int) -> Node? {
    guard numbers[row] >= 0 else { return nil }
    let node = nodes[Int(numbers[row])]
    return RowFiller.row(ofObjectAt: node.index) == row ? node : nil
  }

  /// The entries of all JSON objects that updated objects are made of, in order, by the first one.
  func entriesOfUpdatedObjects() -> [Int: [Int]] {
    var entries: [Int: [Int]] = [:]
    for source in sources {
      guard let number = number(ofObjectAt: source.index), nodes[number].state == .updated else { continue }
      entries[nodes[number].index, default: []].append(source.index)
    }
    return entries.mapValues { $0.sorted() }
  }

  /// Whether a JSON object was met.
  func isKnown(_ index: Int) -> Bool { numbers[RowFiller.row(ofObjectAt: index)] != Self.unknown }

  /// Says for which object a JSON object stands; nil for none.
  mutating func setNumber(_ number: Int?, ofObjectAt index: Int) {
    numbers[RowFiller.row(ofObjectAt: index)] = number.map { Int32(truncatingIfNeeded: $0) } ?? Self.nothing
  }
}
