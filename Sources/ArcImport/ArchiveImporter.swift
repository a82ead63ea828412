public import Arc
public import ArcForeign
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads keyed archives of `NSKeyedArchiver` and other property lists as objects, or converts them to
/// archives.
///
///     @Archivable final class Node {
///       @Key("name", "NS.name") var name = ""               // the key in the old file is an older key
///       @Key("children", "NS.kids") var children: [Node] = []
///       weak var parent: Node?
///     }
///     let root = try ArchiveImporter().read(Node.self, from: url)
///
/// Classes are found by their names in the file, such as `Node`, `MyApp.Node` or `_TtC5MyApp4Node`, or by any
/// name in the class table. An array, set or dictionary object of the file is read as a value: it is no
/// longer shared, and cannot be part of a cycle. A number is converted if it is in range. `NSNull` becomes
/// nil. If a value does not fit, reading throws an error with the object, the class and the key.
///
/// Foundation does not decode anything. The importer converts the file to an archive in memory, which an
/// `Unarchiver` reads. So only classes that the program's declared types allow are built.
public struct ArchiveImporter: Sendable {
  /// The classes that may be built in addition to the classes that the root's declared types reach.
  public var classes: ClassTable
  /// The maximum costs of reading a file and the archive that it is converted to.
  public var limits: ArchiveLimits
  /// The policy for classes and cases that the program does not have.
  public var unknownContent: UnknownContentPolicy

  /// Creates an importer.
  ///
  ///     let importer = ArchiveImporter(limits: .untrusted)
  ///
  /// - Parameters:
  ///   - classes: the classes that may be built in addition to the classes that the root's declared types
  ///     reach.
  ///   - limits: the maximum costs of reading a file.
  ///   - unknownContent: the policy for classes and cases that the program does not have.
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
  ///   - root: the name of the root. If the file has only one root, the name is ignored.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: `ImportError` if the file is malformed or does not fit the program; otherwise as `Unarchiver`
  ///   does.
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

  /// Reads a root of a keyed archive in memory. Returns the root.
  ///
  ///     let root = try ArchiveImporter().unarchive(Node.self, from: data)
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: the keyed archive.
  ///   - root: the name of the root. If the archive has only one root, the name is ignored.
  /// - Returns: the root, with everything that it reaches.
  /// - Throws: as `read(_:from:root:)` does.
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

  /// Converts a keyed archive or another property list to an archive, without classes. Returns the archive
  /// and a report.
  ///
  ///     let (archive, report) = try ArchiveImporter().archive(fromPropertyList: data)
  ///     print(report.notes.map(\.kind.text))
  ///
  /// - Parameter bytes: the property list.
  /// - Returns: the archive with the roots of the file, and the report.
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
    // The view does not keep the memory.
    return withExtendedLifetime(store) { Array(store.bytes) }
  }
}
