import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation

/// A file of a release with random declarations, and the graph that the program must read from it.
struct RandomFile {
  let bytes: [UInt8]
  /// The expected graph as text.
  private let expected: Outcome
  /// The codes with which a program that refuses unknown content can refuse the file. Empty if it reads the
  /// file.
  let refusals: Set<ArchiveError.Code>

  init(_ random: inout SplitMix64) throws {
    let schema = RandomSchema(&random)
    let builder = try ArchiveBuilder(
      roots: [.init("root", type: "@\"R.Root\"")],
      compression: Bool.random(using: &random) ? .none : .zlib)
    try builder.addClass("R.Root", properties: [.init("nodes", type: "$[@\"R.Node\"]")])
    try builder.addClass("R.Extra", properties: [.init("n", type: Int.self)])
    try builder.addClass("R.Node", properties: schema.node.flatMap(\.properties))
    try builder.addClass("R.Leaf", superclass: "R.Node", properties: schema.leaf.flatMap(\.properties))
    try builder.addClass("R.Gone", superclass: "R.Node", properties: [.init("gone", type: String.self)])
    let classes = (0..<Int.random(in: 1..<8, using: &random)).map { _ in
      Int.random(in: 0..<8, using: &random) < 1 && schema.hasUnknownClass
        ? "R.Gone" : ["R.Node", "R.Leaf"][Int.random(in: 0..<2, using: &random)]
    }
    let root = try builder.reserveObject(ofClass: "R.Root")
    let pool = ObjectPool(
      ids: try classes.map { try builder.reserveObject(ofClass: $0) },
      nodes: classes.map { $0 == "R.Gone" ? nil : $0 == "R.Leaf" ? Leaf() : Node() },
      extras: try (0..<2).map { _ in try builder.reserveObject(ofClass: "R.Extra") })
    try builder.setRoots(["root": ArchiveValue.reference(root)])
    try builder.setValues(["nodes": ArchiveValue.array(pool.ids.map { .reference($0) })], of: root)
    for (position, id) in pool.extras.enumerated() { try builder.setValues(["n": position + 10], of: id) }
    var refusals: Set<ArchiveError.Code> = []
    for (position, id) in pool.ids.enumerated() {
      var drawn = schema.node.flatMap { $0.draw(&random, pool) }
      if classes[position] == "R.Leaf" { drawn += schema.leaf.flatMap { $0.draw(&random, pool) } }
      var columns = drawn.map(\.column)
      if classes[position] == "R.Gone" {
        columns.append(.init("gone", ["\(position)"]))
        refusals.insert(.unknownClass)
      }
      try builder.setValues(columns, of: [id])
      if drawn.contains(where: \.isUnknown) { refusals.insert(.unknownCase) }
      if let node = pool.nodes[position] { for value in drawn { value.set(node) } }
    }
    let list = NodeList()
    list.nodes = pool.nodes.compactMap(\.self)
    (expected, self.refusals) = (.graph(GraphText.of(list)), refusals)
    bytes = try builder.finish()
  }

  // MARK: Readings

  enum Reading: String, CaseIterable {
    case whole, leaveOut, keep, keepAndSave, session, parts, leavingSession, recovered, copied, snapshot
    case saved, checked

    var leavesOut: Bool {
      switch self {
      case .leaveOut, .keep, .keepAndSave, .leavingSession: true
      default: false
      }
    }
  }

  /// Returns the difference between the graph that one API reads and the expected graph. Nil if there is
  /// none.
  func difference(_ reading: Reading) -> String? {
    let found = Outcome { try read(reading) }
    if !reading.leavesOut, !refusals.isEmpty {
      if case .refused(let code) = found, refusals.contains(code) { return nil }
      return "\(reading): found \(found), expected one of \(refusals)"
    }
    return found == expected ? nil : "\(reading): \(found.difference(from: expected))"
  }

