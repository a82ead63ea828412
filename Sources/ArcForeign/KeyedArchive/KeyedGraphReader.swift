import ArcFormat

/// Reads the objects of a keyed archive, or the containers of another property list, into rows.
///
/// Each object becomes one row, even if several UIDs refer to it. Arrays, sets and dictionaries are objects
/// too, because they have identity. A depth-first walk from the roots numbers the rows: an object comes after
/// the objects to which it refers, unless these refer back to it. The walk uses an array of steps instead of
/// recursion, so that a chain of a million objects uses no stack.
struct KeyedGraphReader {
  var graph: ImportedGraph
  var keys: KeyTable
  var report: ImportReport
  let budget: ImportBudget
  let guide: ImportGuide?

  /// The nodes of the objects, by UID. Empty if the list is not a keyed archive.
  var objects: [UInt32] = []
  /// The number of references to each object, by UID.
  var referenceCounts: [UInt32] = []
  /// The value of each object, by UID. Nil until it is known.
  var resolved: [ImportedValue?] = []
  /// Whether each object is part of the value of another object, by UID.
  var isUsed: [Bool] = []
  /// Whether `noteContent` has inspected each node.
  var isNoted: [Bool]
  /// The class index of each class description, by the UID of the description.
  var classOfObject: [Int: Int] = [:]
  var classIndices: [ImportedClass: Int] = [:]
  var shapes: [KeyedShape] = []
  /// The coded name of the program's class for each class of the file. Nil if the program does not have the
  /// class.
  var programClasses: [String?] = []
  let classKey: Int

  /// A step of the walk: visit an object, or store its row after the objects to which it refers.
  private enum Step {
    case enter(Int)
    case leave(Int, ImportedRow)
  }
  private static let isEntered: Int32 = -2

  /// Reads a property list into a graph of rows.
  static func read(
    _ list: PropertyList, named name: String?, _ budget: ImportBudget, guide: ImportGuide?, rootName: String,
    into report: inout ImportReport
  ) throws(ImportError) -> ImportedGraph {
    var reader = KeyedGraphReader(list, budget, guide, report)
    reader.graph.fileName = name
    try reader.readRoots(rootName)
    report = reader.report
    reader.graph.keys = reader.keys.keys
    return reader.graph
  }

  private init(_ list: PropertyList, _ budget: ImportBudget, _ guide: ImportGuide?, _ report: ImportReport) {
    graph = ImportedGraph(list: list)
    keys = KeyTable(nodeCount: list.nodes.count)
    isNoted = Array(repeating: false, count: list.nodes.count)
    classKey = keys.number(of: "$class")
    (self.budget, self.guide, self.report) = (budget, guide, report)
  }

  // MARK: Roots

  private mutating func readRoots(_ rootName: String) throws(ImportError) {
    var roots: [(name: String, node: Int)] = []
    if KeyedArchive.isKeyed(graph.list) {
      let archive = try KeyedArchive(graph.list, &keys)
      if archive.archiver != "NSKeyedArchiver" {
        report.note(.otherArchiver, "'\(archive.archiver ?? "none")'")
      }
      objects = Array(archive.objects)
      roots = archive.top.items.map { (keys.keys[$0.key], $0.node) }
      for other in archive.others {
        report.note(.otherTopLevelKey, "'\(keys.keys[other.key])'")
        roots.append((keys.keys[other.key], other.node))
      }
      graph.format = "\(graph.list.notation.rawValue) keyed archive"
    } else {
      roots = [("root", graph.list.top)]
      graph.format = "\(graph.list.notation.rawValue) property list"
    }
    prepare()
    if guide != nil { roots = [try root(named: rootName, of: roots)] }
    for (name, node) in roots {
      var value = try value(ofNode: node)
      if let guide { value = try fitted(value, to: guide.root) }
      try charge(value)
      graph.roots.append((name, value))
      try walk(from: value)
    }
    if guide == nil { try addUnreached() }
  }

  private func root(
    named name: String, of roots: [(name: String, node: Int)]
  ) throws(ImportError) -> (name: String, node: Int) {
    guard let root = roots.first(where: { $0.name == name }) ?? (roots.count == 1 ? roots.first : nil) else {
      throw ImportError(
        .missingRoot,
        found: roots.isEmpty
          ? "no roots" : "the roots " + roots.map { "'\($0.name)'" }.joined(separator: ", "),
        expected: "a root with the name '\(name)', or a single root")
    }
    return ("root", root.node)
  }

