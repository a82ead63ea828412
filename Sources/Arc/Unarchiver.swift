import ArcFormat
import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Rebuilds object graphs from archives.
///
///     let person = try Unarchiver().read(Person.self, from: url)
///
/// The graph is handed out when it is complete; if anything is wrong, every object of it is released.
///
/// Classes that only properties lead to which the program no longer has, or roots that are not asked for,
/// need not be known, and none of their code runs. Objects of other classes are built once; those that no
/// root holds are released when the graph is complete.
public struct Unarchiver: Sendable {
  /// The classes that may be built besides those that the root's declared types reach.
  public var classes: ClassTable
  /// The maximum that reading a file may cost.
  public var limits: ArchiveLimits
  /// What becomes of objects, cases and raw values of which the program does not have the class or the case.
  public var unknownContent: UnknownContentPolicy
  /// What becomes of objects of classes whose version in the file is newer than the program's.
  public var newerVersions: NewerVersionPolicy
  /// What the program's own code gets while objects are read: hooks in their ``ArchiveContext``, classes
  /// coded by hand and `Codable` values from their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates an unarchiver.
  ///
  /// - Parameters:
  ///   - classes: the classes that may be built besides those that the root's declared types reach.
  ///   - limits: the maximum that reading a file may cost.
  ///   - unknownContent: what becomes of objects of classes that the program does not have, and of cases and
  ///     raw values that it does not have.
  ///   - newerVersions: what becomes of objects of classes whose version in the file is newer than the
  ///     program's.
  ///   - userInfo: what the program's own code gets.
  public init(
    classes: ClassTable = .shared, limits: ArchiveLimits = .default,
    unknownContent: UnknownContentPolicy = .refuse, newerVersions: NewerVersionPolicy = .refuse,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.classes = classes
    self.limits = limits
    self.unknownContent = unknownContent
    self.newerVersions = newerVersions
    self.userInfo = userInfo
  }

  private func reading(_ reporter: ProgressReporter?) -> GraphReading {
    let context = ArchiveContext(userInfo: userInfo)
    return GraphReading(
      classes: classes, limits: limits, unknownContent: unknownContent, newerVersions: newerVersions,
      context: context,
      report: reporter?.report,
      finish: unknownContent.content.map { content in
        { decoder, roots in
          if let archive = try KeptArchive(decoder, roots: roots, context) { content.keep(archive) }
        }
      })
  }

  /// The name and type of a root to read.
  public struct Root<Value: ArchivableValue>: Sendable {
    let name: String
    /// Creates a request for the root with a name, to be read as a type.
    public init(_ name: String, _ type: Value.Type) { self.name = name }
  }

  /// Reads a root of an archive.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - bytes: the archive.
  ///   - root: its name; that of a single root, if it is not given.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `ArchiveError`, or what an `init(from:)`, a `link(from:)` or a hook throws.
  /// - Complexity: O(objects + bytes), in constant stack.
  public func unarchive<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: some ContiguousBytes, root: String = Archiver.rootName
  ) throws -> sending Value {
    try self.root(type, named: root, from: bytes, nil)
  }

  func root<Value: ArchivableValue>(
    _ type: Value.Type, named name: String, from bytes: some ContiguousBytes,
    _ reporter: ProgressReporter?
  ) throws -> sending Value {
    nonisolated(unsafe) let root: Value = try unsafe bytes.withUnsafeBytes {
      try reading(reporter).root(type, named: name, from: unsafe ByteView($0))
    }
    reporter?.finish()
    return unsafe root
  }

  /// Reads roots of an archive by their names; objects that they share are shared.
  ///
  /// - Parameters:
  ///   - roots: the names and types of the roots.
  ///   - bytes: the archive.
  /// - Returns: the roots, in the order in which they were asked for.
  /// - Throws: `ArchiveError`, or what an `init(from:)`, a `link(from:)` or a hook throws.
  public func unarchive<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from bytes: some ContiguousBytes
  ) throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: bytes, nil)
  }

  func roots<each Value: ArchivableValue>(
    _ roots: repeat Root<each Value>, from bytes: some ContiguousBytes, _ reporter: ProgressReporter?
  ) throws -> sending (repeat each Value) {
    var names: [String] = []
    repeat names.append((each roots).name)
    nonisolated(unsafe) let values: (repeat each Value) = try unsafe bytes.withUnsafeBytes {
      try reading(reporter).roots(names, repeat (each Value).self, from: unsafe ByteView($0))
    }
    reporter?.finish()
    return unsafe values
  }

  /// Reads a root of a file, which is read into memory once.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - url: the file.
  ///   - root: its name; that of a single root, if it is not given.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, and `limitExceeded` before
  ///   more than `limits.fileBytes` are; otherwise as `unarchive(_:from:root:)` does.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from url: URL, root: String = Archiver.rootName
  ) throws -> sending Value {
    try self.root(type, named: root, from: contents(of: url), of: url, nil)
  }

  func root<Value: ArchivableValue>(
    _ type: Value.Type, named name: String, from file: ByteStore, of url: URL,
    _ reporter: ProgressReporter?
  ) throws -> sending Value {
    nonisolated(unsafe) let root: Value = try ArchiveError.locating(inFile: url) {
      try reading(reporter).root(type, named: name, from: file.bytes)
    }
    reporter?.finish()
    return unsafe root
  }

  /// Reads roots of a file by their names, as `unarchive(roots:from:)` does.
  ///
  /// - Throws: as `read(_:from:root:)` does.
  public func read<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from url: URL
  ) throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: contents(of: url), of: url, nil)
  }

  func roots<each Value: ArchivableValue>(
    _ roots: repeat Root<each Value>, from file: ByteStore, of url: URL, _ reporter: ProgressReporter?
  ) throws -> sending (repeat each Value) {
    var names: [String] = []
    repeat names.append((each roots).name)
    nonisolated(unsafe) let values: (repeat each Value) = try ArchiveError.locating(inFile: url) {
      try reading(reporter).roots(names, repeat (each Value).self, from: file.bytes)
    }
    reporter?.finish()
    return unsafe values
  }

  /// Reads a file into memory: if it were mapped and somebody truncated it, the process would end.
  func contents(of url: URL) throws -> sending ByteStore {
    try ArchiveError.locating(inFile: url) {
      try ByteStore(path: url.localPath(), isMapped: false, byteLimit: limits.fileBytes)
    }
  }
}
