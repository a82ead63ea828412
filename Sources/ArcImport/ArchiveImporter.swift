public import Arc
import ArcArchive
public import ArcForeign
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An importer of property lists, including keyed archives of `NSKeyedArchiver`.
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
/// by any name in the class table. An array, set or dictionary object of the file becomes a value. Objects
/// cannot share a value, and a value cannot be part of a cycle. A number is converted if the property's type
/// can represent the number. `NSNull` becomes nil. If a value does not fit, reading throws an error with the
/// object, the class and the key. If a key has only nil or empty collections in all objects of a class, the
/// importer cannot derive the type of the key. Reading then throws `typeMismatch`, unless the property
/// contains objects. The article "What becomes of a keyed archive" describes the workaround.
///
/// The importer does not use Foundation to decode the file. The importer converts the file to an archive in
/// memory, which an `Unarchiver` reads. So the importer builds objects only of the classes that the root's
/// declared type reaches, and of the classes in the class table.
public struct ArchiveImporter: Sendable {
  /// The classes that the importer may build besides the classes that the root's declared type reaches.
  public var classes: ClassTable
  /// The limits for reading a file and the archive that is created from the file.
  public var limits: ArchiveLimits
  /// The policy for classes, enumeration cases and raw values that the program does not have.
  public var unknownContent: UnknownContentPolicy

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
    do {
      return try unarchive(type, from: Self.contents(of: url, limits), root: root)
    } catch let error as ImportError {
      throw error.located(filePath: url.path)
    } catch let error as ArchiveError {
      throw error.located(filePath: url.path)
    }
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
    let guide = ImportGuide(try SchemaSnapshot(of: type, classes: classes))
    var job = PropertyListImport(limits: limits, guide: guide, rootName: root)
    try job.add(Self.array(of: bytes))
    let archive = try job.finish().archive
    return try Unarchiver(classes: classes, limits: limits, unknownContent: unknownContent)
      .unarchive(type, from: archive)
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

  private static func array(of bytes: some ContiguousBytes) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  private static func contents(of url: URL, _ limits: ArchiveLimits) throws -> [UInt8] {
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
