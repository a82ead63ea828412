public import ArcArchive
public import ArcFormat
import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A session with an open archive, from which a program reads single objects with everything they reach.
///
///     let session = try LazyArchive(mapping: url)
///     let artwork = try session.object(Artwork.self, at: "root.artworks[3]")
///     let study = try session.object(Study.self, id: ObjectID(rawValue: 6))
///
/// **A part** is an object or a value with everything that it reaches over strong references. Reading a part
/// gives the same objects as reading the whole graph with an `Unarchiver`. There are three exceptions:
///
/// - The target of a ``Lazy`` property is not read until `load()` is called.
/// - A weak reference is nil if its target is neither in the part nor in memory. A weak property is set when
///   its target is read later. A weak reference within a value, or in a hand-written class, stays nil.
/// - An unowned reference is an error (`unownedTarget`) if its target is neither in the part nor in memory.
///   Read the owner of the target first, and retain the owner.
///
/// **Identity.** While the program retains an object, each part that contains the object refers to that same
/// object. The session does not read the object again, so the object has the program's changes. After the
/// program has released the object, its changes are lost, and the next access reads its row again.
///
/// **Cost.** A session reads the segments that a part needs, of about 1 MB each. The session checks and
/// decompresses a segment at the first access, and caches some segments. Reading a whole graph takes about
/// ten times as long as with an `Unarchiver`. Damage in other segments is not found: call `verify()` of
/// ``file`` to check the whole archive. An error in an object names the class, the property and the number of
/// the object, but not the path from a root.
///
/// **Migration.** If the part contains an object that its class migrates, the session reads the whole file
/// once. The session then migrates all objects of the classes that are known at that time. Objects of classes
/// that only later parts reach are migrated later. If this later migration removes or replaces an object that
/// was already read, reading throws `invalidUse`. To avoid this error, read an object of the migrated class
/// before the objects that it refers to.
///
/// If the policy on unknown content is not `.refuse`, or if parts are left out, the session also reads the
/// segments of the targets of ``Lazy`` references, to determine which targets are left out.
///
/// While the session reads a part, hooks and other code of the objects cannot read another part
/// (`invalidUse`). A session belongs to one task or actor, together with the objects that were read from it.
public final class LazyArchive {
  /// The file of the session, for inspection without the classes of its objects.
  ///
  ///     let session = try LazyArchive(mapping: url)
  ///     print(session.file.rowCount, try session.file.metadata())
  ///     let artworks = try session.file.rows(ofClass: "Artwork")
  public let file: ArchiveFile
  private let unarchiver: Unarchiver
  private let url: URL?
  private lazy var reader = makeReader()
  private var known = KnownObjects()
  private var isReading = false

  /// Opens an archive in memory. The session copies the bytes.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     let session = try LazyArchive(bytes: bytes)
  ///     let first = try session.object(Artwork.self, at: "root.artworks[0]")
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - unarchiver: the classes, the limits, the policies and the `userInfo` for reading.
  /// - Throws: `ArchiveError` with the code of the damage if the archive is damaged, or with code
  ///   `invalidUse` if the unarchiver preserves unknown content, because a session cannot preserve unknown
  ///   content.
  public init(bytes: some Collection<UInt8>, unarchiver: Unarchiver = Unarchiver()) throws {
    try Self.check(unarchiver)
    self.unarchiver = unarchiver
    url = nil
    file = try ArchiveFile(bytes: bytes, limits: unarchiver.limits)
  }

  /// Reads the archive at a URL into memory and opens it.
  ///
  ///     let session = try LazyArchive(contentsOf: url)
  ///     let first = try session.object(Artwork.self, at: "root.artworks[0]")
  ///     print(first.title)
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - unarchiver: the classes, the limits, the policies and the `userInfo` for reading.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, the code of the damage if
  ///   the file is damaged, or `invalidUse` if the unarchiver preserves unknown content.
  public init(contentsOf url: URL, unarchiver: Unarchiver = Unarchiver()) throws {
    try Self.check(unarchiver)
    self.unarchiver = unarchiver
    self.url = url
    file = try ArchiveFile(contentsOf: url, limits: unarchiver.limits)
  }

