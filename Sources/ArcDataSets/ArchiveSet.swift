public import Arc
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The archives of a data set: a folder with a manifest, and ``Link``s from one to another.
///
///     let set = try ArchiveSet(contentsOf: folder)
///     let order = try set.session(ofShard: 1).object(Order.self)
///     let customer = try set.object(order.customer)
///
/// A shard is opened, as a mapped file, when something of it is asked for, and compared with what the
/// manifest says of it. It stays open as long as the set, unless `maximumOpenCount` others were used since.
/// Objects are those of the shards' sessions: as long as a shard is open, a link that is followed twice leads
/// to the same object. Belongs to one task or actor, as `ArchiveSession` does. Spec: 14-data-sets.
public final class ArchiveSet {
  /// An archive of the data set, as the manifest describes it.
  public struct Shard: Hashable, Sendable {
    /// Where it is, relative to the folder.
    public let path: String
    /// Its `arc.id`.
    public let id: UUID
    /// The number of its objects.
    public let objectCount: Int
    /// Its size in bytes.
    public let byteCount: Int
    /// The number of objects of each class, subclasses not counted, by coded names.
    public let objectCounts: [String: Int]
  }

  /// The folder.
  public let folder: URL
  /// The shards in the order of their numbers, by which links name them.
  public let shards: [Shard]
  private let manifest: ShardManifest
  private let unarchiver: Unarchiver
  private let maximumOpenCount: Int
  /// The open shards by their numbers, and when each was used last.
  private var open: [Int: (session: ArchiveSession, lastUse: Int)] = [:]
  private var useCount = 0

  /// Opens the data set of a folder; none of its shards.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - unarchiver: what to read each shard with: its classes, limits, policy on unknown content and
  ///     `userInfo`.
  ///   - maximumOpenCount: how many shards are open at a time, at least 1.
  /// - Throws: `ArchiveError` with code `fileSystem` if there is no manifest, `wrongShard` for one that names
  ///   what cannot be a shard; or what is wrong with it.
  public init(
    contentsOf folder: URL, unarchiver: Unarchiver = Unarchiver(), maximumOpenCount: Int = .max
  ) throws {
    self.folder = folder
    self.unarchiver = unarchiver
    self.maximumOpenCount = max(maximumOpenCount, 1)
    manifest = try ArchiveError.locating(inFile: folder.appendingPathComponent(ShardManifest.path)) {
      try ShardManifest(inFolder: folder.path, limits: unarchiver.limits)
    }
    shards = try manifest.shards.map { shard in
      guard let id = UUID(uuidString: shard.idText) else {
        throw ArchiveError(.wrongShard, found: "the id '\(shard.idText)'", expected: "a UUID")
      }
      return Shard(
        path: shard.path, id: id, objectCount: max(shard.rowCount - 1, 0), byteCount: shard.byteCount,
        objectCounts: shard.rowCounts)
    }
  }

  /// The `arc.dataset` of the manifest; nil if it has none.
  public var id: UUID? { manifest.dataSetID.flatMap { UUID(uuidString: $0) } }

  /// The class and property by which objects are sorted within each shard, `"Person.name"`, as the manifest
  /// says; nil if they are not.
  public var sortedBy: String? { manifest.sortedBy }

  // MARK: Shards

  /// The session of a shard, which is opened if it is not open.
  ///
  /// - Parameter number: the number of the shard.
  /// - Returns: what reads its objects.
  /// - Throws: `ArchiveError` with code `danglingReference` if there is no such shard, `wrongShard` if the
  ///   file is another than the manifest says, or leads out of the folder by a symbolic link, `invalidUse` if
  ///   the unarchiver's policy is to keep unknown content; or what is wrong with the file.
  public func session(ofShard number: Int) throws -> ArchiveSession {
    useCount += 1
    if let session = open[number]?.session {
      open[number] = (session, useCount)
      return session
    }
    let url = try url(ofShard: number)
    let session = try ArchiveSession(mapping: url, unarchiver: unarchiver)
    try ArchiveError.locating(inFile: url) {
      try manifest.shards[number].check(session.file, countsRows: false)
    }
    if open.count >= maximumOpenCount, let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      open[oldest.key] = nil
    }
    open[number] = (session, useCount)
    return session
  }

  /// The file of a shard.
  private func url(ofShard number: Int) throws -> URL {
    URL(fileURLWithPath: try manifest.path(ofShard: number, inFolder: folder.path))
  }

  /// The object that a link leads to.
  ///
  /// - Parameter link: the link.
  /// - Returns: the object, of the session of its shard; nil for a link to nothing.
  /// - Throws: `ArchiveError` with code `danglingReference` for a link to no shard or row, `wrongClass` or
  ///   `unknownClass` for one to an object of another class; otherwise as `session(ofShard:)` and
  ///   `ArchiveSession/object(_:id:leavingOut:)` do.
  public func object<Target>(_ link: Link<Target>) throws -> Target? {
    guard !link.isNil else { return nil }
    return try session(ofShard: Int(link.shard)).object(Target.self, id: link.row)
  }

  // MARK: Verification

  /// Checks all shards, each as a whole and as the manifest describes it, and where all links lead to.
  ///
  /// - Throws: the first `ArchiveError` found, with the path of its file: `wrongShard` for an archive that is
  ///   another, `danglingReference` and `wrongClass` for a link, or what is wrong with a shard.
  /// - Complexity: O(bytes of all shards), and memory for one of them and the runs of classes of all.
  public func verify() throws {
    try manifest.verify { number, body in try check(number, body) }
  }

  private func check(_ number: Int, _ body: (ArchiveFile) throws -> Void) throws {
    let url = try url(ofShard: number)
    let file = try ArchiveFile(mapping: url, limits: unarchiver.limits)
    try ArchiveError.locating(inFile: url) { try body(file) }
  }
}
