public import Arc
import ArcArchive
public import ArcForeign
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An importer of property lists, including keyed archives of `NSKeyedArchiver`, and of tables.
///
/// The importer reads a keyed archive as objects of the program, or converts a property list to an archive:
///
///     @Archivable final class Node {
///       @Key("name", "NS.name") var name = ""               // the key in the old file is an older key
///       @Key("children", "NS.kids") var children: [Node] = []
///       weak var parent: Node?
///     }
///     let root = try ArchiveImporter().read(Node.self, from: url)
///
/// The importer finds a class by its name in the file, such as `Node`, `MyApp.Node` or `_TtC5MyApp4Node`, or
/// by any name in the class table. An array, set or dictionary object of the file becomes a value, which
/// objects cannot share, and which cannot be part of a cycle. A number is converted if the property's type
/// can represent the number. `NSNull` becomes nil. A value of another class of Foundation, such as an index
/// set, is converted if the property has the Swift type for it. If a value does not fit, reading throws an
/// error with the object, the class and the key. The article "What becomes of a keyed archive" lists the
/// conversions.
///
/// A dictionary can be read as an object of a class: the keys of the dictionary are the keys of properties.
/// So the importer also reads property lists without objects:
///
///     let settings = try ArchiveImporter().read(Settings.self, from: url)      // a property list
///
/// The importer does not use Foundation to decode the file. The importer converts the file to an archive in
/// memory, which an `Unarchiver` reads. So the importer builds objects only of the classes that the root's
/// declared type reaches, and of the classes in the class table.
public struct ArchiveImporter: Sendable {
  /// The classes that the importer may build in addition to the classes that the root's declared type
  /// reaches.
  public var classes: ClassTable
  /// The limits for reading a file and the archive that is created from the file.
  public var limits: ArchiveLimits
  /// The policy for classes, enumeration cases and raw values that the program does not have.
  public var unknownContent: UnknownContentPolicy
  /// A closure that is called once for each file that the importer reads as objects, before the objects are
  /// built. Its argument is the report on the file. Nil by default.
  ///
  ///     var importer = ArchiveImporter()
  ///     importer.onReport = { report in
  ///       for unread in report.unreadKeys { print(unread.className, unread.key, unread.objectCount) }
  ///     }
  ///
  /// The report lists the keys that no property reads, and other notes.
  public var onReport: (@Sendable (ImportReport) -> Void)?

  /// Creates an importer.
  ///
  ///     let importer = ArchiveImporter(limits: .untrusted)
  ///
  /// - Parameters:
  ///   - classes: the classes that the importer may build in addition to the classes that the root's declared
  ///     type reaches.
  ///   - limits: the limits for reading a file and the archive that is created from the file.
  ///   - unknownContent: the policy for classes, enumeration cases and raw values that the program does not
  ///     have.
  public init(
    classes: ClassTable = .shared, limits: ArchiveLimits = .default,
    unknownContent: UnknownContentPolicy = .refuse
  ) {
    self.classes = classes
    self.limits = limits
    self.unknownContent = unknownContent
  }