  /// Opens the archive at a URL without reading it into memory.
  ///
  ///     let unarchiver = Unarchiver(limits: .untrusted)
  ///     let session = try LazyArchive(mapping: url, unarchiver: unarchiver)
  ///     let first = try session.object(Artwork.self, at: "root.artworks[0]")   // reads its segments only
  ///
  /// The file is mapped into memory, and only the segments in use are read. **Use this initializer only for
  /// files that no program changes while they are open.** If another process truncates the file, an access to
  /// the missing bytes ends this process with the signal SIGBUS. Replacing the whole file, as
  /// `Archiver.write` does, is safe: the session continues to read the old contents.
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - unarchiver: the classes, the limits, the policies and the `userInfo` for reading.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be mapped, the code of the damage if
  ///   the file is damaged, or `invalidUse` if the unarchiver preserves unknown content.
  public init(mapping url: URL, unarchiver: Unarchiver = Unarchiver()) throws {
    try Self.check(unarchiver)
    self.unarchiver = unarchiver
    self.url = url
    file = try ArchiveFile(mapping: url, limits: unarchiver.limits)
  }

  /// Throws an error if a policy of the unarchiver needs the whole graph.
  private static func check(_ unarchiver: Unarchiver) throws {
    guard unarchiver.unknownContent.content == nil else {
      throw ArchiveError(
        .invalidUse, found: "the policy .preserve(in:) for unknown content in a LazyArchive",
        expected: "a policy that does not need the whole graph",
        remedy: "choose another unknownContent policy, or read the whole graph with an Unarchiver")
    }
  }

  // MARK: Parts

  /// Reads the object with a given number, and everything that it reaches. Returns the object.
  ///
  ///     let session = try LazyArchive(mapping: url)
  ///     let artwork = try session.object(Artwork.self, id: ObjectID(rawValue: 2))
  ///     let bare = try session.object(
  ///       Artwork.self, id: ObjectID(rawValue: 2), leavingOut: [.objects(of: Study.self)])
  ///     print(artwork.studies.count, bare.studies.count)   // 2 0
  ///
  /// - Parameters:
  ///   - type: the class of the object, or a superclass.
  ///   - id: the number of the object, as `arcdump` and errors print it.
  ///   - parts: the objects and properties to leave out. A reference to an object that is left out becomes
  ///     nil. In arrays, sets and dictionaries whose elements, keys or values cannot be nil, the element or
  ///     entry is omitted. If parts are left out, the objects are incomplete. Therefore, the call builds new
  ///     objects, and the session does not return these objects again.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `danglingReference` if no object has the number; `wrongClass` if the
  ///   object has another class; `nilReference` if a property that cannot be nil refers to an object that is
  ///   left out; otherwise as `unarchive(_:from:root:)` of ``Unarchiver`` does.
  /// - Complexity: O(objects that the call reads + bytes of the segments that are read for the first time).
  public func object<Object: Archivable>(
    _ type: Object.Type, id: ObjectID, leavingOut parts: [GraphSelection] = []
  ) throws -> Object {
    try located {
      guard id.rawValue > 0, Int(id.rawValue) < file.rowCount else {
        throw ArchiveError(
          .danglingReference, found: "the object number \(id.rawValue)",
          expected: "a number from 1 to \(file.rowCount - 1)", objectID: id)
      }
      return try read(.row(Int(id.rawValue)), as: type, leavingOut: parts)
    }
  }

