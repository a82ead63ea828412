public import ArcFormat
import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An open archive, of which parts are read: single objects, each with what it leads to.
///
///     let session = try ArchiveSession(mapping: url)
///     let album = try session.object(Album.self, at: "root.albums[3]")
///     let photo = try session.object(Photo.self, id: ObjectID(rawValue: 17))
///
/// **A part** is an object, or a value, and all that it leads to over references that keep their targets, as
/// the program reads them. It is what the whole graph would have in its place. What a ``Lazy`` property leads
/// to is left to be read when it is asked for. A weak property leads to an object of the part, or to one that
/// is in memory; otherwise it is nil until its target is read, or read again. Weak references inside of
/// values, and those of classes coded by hand, stay nil then. An unowned reference to any other is an error
/// (`unownedTarget`): read what keeps its target first, and hold that.
///
/// **Identity** is the session's. A row that was read is the same object, in whatever part it is met, as long
/// as the program holds it: it is not read again, and stays as the program has changed it. When nobody holds
/// it any more, its changes are gone, and the row is read anew when it is asked for.
///
/// **The cost** is that of the segments that a part touches, of about a megabyte each. Each is checked and
/// decompressed when it is first touched; some are kept. To read a whole graph takes ten times as long as
/// with an `Unarchiver`. What is wrong with others is not found: `verify()` of ``file`` checks all. An error
/// names class, property and row, but not the way from a root.
///
/// Where classes migrate what older versions of them wrote, the first part that has an object of such a class
/// has all of the file read, and all objects migrated of the classes that are known by then. Those of classes
/// that only later parts lead to are migrated then; an object that was read before must not be left out or
/// merged by that (`invalidUse`): register such classes.
///
/// Where the policy on unknown content is not `.refuse`, or objects are left out of a part, all segments are
/// touched that have targets of ``Lazy`` references, to tell which of them are left out.
///
/// While a part is read, hooks and other code of its objects cannot read another one (`invalidUse`). A
/// session belongs to one task or actor, with all that was read in it.
public final class ArchiveSession {
  /// The file, to be looked into without classes.
  public let file: ArchiveFile
  private let unarchiver: Unarchiver
  private let url: URL?
  private lazy var reader = makeReader()
  private var known = KnownObjects()
  private var isReading = false

  /// Opens an archive in memory. The bytes are copied.
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - unarchiver: what to read with: its classes, limits, policy on unknown content and `userInfo`.
  /// - Throws: `ArchiveError` for what is wrong with it, and with code `invalidUse` for an unarchiver whose
  ///   policy is to keep unknown content, which a session cannot do.
  public init(bytes: some Collection<UInt8>, unarchiver: Unarchiver = Unarchiver()) throws {
    try Self.check(unarchiver)
    self.unarchiver = unarchiver
    url = nil
    file = try ArchiveFile(bytes: bytes, limits: unarchiver.limits)
  }

  /// Reads a file into memory and opens it.
  ///
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read; otherwise as
  ///   `init(bytes:unarchiver:)` does.
  public init(contentsOf url: URL, unarchiver: Unarchiver = Unarchiver()) throws {
    try Self.check(unarchiver)
    self.unarchiver = unarchiver
    self.url = url
    file = try ArchiveFile(contentsOf: url, limits: unarchiver.limits)
  }

  /// Opens a file that stays where it is: only what is touched is read from it.
  ///
  /// **Only for files that nobody changes while they are open.** If another process cuts the file, an access
  /// to the missing part ends this one with the signal SIGBUS. A file that is replaced as a whole, as
  /// `Archiver.write` does, stays as it is for whoever has it open.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - unarchiver: what to read with: its classes, limits, policy on unknown content and `userInfo`.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be mapped; otherwise as
  ///   `init(bytes:unarchiver:)` does.
  public init(mapping url: URL, unarchiver: Unarchiver = Unarchiver()) throws {
    try Self.check(unarchiver)
    self.unarchiver = unarchiver
    self.url = url
    file = try ArchiveFile(mapping: url, limits: unarchiver.limits)
  }

  /// Throws for an unarchiver with a policy that only a reading of the whole graph can follow.
  private static func check(_ unarchiver: Unarchiver) throws {
    guard unarchiver.unknownContent.content == nil else {
      throw ArchiveError(
        .invalidUse, found: "a session that is to keep what the program does not know",
        expected: "another policy: what a part leaves unread is not known to be unknown",
        remedy: "read the whole graph with an Unarchiver")
    }
  }

