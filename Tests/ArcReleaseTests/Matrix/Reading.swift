import Arc
import ArcArchive
import ArcDataSets
import ArcFormat
import Foundation

/// An API that reads a file.
enum Reading: String, CaseIterable {
  case whole = "Unarchiver"
  case closedTable = "closed table"
  case file = "read(from:)"
  case oneRoot = "one root of several"
  case severalRoots = "several roots"
  case leaveOut = ".leaveOut"
  case keep = ".keep"
  case keepAndSave = ".keep, saved"
  case checked = "differences before"
  case copied = "copied after"
  case snapshot = "snapshot after"
  case recovered = "recovery before"
  case arranged = "by class, compressed"
  case session = "session"
  case leavingSession = "session, .leaveOut"
  case sessionOfFile = "session of a file"
  case mapped = "mapped session"
  case path = "session, path to the value"
  case parts = "session, object by object"
  case dataSet = "ShardedArchive"

  /// Whether unknown content is omitted.
  var leavesOut: Bool {
    switch self {
    case .leaveOut, .keep, .keepAndSave, .leavingSession: true
    default: false
    }
  }

  /// Whether a session reads the file.
  var usesSession: Bool {
    switch self {
    case .session, .leavingSession, .sessionOfFile, .mapped, .path, .parts, .dataSet: true
    default: false
    }
  }

  /// Whether the reading takes much longer than other readings.
  var isSlow: Bool { self == .dataSet }
}

/// A file of the older release, and the types as which the newer release reads it.
struct ReadFile<Old: Holding, New: Holding> {
  let root: Old.Root
  /// The archive of the root.
  let bytes: [UInt8]
  let count: Int
  let register: (ClassTable) throws -> Void
  let isLossy: Bool
  let isVisible: Bool
  let newerVersions: NewerVersionPolicy
  let folder: URL

  /// Reads the file by one API. Nil if the API does not apply.
  func outcome(_ reading: Reading) -> Outcome? {
    switch reading {
    case .path where New.path(0) == nil: nil
    case .parts where !(New.self is any PartHolding.Type): nil
    case .checked: New.isChecked ? checkedOutcome() : nil
    default: Outcome { try read(reading) }
    }
  }

  private func severalRoots() throws -> [UInt8] {
    try Archiver().archive(roots: ["other": 1, "one": root, "two": [root]])
  }

  private func arranged() throws -> [UInt8] {
    var archiver = Archiver()
    (archiver.compression, archiver.layout) = (.zlib, .columnar())
    return try archiver.archive(root)
  }

  private func shard() throws -> [UInt8] {
    var archiver = Archiver()
    archiver.metadata = ShardedArchive.metadata(ofShard: 0, in: UUID())
    return try archiver.archive(root)
  }

  private func unarchiver(
    closed: Bool = false, _ policy: UnknownContentPolicy = .refuse
  ) throws -> Unarchiver {
    let classes = ClassTable(scope: closed ? .declared : .program)
    for type in New.types { try classes.register(all: type) }
    try register(classes)
    return Unarchiver(classes: classes, unknownContent: policy, newerVersions: newerVersions)
  }

  private func url(_ bytes: [UInt8]) throws -> URL {
    let url = folder.appendingPathComponent("file.arc")
    try? FileManager.default.removeItem(at: url)
    try Data(bytes).write(to: url)
    return url
  }

  private func read(_ reading: Reading) throws -> Any {
    let type = New.Root.self
    switch reading {
    case .whole, .checked: return try unarchiver().unarchive(type, from: bytes)
    case .closedTable: return try unarchiver(closed: true).unarchive(type, from: bytes)
    case .file: return try unarchiver().read(type, from: url(bytes))
    case .oneRoot:
      return try unarchiver().unarchive(type, from: severalRoots(), root: "one")
    case .severalRoots:
      let (one, two) = try unarchiver().unarchive(
        roots: Unarchiver.RootRequest("one", type), Unarchiver.RootRequest("two", [New.Root].self),
        from: severalRoots())
      guard GraphText.of([one] + two) == GraphText.of([one, one]) else {
        throw Difference("two roots do not share their objects")
      }
      return one
    case .leaveOut: return try unarchiver(.leaveOut).unarchive(type, from: bytes)
    case .keep: return try unarchiver(.preserve(in: PreservedContent())).unarchive(type, from: bytes)
    case .keepAndSave:
      let unknown = PreservedContent()
      let value = try unarchiver(.preserve(in: unknown)).unarchive(type, from: bytes)
      var archiver = Archiver()
      archiver.preservedContent = unknown
      let saved = try archiver.archive(value)
      try ArchiveFile(bytes: saved).verify()
      return try unarchiver(.leaveOut).unarchive(type, from: saved)
    case .copied: return try ObjectGraph.copy(unarchiver().unarchive(type, from: bytes))
    case .snapshot:
      let copy = try Archiver().snapshot(of: unarchiver().unarchive(type, from: bytes)).archive()
      return try unarchiver().unarchive(type, from: copy)
    case .recovered:
      let recovery = try ArchiveRecovery(bytes: bytes)
      guard recovery.losses.isEmpty else { throw Difference("recovery loses \(recovery.losses)") }
      return try unarchiver().unarchive(type, from: recovery.archive())
    case .arranged:
      return try unarchiver().unarchive(type, from: arranged())
    default: return try readPart(reading)
    }
  }

  private func readPart(_ reading: Reading) throws -> Any {
    let type = New.Root.self
    switch reading {
    case .leavingSession:
      return try LazyArchive(bytes: bytes, unarchiver: unarchiver(.leaveOut)).value(type, at: "root")
    case .sessionOfFile:
      return try LazyArchive(contentsOf: url(bytes), unarchiver: unarchiver()).value(type, at: "root")
    case .mapped:
      return try LazyArchive(mapping: url(bytes), unarchiver: unarchiver()).value(type, at: "root")
    case .path:
      let session = try LazyArchive(bytes: bytes, unarchiver: unarchiver())
      return try (0..<count).compactMap(New.path).map { try session.value(New.S.Value.self, at: $0) }
    case .parts:
      let session = try LazyArchive(bytes: bytes, unarchiver: unarchiver())
      return try (New.self as? any PartHolding.Type)?.parts(session, count) ?? 0
    case .dataSet:
      let set = folder.appendingPathComponent("set")
      try? FileManager.default.removeItem(at: set)
      try FileManager.default.createDirectory(at: set, withIntermediateDirectories: true)
      try Data(shard()).write(to: set.appendingPathComponent("a.arc"))
      try ShardedArchive.writeManifest(in: set)
      return try ShardedArchive(contentsOf: set, unarchiver: unarchiver()).session(ofShard: 0)
        .value(type, at: "root")
    default:
      return try LazyArchive(bytes: bytes, unarchiver: unarchiver()).value(type, at: "root")
    }
  }

  /// Reads the file after a check of its schema. Compares the result of the check with the result of reading.
  private func checkedOutcome() -> Outcome {
    let outcome = Outcome { try read(.whole) }
    do {
      let differences = try unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: New.Root.self)
      let worst = differences.map(\.effect).filter { $0 != .lossy }.max() ?? .compatible
      switch outcome {
      case .graph where worst == .refused: return .failed("differences: \(differences)")
      case .refused where worst < .checked && isVisible:
        return .failed("differences: \(differences), but \(outcome)")
      default: break
      }
      if !isLossy, let loss = differences.first(where: { $0.effect == .lossy }) {
        return .failed("differences: \(loss)")
      }
    } catch {
      return .failed("differences: \(error)")
    }
    return outcome
  }
}

/// A difference outside the graph.
struct Difference: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
