import ArcArchive
import ArcFormat
import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Rebuilds object graphs from archives.
///
///     let unarchiver = Unarchiver(limits: .untrusted)
///     let museum = try unarchiver.read(Museum.self, from: url)
///     print(museum.artworks.count)
///
/// A reading function returns the graph only when the graph is complete. If reading fails, the function
/// throws an error and releases every object that it has built.
///
/// The unarchiver skips a class of the file if only removed properties, or roots that are not requested,
/// reach its objects. The program need not contain a skipped class, and none of its code runs. The objects of
/// all other classes are built. Objects that no requested root reaches are released when the graph is
/// complete.
public struct Unarchiver: Sendable {
  /// The class table. It allows objects of classes that the root's declared types do not reach.
  ///
  ///     var unarchiver = Unarchiver()
  ///     unarchiver.classes = ClassTable()
  ///     try unarchiver.classes.register(Artwork.self)
  ///     let museum = try unarchiver.read(Museum.self, from: url)
  public var classes: ClassTable
  /// The limits for reading a file, such as the maximum number of objects.
  ///
  ///     var unarchiver = Unarchiver(limits: .untrusted)
  ///     unarchiver.limits.rows = 5_000_000
  ///     let museum = try unarchiver.read(Museum.self, from: url)
  public var limits: ArchiveLimits
  /// The policy for classes, cases and raw values that the program does not have.
  ///
  ///     var unarchiver = Unarchiver()
  ///     unarchiver.unknownContent = .leaveOut
  ///     let museum = try unarchiver.read(Museum.self, from: url)
  public var unknownContent: UnknownContentPolicy
  /// The policy for objects whose class has a newer version in the file than in the program.
  ///
  ///     var unarchiver = Unarchiver()
  ///     unarchiver.newerVersions = .allow
  ///     let museum = try unarchiver.read(Museum.self, from: url)
  public var newerVersions: NewerVersionPolicy
  /// The values that hooks, hand-written classes and `Codable` values can access during reading.
  ///
  ///     var unarchiver = Unarchiver()
  ///     if let key = CodingUserInfoKey(rawValue: "store") { unarchiver.userInfo[key] = "main" }
  ///     let museum = try unarchiver.read(Museum.self, from: url)
  ///
  /// Hooks find the values in their ``ArchiveContext``. Hand-written classes and `Codable` values find the
  /// values in their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates an unarchiver.
  ///
  ///     let unknown = PreservedContent()
  ///     let unarchiver = Unarchiver(limits: .untrusted, unknownContent: .preserve(in: unknown))
  ///     let museum = try unarchiver.read(Museum.self, from: url)
  ///
  /// - Parameters:
  ///   - classes: the class table. It allows objects of classes that the root's declared types do not reach.
  ///   - limits: the limits for reading a file, such as the maximum number of objects.
  ///   - unknownContent: the policy for classes, cases and raw values that the program does not have.
  ///   - newerVersions: the policy for objects whose class has a newer version in the file than in the
  ///     program.
  ///   - userInfo: the values that hooks, hand-written classes and `Codable` values can access.
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

  private func makeReader(_ reporter: ProgressReporter?) -> RootReader {
    let context = ArchiveContext(userInfo: userInfo)
    return RootReader(
      classes: classes, limits: limits, unknownContent: unknownContent, newerVersions: newerVersions,
      context: context,
      report: reporter?.report,
      finish: unknownContent.content.map { content in
        { decoder, roots in
          if let archive = try PreservedArchive(decoder, roots: roots, context) { content.add(archive) }
        }
      })
  }

  /// The name and the type of a root to read.
  ///
  ///     let root = Unarchiver.RootRequest("recent", [Artwork].self)
  ///     let bytes = try Archiver().archive(roots: ["museum": museum, "recent": recent])
  ///     let artworks = try Unarchiver().unarchive(roots: root, from: bytes)
  public struct RootRequest<Value: ArchivableValue>: Sendable {
    let name: String
    /// Creates a request to read the root with this name as a value of this type.
    public init(_ name: String, _ type: Value.Type) { self.name = name }
  }