  // MARK: Parts

  /// Reads the object of a row, with what it leads to.
  ///
  /// - Parameters:
  ///   - type: its class, or a superclass.
  ///   - id: the number of its row, as `arcdump` and errors print it.
  ///   - parts: what is left out. References to it become nil, and it is left out of arrays, sets and
  ///     dictionaries whose elements, keys or values cannot be nil; where a property cannot be nil, reading
  ///     fails with code `nilReference`. What is read so lacks something, and is none of the session's
  ///     objects: it is read for this call alone.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `danglingReference` for a row that is none of an object, `wrongClass`
  ///   for an object of another class; otherwise as `unarchive(_:from:root:)` of ``Unarchiver`` does.
  /// - Complexity: O(objects of the part + bytes of the segments that are touched first).
  public func object<Object: Archivable>(
    _ type: Object.Type, id: ObjectID, leavingOut parts: [GraphPart] = []
  ) throws -> Object {
    try located {
      guard id.rawValue > 0, Int(id.rawValue) < file.rowCount else {
        throw ArchiveError(
          .danglingReference, found: "row \(id.rawValue)",
          expected: "one of an object: 1 to \(file.rowCount - 1)", objectID: id)
      }
      return try read(.row(Int(id.rawValue)), as: type, leavingOut: parts)
    }
  }

  /// Reads the object that a path leads to, with what that leads to.
  ///
  /// - Parameters:
  ///   - type: its class, or a superclass.
  ///   - path: the path, as `arcdump` and errors print it: `root.albums[3]`, `people["Ada"].mother`. It
  ///     begins with the name of a root; where the file has only one root, that may be left out.
  ///   - parts: what is left out, as `object(_:id:leavingOut:)` says.
  /// - Returns: the object.
  /// - Throws: `ArchiveError` with code `missingRoot` or `missingKey` for a path that leads nowhere,
  ///   `nilReference` for one that leads to nil, `typeMismatch` for one that leads to a value; otherwise as
  ///   `object(_:id:leavingOut:)` does.
  /// - Complexity: as that of `object(_:id:leavingOut:)`, and O(values of the objects on the way).
  public func object<Object: Archivable>(
    _ type: Object.Type, at path: String = "root", leavingOut parts: [GraphPart] = []
  ) throws -> Object {
    try value(type, at: path, leavingOut: parts)
  }

  /// Reads the value that a path leads to, with the objects that it leads to: a root, a property, an element,
  /// a field.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - path: the path, as `object(_:at:leavingOut:)` takes it.
  ///   - parts: what is left out, as `object(_:id:leavingOut:)` says.
  /// - Returns: the value.
  /// - Throws: as `object(_:at:leavingOut:)` does.
  public func value<Value: ArchivableValue>(
    _ type: Value.Type, at path: String, leavingOut parts: [GraphPart] = []
  ) throws -> Value {
    try located {
      let found = try file.value(atPath: path)
      if let root = found.root {
        return try read(.root(file.classes[0].columns[root].key), as: type, leavingOut: parts)
      }
      return try read(.value(found.value, found.type, path: path), as: type, leavingOut: parts)
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
    _ target: PartReader.Target, as type: Value.Type, leavingOut parts: [GraphPart] = []
  ) throws -> Value {
    guard !isReading else {
      throw ArchiveError(
        .invalidUse, found: "a call to read from a session that reads something else",
        expected: "one after the other", remedy: "read it when the other call has returned, not in a hook")
    }
    isReading = true
    defer { isReading = false }
    guard parts.isEmpty else {
      let reader = makeReader(leavingOut: try GraphBoundary(parts))
      return try reader.read(target, as: type, unread: self) { _ in nil }.value
    }
    defer { known.endReading() }
    let read = try reader.read(target, as: type, unread: self) { [unowned self] in known.keep($0) }
    known.add(read.read)
    return read.value
  }
}

extension ArchiveSession: UnreadObjects {
  @usableFromInline func read<Object: Archivable>(_ type: Object.Type, row: Int) throws -> Object {
    if !isReading, let object = known.object(inRow: row) as? Object { return object }
    return try located { try read(.row(row), as: type) }
  }
}