  /// Reads the object at a path, and everything that it reaches. Returns the object.
  ///
  ///     let session = try LazyArchive(mapping: url)
  ///     let artwork = try session.object(Artwork.self, at: "root.artworks[0]")
  ///     let museum = try session.object(Museum.self)   // the default root
  ///     print(museum.artworks[0] === artwork)               // true
  ///
  /// - Parameters:
  ///   - type: the class of the object, or a superclass.
  ///   - path: the path, as `arcdump` and errors print it: `root.artworks[3]`, `people["Ada"].mother`. A
  ///     path begins with the name of a root, which may be omitted if the file has only one root. It can also
  ///     begin with the number of an object: `#17.mother`. See [Paths](doc:Paths).
  ///   - parts: the objects and properties to leave out, see `object(_:id:leavingOut:)`.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `missingRoot` or `missingKey` if the path does not exist or is
  ///   malformed; `nilReference` if the value at the path is nil; `typeMismatch` if the value at the path is
  ///   not an object; otherwise as `object(_:id:leavingOut:)` does.
  /// - Complexity: O(objects of the part + bytes of the segments that are read for the first time + values of
  ///   the objects on the path).
  public func object<Object: Archivable>(
    _ type: Object.Type, at path: String = "root", leavingOut parts: [GraphSelection] = []
  ) throws -> Object {
    try value(type, at: path, leavingOut: parts)
  }

  /// Reads the value at a path, and the objects that it reaches. Returns the value.
  ///
  ///     let session = try LazyArchive(mapping: url)
  ///     let title = try session.value(String.self, at: "root.artworks[0].title")
  ///     let studies = try session.value([Study].self, at: "root.artworks[0].studies")
  ///     print(title, studies.count)
  ///
  /// The path may end at a root, a property, an element or a field.
  ///
  /// - Parameters:
  ///   - type: the type of the result.
  ///   - path: the path, as `arcdump` and errors print it, see `object(_:at:leavingOut:)`.
  ///   - parts: the objects and properties to leave out, see `object(_:id:leavingOut:)`.
  /// - Returns: the value.
  /// - Throws: `ArchiveError` with code `missingRoot` or `missingKey` if the path does not exist;
  ///   `typeMismatch` if the value cannot be read as the type; otherwise as `object(_:id:leavingOut:)` does.
  public func value<Value: ArchivableValue>(
    _ type: Value.Type, at path: String, leavingOut parts: [GraphSelection] = []
  ) throws -> Value {
    try located {
      let found = try file.value(atPath: path)
      if let root = found.root {
        return try read(.root(file.classes[0].columns[root].key), as: type, leavingOut: parts)
      }
      return try read(.value(found.value, found.attributes, path: path), as: type, leavingOut: parts)
    }
  }

  private func makeReader(leavingOut boundary: GraphBoundary? = nil) -> PartReader {
    let request = ResolvedSchema.Request(
      roots: [], classes: unarchiver.classes, classesVersion: unarchiver.classes.version,
      limits: unarchiver.limits,
      unknownContent: unarchiver.unknownContent, newerVersions: unarchiver.newerVersions)
    return PartReader(
      file, request, in: ArchiveContext(userInfo: unarchiver.userInfo), leavingOut: boundary)
  }

  private func located<Result>(_ body: () throws -> Result) throws -> Result {
    guard let url else { return try body() }
    return try ArchiveError.locating(inFile: url, body)
  }

  private func read<Value: ArchivableValue>(
    _ target: PartReader.Target, as type: Value.Type, leavingOut parts: [GraphSelection] = []
  ) throws -> Value {
    guard !isReading else {
      throw ArchiveError(
        .invalidUse, found: "a read from a LazyArchive during another read",
        expected: "one read at a time",
        remedy: "start the second read after the first has returned, not in a hook")
    }
    isReading = true
    defer { isReading = false }
    guard parts.isEmpty else {
      let reader = makeReader(leavingOut: try GraphBoundary(parts))
      return try reader.read(target, as: type, unread: self) { _ in nil }.value
    }
    defer { known.endReading() }
    let read = try reader.read(target, as: type, unread: self) { [unowned self] in known.retain($0) }
    known.add(read.read)
    return read.value
  }
}

extension LazyArchive: UnreadObjects {
  @usableFromInline func read<Object: Archivable>(_ type: Object.Type, row: Int) throws -> Object {
    if !isReading, let object = known.object(inRow: row) as? Object { return object }
    return try located { try read(.row(row), as: type) }
  }
}
