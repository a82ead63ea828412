public import Arc
public import ArcForeign
import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads keyed archives, as `NSKeyedArchiver` writes them, and other property lists: as objects of the
/// program's archivable classes, or as archives.
///
///     @Archivable final class Node {
///       @Key("name", "NS.name") var name = ""               // keys of the old file are older keys
///       @Key("children", "NS.kids") var children: [Node] = []
///       weak var parent: Node?
///     }
///     let root = try ArchiveImporter().read(Node.self, from: url)
///
/// Classes are found by the names that files have for them: `Node`, `MyApp.Node`, `_TtC5MyApp4Node`, or any
/// that the table has for a class. An array, set or dictionary of the file fits a property of such a type,
/// and is shared or circular no more; a number fits where it is in range; `NSNull` is nil. What else does not
/// fit is an error that names object, class and key. Nothing is decoded by Foundation, and none of the file's
/// classes is built that the program's declared types do not allow: see `Unarchiver`, which reads the
/// archive that is made of the file in memory.
public struct ArchiveImporter: Sendable {
  /// The classes that may be built besides those that the root's declared types reach.
  public var classes: ClassTable
  /// The maximum that reading a file may cost, and the archive that is made of it.
  public var limits: ArchiveLimits
  /// What becomes of objects of classes, and of cases, that the program does not have.
  public var unknownContent: UnknownContentPolicy

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - classes: the classes that may be built besides those that the root's declared types reach.
  ///   - limits: the maximum that reading a file may cost.
  ///   - unknownContent: what becomes of objects of classes, and of cases, that the program does not have.
  public init(
    classes: ClassTable = .shared, limits: ArchiveLimits = .default,
    unknownContent: UnknownContentPolicy = .refuse
  ) {
    self.classes = classes
    self.limits = limits
    self.unknownContent = unknownContent
  }

  /// Reads a root of a keyed archive as objects of the program.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - url: the file.
  ///   - root: the name of the root; the only one is taken whatever its name is.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: `ImportError` for what is wrong with the file or does not fit the program, `ArchiveError` as
  ///   `Unarchiver` does.
  /// - Complexity: O(bytes + values), in constant stack.
  public func read<Value: ArchivableValue>(
    _ type: Value.Type, from url: URL, root: String = Archiver.rootName
  ) throws -> sending Value {
    do {
      return try unarchive(type, from: Self.contents(of: url, limits), root: root)
    } catch let error as ImportError {
      throw error.located(filePath: url.path)
    } catch let error as ArchiveError {
      throw error.located(filePath: url.path)
    }
  }

  /// Reads a root of a keyed archive in memory, as `read(_:from:root:)` does of a file.
  ///
  /// - Parameters:
  ///   - type: the type to read it as.
  ///   - bytes: the keyed archive.
  ///   - root: the name of the root; the only one is taken whatever its name is.
  /// - Returns: the root, with all that it reaches.
  /// - Throws: as `read(_:from:root:)` does.
  public func unarchive<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: some ContiguousBytes, root: String = Archiver.rootName
  ) throws -> sending Value {
    let guide = ImportGuide(try SchemaSnapshot(of: type, classes: classes))
    var job = PropertyListImport(limits: limits, guide: guide, rootName: root)
    try job.add(Self.array(of: bytes))
    let archive = try job.finish().archive
    return try Unarchiver(classes: classes, limits: limits, unknownContent: unknownContent)
      .unarchive(type, from: archive)
  }

  /// Makes an archive of all that is in a keyed archive or another property list, without classes.
  ///
  /// - Parameter bytes: the property list.
  /// - Returns: the archive, with the roots of the file, and what was met.
  /// - Throws: `ImportError` for what is wrong with the file.
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
        remedy: "load it with what knows its scheme, and pass on the bytes")
    }
    let store = try ByteStore(path: url.path, isMapped: false, byteLimit: limits.fileBytes)
    // The view does not keep the memory.
    return withExtendedLifetime(store) { Array(store.bytes) }
  }
}