  private mutating func prepare() {
    let list = graph.list
    resolved = Array(repeating: nil, count: objects.count)
    isUsed = Array(repeating: false, count: objects.count)
    referenceCounts = Array(repeating: 0, count: objects.count)
    for node in list.references {
      if case .uid(let uid) = list.nodes[Int(node)], uid < UInt64(objects.count) {
        referenceCounts[Int(uid)] += 1
      }
    }
    graph.rowOfObject = Array(repeating: -1, count: objects.count + list.nodes.count)
  }

  /// Adds the root `$unreached` with the objects that no other root reaches, so that no object is lost.
  private mutating func addUnreached() throws(ImportError) {
    var unreached: [ImportedValue] = []
    for uid in objects.indices where resolved[uid] == nil && !isUsed[uid] && classOfObject[uid] == nil {
      let node = Int(objects[uid])
      guard !isNull(node), !isClass(node) else { continue }
      let value = try value(ofObject: uid, at: node)
      guard value.kind != .nothing else { continue }
      report.note(.unreachedObject, "object \(uid)")
      try charge(value)
      unreached.append(value)
      try walk(from: value)
    }
    guard !unreached.isEmpty else { return }
    graph.roots.append(("$unreached", try collect(.list, unreached)))
  }

  /// Whether a node is the description of a class.
  private mutating func isClass(_ node: Int) -> Bool {
    // If the node has no valid members, reading it as an object reports the error.
    guard let members = try? KeyedMembers(graph.list, node, &keys) else { return false }
    return members[classKey] == nil && member("$classname", members) != nil
  }

  // MARK: The walk

  /// Reads the rows of all objects that a value reaches.
  mutating func walk(from value: ImportedValue) throws(ImportError) {
    var steps: [Step] = []
    push(value, to: &steps)
    while let step = steps.popLast() {
      switch step {
      case .leave(let object, let row):
        graph.rowOfObject[object] = Int32(truncatingIfNeeded: graph.rows.count)
        graph.rows.append(row)
      case .enter(let object):
        guard graph.rowOfObject[object] == -1 else { continue }
        graph.rowOfObject[object] = Self.isEntered
        try budget.chargeRow(at: graph.list.byteOffsets[location(object).node])
        let row = try row(of: object)
        steps.append(.leave(object, row))
        for index in row.fields.reversed() { push(graph.fields[index].value, to: &steps) }
      }
    }
  }

  /// Adds a step for each object in a value, unless the object already has a row. The walk visits the first
  /// object of the value first.
  private func push(_ value: ImportedValue, to steps: inout [Step]) {
    var pending = [value]
    while let next = pending.popLast() {
      switch next.kind {
      case .object:
        if graph.rowOfObject[Int(next.index)] == -1 { steps.append(.enter(Int(next.index))) }
      case .list, .dictionary: pending += graph.elements[graph.collections[Int(next.index)]]
      default: break
      }
    }
  }

  // MARK: Limits

  /// Charges the elements of a collection, each time the collection is stored.
  mutating func charge(elements count: Int, at node: Int) throws(ImportError) {
    try budget.charge(elements: count, at: graph.list.byteOffsets[node])
  }

  /// Charges the bytes of a string or data, each time it is stored, because the archive does not share
  /// values.
  mutating func charge(_ value: ImportedValue) throws(ImportError) {
    guard value.kind == .string || value.kind == .data else { return }
    let index = Int(value.index)
    try budget.charge(bytes: graph.list.contentByteCount(index), at: graph.list.byteOffsets[index])
  }

  /// Adds a collection of values to the graph.
  mutating func collect(
    _ kind: ImportedValue.Kind, _ values: [ImportedValue]
  ) throws(ImportError) -> ImportedValue {
    try charge(elements: values.count, at: graph.list.top)
    for value in values { try charge(value) }
    graph.collections.append(graph.elements.count..<graph.elements.count + values.count)
    graph.elements += values
    return ImportedValue(kind, graph.collections.count - 1)
  }
}