  /// Reads a root of a keyed archive as objects of the program. Returns the root.
  ///
  ///     let root = try ArchiveImporter().read(Node.self, from: url)
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the location of the file.
  ///   - root: the name of the root in the file. If the file has only one root, the importer ignores the name
  ///     and reads this root.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `ImportError` if the file is malformed or lacks the root, or if objects of a class have values
  ///   of several types under one key; `ArchiveError` if the file cannot be opened or does not fit the
  ///   program.
  /// - Complexity: O(bytes + values), in constant stack.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from url: URL, root: String = ArchiveFile.defaultRoot
  ) throws -> sending Value {
    try Self.locating(url) { try unarchive(type, from: Self.contents(of: url, limits), root: root) }
  }

  /// Reads a root of a keyed archive from bytes in memory. Returns the root.
  ///
  ///     let root = try ArchiveImporter().unarchive(Node.self, from: data)
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: the keyed archive.
  ///   - root: the name of the root in the keyed archive. If the keyed archive has only one root, the
  ///     importer ignores the name and reads this root.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: the errors of `read(_:from:root:)`.
  public func unarchive<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: some ContiguousBytes, root: String = ArchiveFile.defaultRoot
  ) throws -> sending Value {
    let archive = try archive(of: [(root, type)], from: bytes)
    return try Self.simplifyingErrors { try unarchiver.unarchive(type, from: archive, root: root) }
  }

  /// Reads several roots of a keyed archive as objects of the program. Returns the roots.
  ///
  ///     let (document, recent) = try ArchiveImporter().read(
  ///       roots: .init("document", Document.self), .init("recent", [Page].self), from: url)
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root. ``roots(of:)-(URL)`` returns the names in a file.
  ///   - url: the location of the file.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: the errors of `read(_:from:root:)`.
  public func read<each Value: ArchivableValue>(
    roots: repeat Unarchiver.RootRequest<each Value>, from url: URL
  ) throws -> sending (repeat each Value) {
    try Self.locating(url) { try unarchive(roots: repeat each roots, from: Self.contents(of: url, limits)) }
  }

  /// Reads several roots of a keyed archive from bytes in memory. Returns the roots.
  ///
  ///     let (document, recent) = try ArchiveImporter().unarchive(
  ///       roots: .init("document", Document.self), .init("recent", [Page].self), from: data)
  ///
  /// - Parameters:
  ///   - roots: the name and the type of each root.
  ///   - bytes: the keyed archive.
  /// - Returns: the values of the roots, in the order of `roots`. The values share each object that several
  ///   roots reach.
  /// - Throws: the errors of `read(_:from:root:)`.
  public func unarchive<each Value: ArchivableValue>(
    roots: repeat Unarchiver.RootRequest<each Value>, from bytes: some ContiguousBytes
  ) throws -> sending (repeat each Value) {
    var requests: [(String, any ArchivableValue.Type)] = []
    repeat requests.append(((each roots).name, (each Value).self))
    let archive = try archive(of: requests, from: bytes)
    return try Self.simplifyingErrors { try unarchiver.unarchive(roots: repeat each roots, from: archive) }
  }

  /// Returns the roots of a keyed archive: their names, and their classes.
  ///
  ///     for root in try ArchiveImporter().roots(of: url) { print(root.name, root.className ?? "-") }
  ///
  /// - Parameter url: the location of the file.
  /// - Returns: the roots, in the order of the file. A property list that is not a keyed archive has one root
  ///   with the name `root`.
  /// - Throws: `ImportError` if the file is malformed; `ArchiveError` if the file cannot be opened.
  public func roots(of url: URL) throws -> [ImportedRoot] {
    try Self.locating(url) { try ImportedRoot.list(of: Self.contents(of: url, limits), limits: limits) }
  }

  /// Returns the roots of a keyed archive in memory: their names, and their classes.
  ///
  ///     let names = try ArchiveImporter().roots(of: data).map(\.name)
  ///
  /// - Parameter bytes: the keyed archive.
  /// - Returns: the roots, in the order of the file. A property list that is not a keyed archive has one root
  ///   with the name `root`.
  /// - Throws: `ImportError` if the file is malformed.
  public func roots(of bytes: some ContiguousBytes) throws -> [ImportedRoot] {
    try ImportedRoot.list(of: Self.array(of: bytes), limits: limits)
  }

  /// Converts a property list, such as a keyed archive, to an archive.
  ///
  /// The conversion does not need the classes of the objects.
  ///
  ///     let (archive, report) = try ArchiveImporter().archive(fromPropertyList: data)
  ///     print(report.notes.map(\.kind.text))
  ///
  /// - Parameter bytes: the property list.
  /// - Returns: the tuple `(archive, report)`: the bytes of the archive, which has the roots of the file, and
  ///   the report.
  /// - Throws: `ImportError` if the file is malformed.
  /// - Complexity: O(bytes + values), in constant stack.
  public func archive(
    fromPropertyList bytes: some ContiguousBytes
  ) throws -> (archive: [UInt8], report: ImportReport) {
    var job = PropertyListImport(limits: limits)
    try job.add(Self.array(of: bytes))
    return try job.finish()
  }

  private var unarchiver: Unarchiver {
    Unarchiver(classes: classes, limits: limits, unknownContent: unknownContent)
  }

  /// Converts roots of a keyed archive to an archive that fits the properties of the program's classes.
  private func archive(
    of roots: [(name: String, type: any ArchivableValue.Type)], from bytes: some ContiguousBytes
  ) throws -> [UInt8] {
    let guide = ImportGuide(try SchemaSnapshot(ofRoots: roots, classes: classes))
    var job = PropertyListImport(limits: limits, guide: guide)
    try job.add(Self.array(of: bytes))
    let (archive, report) = try job.finish()
    onReport?(report)
    return archive
  }

  /// Calls `body`. If `body` throws an error, adds the path of a file to the error.
  private static func locating<Result>(_ url: URL, _ body: () throws -> sending Result) throws
    -> sending Result
  {
    do {
      return try body()
    } catch let error as ImportError {
      throw error.located(filePath: url.path)
    } catch let error as ArchiveError {
      throw error.located(filePath: url.path)
    }
  }

  /// Calls `body`. If `body` throws an error, removes the reasons that follow from other reasons of this
  /// error.
  private static func simplifyingErrors<Result>(_ body: () throws -> sending Result) throws -> sending Result
  {
    do {
      return try body()
    } catch let error as ArchiveError {
      throw error.withoutConsequences
    }
  }

  static func array(of bytes: some ContiguousBytes) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  static func contents(of url: URL, _ limits: ArchiveLimits) throws -> [UInt8] {
    guard url.isFileURL || url.scheme == nil else {
      throw ArchiveError(
        .fileSystem, found: "the URL '\(url.absoluteString)'", expected: "a file URL",
        remedy: "load the data of the URL, for example with URLSession, and pass the bytes")
    }
    let store = try ByteStore(path: url.path, isMapped: false, byteLimit: limits.fileBytes)
    // The view of the bytes does not retain the store.
    return withExtendedLifetime(store) { Array(store.bytes) }
  }
}
