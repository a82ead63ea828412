public import Arc
import ArcArchive
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A data set: a folder that contains archives with links to each other, and a manifest.
///
///     let set = try ShardedArchive(contentsOf: folder)
///     let order = try set.session(ofShard: 1).object(Order.self)
///     let customer = try set.object(order.customer)
///
/// Each archive of a data set is a shard. An object refers to an object of another shard by a
/// ``ShardReference``. At the first access, the data set opens a shard as a memory-mapped file and compares
/// the shard with the manifest. A shard stays open until the data set is released, or until
/// `maximumOpenCount` other shards have been used. While a shard is open and the program retains an object of
/// the shard, ``object(_:)`` returns this object for each link to the object. A data set belongs to one task
/// or actor, like a `LazyArchive`. Spec: 14-data-sets.
public final class ShardedArchive {
  /// An archive of the data set, as the manifest describes it.
  public struct Shard: Hashable, Sendable {
    /// The path of the archive, relative to the folder of the data set.
    public let path: String
    /// The identifier of the archive. The metadata of the archive stores the identifier as `arc.id`.
    public let id: UUID
    /// The number of objects in the archive.
    public let objectCount: Int
    /// The size of the archive in bytes.
    public let byteCount: Int
    /// The number of objects of each class, by the coded name of the class. Objects of subclasses are not
    /// included.
    public let objectCounts: [String: Int]
  }

  /// The folder of the data set.
  public let folder: URL
  /// The shards of the data set, by shard number. A link contains the number of its target's shard.
  public let shards: [Shard]
  private let manifest: ShardManifest
  private let unarchiver: Unarchiver
  private let maximumOpenCount: Int
  /// The session of each open shard, by shard number. `lastUse` is the value that `useCount` had when the
  /// shard was last used.
  private var open: [Int: (session: LazyArchive, lastUse: Int)] = [:]
  private var useCount = 0

  /// Opens a data set. Each shard is opened later, at the first access to the shard.
  ///
  ///     let set = try ShardedArchive(contentsOf: folder, maximumOpenCount: 16)
  ///
  /// - Parameters:
  ///   - folder: the folder of the data set.
  ///   - unarchiver: the classes, the limits, the policies and the `userInfo` for reading each shard.
  ///   - maximumOpenCount: the maximum number of shards that are open at the same time, at least 1.
  /// - Throws: `ArchiveError` with code `fileSystem` if the folder has no manifest, `wrongShard` if the
  ///   manifest is not valid, for example because it lists a path twice, or an error of reading a damaged
  ///   manifest.
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
        throw ArchiveError(.wrongShard, found: "the shard identifier '\(shard.idText)'", expected: "a UUID")
      }
      return Shard(
        path: shard.path, id: id, objectCount: max(shard.rowCount - 1, 0), byteCount: shard.byteCount,
        objectCounts: shard.rowCounts)
    }
  }

  /// The identifier of the data set. Nil if the manifest does not contain a valid identifier.
  ///
  /// The metadata of the manifest stores the identifier as `arc.dataset`.
  public var id: UUID? { manifest.dataSetID.flatMap { UUID(uuidString: $0) } }

  /// The class and the property by which the objects in each shard are sorted, such as `"Person.name"`.
  ///
  /// Nil if the manifest does not state an order.
  public var sortedBy: String? { manifest.sortedBy }

  // MARK: Shards

  /// Returns the session that reads objects of a shard. Opens the shard if necessary.
  ///
  ///     let order = try set.session(ofShard: 1).object(Order.self)
  ///
  /// - Parameter number: the number of the shard.
  /// - Returns: the session of the shard.
  /// - Throws: `ArchiveError` with code `danglingReference` if no shard has the number; `fileSystem` if the
  ///   file of the shard cannot be read; `wrongShard` if the file does not exist, does not match the
  ///   manifest, or a symbolic link points outside the folder; `invalidUse` if the unarchiver preserves
  ///   unknown content; or the error of reading a damaged file.
  public func session(ofShard number: Int) throws -> LazyArchive {
    useCount += 1
    if let session = open[number]?.session {
      open[number] = (session, useCount)
      return session
    }
    let url = try url(ofShard: number)
    let session = try LazyArchive(mapping: url, unarchiver: unarchiver)
    try ArchiveError.locating(inFile: url) {
      try manifest.check(session.file, isShard: number)
    }
    if open.count >= maximumOpenCount, let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      open[oldest.key] = nil
    }
    open[number] = (session, useCount)
    return session
  }

  private func url(ofShard number: Int) throws -> URL {
    URL(fileURLWithPath: try manifest.path(ofShard: number, inFolder: folder.path))
  }

  /// Returns the target of a link. Nil if the link is empty.
  ///
  ///     let customer = try set.object(order.customer)
  ///
  /// - Parameter link: the link.
  /// - Returns: the target, which belongs to the session of its shard.
  /// - Throws: `ArchiveError` with code `danglingReference` if the shard or the row does not exist,
  ///   `wrongClass` if the target has a class that the link does not allow, `unknownClass` if the program
  ///   does not have the class of the target; or an error of `session(ofShard:)` or
  ///   `LazyArchive/object(_:id:leavingOut:)`.
  public func object<Target>(_ link: ShardReference<Target>) throws -> Target? {
    guard !link.isNil else { return nil }
    return try session(ofShard: Int(link.shard)).object(Target.self, id: link.row)
  }

  // MARK: Verification

  /// Checks every shard completely, compares it with the manifest, and checks the targets of all links.
  ///
  ///     try set.verify()
  ///
  /// - Throws: an `ArchiveError` for the first problem, with the path of the file: `fileSystem` if a file
  ///   cannot be read, `wrongShard` if an archive does not match the manifest, `danglingReference` or
  ///   `wrongClass` if a link is not valid, or the error of reading a damaged file.
  /// - Complexity: O(bytes of all shards). The method needs memory for one shard at a time, and for the row
  ///   range of each class in each shard.
  public func verify() throws {
    try manifest.verify { number, body in try check(number, body) }
  }

  private func check(_ number: Int, _ body: (ArchiveFile) throws -> Void) throws {
    let url = try url(ofShard: number)
    let file = try ArchiveFile(mapping: url, limits: unarchiver.limits)
    try ArchiveError.locating(inFile: url) { try body(file) }
  }
}