  /// Reads a root of an archive. Returns the root.
  ///
  ///     let bytes = try Archiver().archive(museum)
  ///     let copy = try Unarchiver().unarchive(Museum.self, from: bytes)
  ///     print(copy.artworks.count == museum.artworks.count)   // true
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: the archive.
  ///   - root: the name of the root. (default: `ArchiveFile.defaultRoot`, the name that `archive(_:)` and
  ///     `write(_:to:)` use)
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `ArchiveError` with the code of the damage if the archive is damaged; with `missingRoot`,
  ///   `typeMismatch`, `missingKey`, `unknownClass` or another code if the archive does not fit the program;
  ///   or with `limitExceeded` if the archive exceeds ``limits``. Also throws any error of an `init(from:)`,
  ///   a `link(from:)` or a hook.
  /// - Complexity: O(objects + bytes). The stack depth is constant.
  public func unarchive<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: some ContiguousBytes, root: String = ArchiveFile.defaultRoot
  ) throws -> sending Value {
    try self.root(type, named: root, from: bytes, nil)
  }

  func root<Value: ArchivableValue>(
    _ type: Value.Type, named name: String, from bytes: some ContiguousBytes,
    _ reporter: ProgressReporter?
  ) throws -> sending Value {
    nonisolated(unsafe) let root: Value = try unsafe bytes.withUnsafeBytes {
      try makeReader(reporter).root(type, named: name, from: unsafe ByteView($0))
    }
    reporter?.finish()
    return unsafe root
  }

  /// Reads several named roots of an archive. Returns the roots.
  ///
  ///     let bytes = try Archiver().archive(roots: ["museum": museum, "recent": recent])
  ///     let (copy, artworks) = try Unarchiver().unarchive(
  ///       roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: bytes)
  ///     print(copy.artworks[0] === artworks[0])   // true
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - bytes: the archive.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: the errors of `unarchive(_:from:root:)`.
  public func unarchive<each Value: ArchivableValue>(
    roots: repeat RootRequest<each Value>, from bytes: some ContiguousBytes
  ) throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: bytes, nil)
  }

  func roots<each Value: ArchivableValue>(
    _ roots: repeat RootRequest<each Value>, from bytes: some ContiguousBytes, _ reporter: ProgressReporter?
  ) throws -> sending (repeat each Value) {
    var names: [String] = []
    repeat names.append((each roots).name)
    nonisolated(unsafe) let values: (repeat each Value) = try unsafe bytes.withUnsafeBytes {
      try makeReader(reporter).roots(names, repeat (each Value).self, from: unsafe ByteView($0))
    }
    reporter?.finish()
    return unsafe values
  }

  /// Reads a root of a file. Returns the root.
  ///
  ///     let museum = try Unarchiver().read(Museum.self, from: url)
  ///     museum.name = "Prado"
  ///     try Archiver().write(museum, to: url)
  ///
  /// The function reads the whole file into memory.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the location of the file.
  ///   - root: the name of the root. (default: `ArchiveFile.defaultRoot`, the name that `archive(_:)` and
  ///     `write(_:to:)` use)
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, `limitExceeded` if the file
  ///   has more than `limits.fileBytes` bytes, or an error of `unarchive(_:from:root:)`.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from url: URL, root: String = ArchiveFile.defaultRoot
  ) throws -> sending Value {
    try self.root(type, named: root, from: contents(of: url), of: url, nil)
  }

  func root<Value: ArchivableValue>(
    _ type: Value.Type, named name: String, from file: ByteStore, of url: URL,
    _ reporter: ProgressReporter?
  ) throws -> sending Value {
    nonisolated(unsafe) let root: Value = try ArchiveError.locating(inFile: url) {
      try makeReader(reporter).root(type, named: name, from: file.bytes)
    }
    reporter?.finish()
    return unsafe root
  }

  /// Reads several named roots of a file. Returns the roots.
  ///
  ///     let (museum, artworks) = try Unarchiver().read(
  ///       roots: .init("museum", Museum.self), .init("recent", [Artwork].self), from: url)
  ///     print(museum.artworks[0] === artworks[0])   // true
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - url: the location of the file.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: the errors of `read(_:from:root:)`.
  public func read<each Value: ArchivableValue>(
    roots: repeat RootRequest<each Value>, from url: URL
  ) throws -> sending (repeat each Value) {
    try self.roots(repeat each roots, from: contents(of: url), of: url, nil)
  }

  func roots<each Value: ArchivableValue>(
    _ roots: repeat RootRequest<each Value>, from file: ByteStore, of url: URL, _ reporter: ProgressReporter?
  ) throws -> sending (repeat each Value) {
    var names: [String] = []
    repeat names.append((each roots).name)
    nonisolated(unsafe) let values: (repeat each Value) = try ArchiveError.locating(inFile: url) {
      try makeReader(reporter).roots(names, repeat (each Value).self, from: file.bytes)
    }
    reporter?.finish()
    return unsafe values
  }

  /// Reads a file into memory. The file is not mapped, because the process would end if another process
  /// truncated a mapped file.
  func contents(of url: URL) throws -> sending ByteStore {
    try ArchiveError.locating(inFile: url) {
      try ByteStore(path: url.localPath(), isMapped: false, byteLimit: limits.fileBytes)
    }
  }
}