  private func read(_ reading: Reading) throws -> NodeList {
    let classes = ClassTable(scope: .declared)
    try classes.register(all: Node.self, Leaf.self, NodeList.self)
    func unarchiver(_ policy: UnknownContentPolicy = .refuse) -> Unarchiver {
      Unarchiver(classes: classes, unknownContent: policy)
    }
    func whole() throws -> NodeList { try unarchiver().unarchive(NodeList.self, from: bytes) }
    switch reading {
    case .whole: return try whole()
    case .leaveOut: return try unarchiver(.leaveOut).unarchive(NodeList.self, from: bytes)
    case .keep: return try unarchiver(.preserve(in: PreservedContent())).unarchive(NodeList.self, from: bytes)
    case .keepAndSave: return try readSaved(unarchiver)
    case .session: return try LazyArchive(bytes: bytes, unarchiver: unarchiver()).object(NodeList.self)
    case .leavingSession:
      return try LazyArchive(bytes: bytes, unarchiver: unarchiver(.leaveOut)).object(NodeList.self)
    case .parts:
      let session = try LazyArchive(bytes: bytes, unarchiver: unarchiver())
      let count = try session.file.value(atPath: "root.nodes").value.elements?.count ?? 0
      let root = NodeList()
      root.nodes = try (0..<count).map { try session.object(Node.self, at: "root.nodes[\($0)]") }
      // A weak reference is set when its target is read.
      return root
    case .recovered:
      return try unarchiver().unarchive(NodeList.self, from: ArchiveRecovery(bytes: bytes).archive())
    case .copied: return try ObjectGraph.copy(whole())
    case .snapshot:
      return try unarchiver().unarchive(NodeList.self, from: Archiver().snapshot(of: whole()).archive())
    case .saved: return try unarchiver().unarchive(NodeList.self, from: Archiver().archive(whole()))
    case .checked:
      let root = try whole()
      let differences = try unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: NodeList.self)
      if let refused = differences.first(where: { $0.effect == .refused }) {
        throw Difference("differences: \(refused)")
      }
      return root
    }
  }

  /// Saves the file with a program that preserves unknown content, reads the result, and compares it with the
  /// content of the file.
  private func readSaved(_ unarchiver: (UnknownContentPolicy) -> Unarchiver) throws -> NodeList {
    let unknown = PreservedContent()
    let root = try unarchiver(.preserve(in: unknown)).unarchive(NodeList.self, from: bytes)
    let saved = try Archiver(preserving: unknown).archive(root)
    let file = try ArchiveFile(bytes: saved)
    try file.verify()
    let before = try Self.unknownContent(of: ArchiveFile(bytes: bytes))
    let after = try Self.unknownContent(of: file)
    guard before == after else { throw Difference("kept \(after), expected \(before)") }
    return try unarchiver(.leaveOut).unarchive(NodeList.self, from: saved)
  }

  /// Returns the unknown content of the nodes of a file.
  private static func unknownContent(of file: ArchiveFile) throws -> [String] {
    try (file.value(atPath: "root.nodes").value.elements ?? []).map { element in
      guard let id = element.objectID else { return "nil" }
      let node = try file.object(id)
      let extra = try node["extra"]?.objectID.map { try file.object($0) }
      let kinds = [node["kind"], node["kinds"], node["cases"]].compactMap { $0 }.map { "\($0)" }.joined()
      let infos = [node["info"], node["infos"], node["details"]].compactMap { $0 }
        .flatMap { $0.elements ?? [$0] }.compactMap { $0[field: "unknown"]?.string }
      return [
        node.className, node["gone"]?.string, node["note"]?.string, node["number"].map { "\($0)" },
        extra?["n"].map { "\($0)" }, "infos: \(infos)",
        "odd: \(kinds.components(separatedBy: "\"odd").count)",
      ].map { $0 ?? "-" }.joined(separator: " ")
    }
  }
}
