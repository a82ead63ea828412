import ArcFormat
import ArcRuntime

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

  /// The nodes of the objects, by UID. Empty if the list is not a keyed archive. The objects of inner
  /// archives follow the objects of the file.
  var objects: [UInt32] = []
  /// The source of the content of each object that becomes a row. The index of an object is its index in an
  /// `ImportedValue`.
  var sources: [ObjectSource] = []
  /// The index of the object of each UID. -1 if no value refers to the object.
  var objectOfUID: [Int32] = []
  /// The index of the object of each container that the file stores without an object, by node. -1 if no
  /// value refers to the container.
  var objectOfNode: [Int32] = []
  /// The index of the object for each box, and for each dictionary that the program reads as an object of a
  /// class.
  var convertedObjects: [ConvertedObject: Int] = [:]
  /// The index of the class of each object, by UID. Empty without a guide.
  var classOfUID: [Int: Int] = [:]
  /// The box of each value that a property of type `Any` contains.
  var boxes: [ImportedValue: ImportedValue] = [:]
  /// The nesting depth of the boxes whose rows have been read, by object.
  var boxDepths: [Int: Int] = [:]
  /// The root of each inner archive, by the node of its data. Nil for data that is not an archive.
  var innerRoots: [Int: ImportedValue?] = [:]
  /// The first UID of the file and of each inner archive, in ascending order.
  var firstUIDs = [0]
  /// The number of references to each object, by UID.
  var referenceCounts: [UInt32] = []
  /// The value that represents each object, by UID. Nil until the object is read.
  var resolved: [ImportedValue?] = []
  /// Whether each object is part of the value of another object, by UID.
  var isUsed: [Bool] = []
  /// Whether `noteContent` has inspected each node.
  var isNoted: [Bool]
  /// The class index of each class description, by the UID of the description.
  var classOfObject: [Int: Int] = [:]
  var classIndices: [ImportedClass: Int] = [:]
  var shapes: [KeyedShape] = []
  /// For each class of the file, the kind of Foundation's objects of this class. Nil if the class is not a
  /// class of Foundation that represents values.
  var kinds: [FoundationKind?] = []
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
    _ list: PropertyList, named name: String?, _ budget: ImportBudget, guide: ImportGuide?,
    into report: inout ImportReport
  ) throws(ImportError) -> ImportedGraph {
    var reader = KeyedGraphReader(list, budget, guide, report)
    reader.graph.fileName = name
    try reader.readRoots()
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

  private mutating func readRoots() throws(ImportError) {
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
    prepare(firstReference: 0)
    if let guide { roots = try requestedRoots(guide.roots.map(\.name), of: roots) }
    for (name, node) in roots {
      var value = try value(ofNode: node)
      if let shape = guide?.shape(ofRoot: name) { value = try fitted(value, to: shape) }
      try charge(value)
      graph.roots.append((name, value))
      try walk(from: value)
    }
    if guide == nil { try addUnreached() }
  }

  /// Returns the roots that the program reads. If both the program and the file have one root, the names may
  /// differ.
  private func requestedRoots(
    _ names: [String], of roots: [(name: String, node: Int)]
  ) throws(ImportError) -> [(name: String, node: Int)] {
    if names.count == 1, roots.count == 1 { return [(names[0], roots[0].node)] }
    var requested: [(name: String, node: Int)] = []
    for name in names {
      guard let root = roots.first(where: { $0.name.hasSameBytes(as: name) }) else {
        throw ImportError(
          .missingRoot,
          found: roots.isEmpty
            ? "no roots" : "the roots " + roots.map { "'\($0.name)'" }.joined(separator: ", "),
          expected: "a root with the name '\(name)', or a single root",
          remedy: roots.isEmpty ? nil : "pass one of the names; ArchiveImporter.roots(of:) returns them")
      }
      requested.append(root)
    }
    return requested
  }

  /// Extends the reader's tables for the objects and nodes that were added since the last call.
  mutating func prepare(firstReference: Int) {
    let list = graph.list
    let added = objects.count - resolved.count
    resolved += Array(repeating: nil, count: added)
    isUsed += Array(repeating: false, count: added)
    referenceCounts += Array(repeating: 0, count: added)
    objectOfUID += Array(repeating: -1, count: added)
    isNoted += Array(repeating: false, count: list.nodes.count - isNoted.count)
    objectOfNode += Array(repeating: -1, count: list.nodes.count - objectOfNode.count)
    for node in list.references[firstReference...] {
      if case .uid(let uid) = list.nodes[Int(node)], uid < UInt64(objects.count) {
        referenceCounts[Int(uid)] += 1
      }
    }
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
        try checkDepth(of: object, row)
        graph.rowOfObject[object] = Int32(truncatingIfNeeded: graph.rows.count)
        graph.rows.append(row)
      case .enter(let object):
        guard graph.rowOfObject[object] == -1 else { continue }
        graph.rowOfObject[object] = Self.isEntered
        try budget.chargeRow(at: byteOffset(of: object))
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
      case .structure: pending += graph.elements[graph.structures[Int(next.index)].fields]
      default: break
      }
    }
  }

  // MARK: Limits

  /// Charges the elements of a collection. Called each time the collection is stored.
  mutating func charge(elements count: Int, at node: Int) throws(ImportError) {
    try budget.charge(elements: count, at: graph.list.byteOffsets[node])
  }

  /// Charges the bytes of a string or data. Called each time the value is stored, because the archive stores
  /// a copy of it each time.
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
