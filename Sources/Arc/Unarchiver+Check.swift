public import ArcArchive
public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Functions that compare a file with the program without reading its values. Use them in a test with files
/// of released versions, or before the program replaces an old file.
///
///     let worst = try Unarchiver().differences(inContentsOf: url, readAs: Document.self).map(\.effect).max()
///     XCTAssertLessThan(worst ?? .compatible, .lossy)
extension Unarchiver {
  /// Compares the types of a file with the types of the program. Returns all differences.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let differences = try Unarchiver().differences(in: file, readAs: Museum.self)
  ///     for difference in differences where difference.effect >= .lossy { print(difference) }
  ///
  /// The function reads no value and builds no object. The policy ``unknownContent`` determines whether the
  /// effect of an unknown class is `refused` or `lossy`. If a type of the program lacks a case of the file,
  /// the effect is `checked`, because only reading shows whether a value has this case.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - type: the type of the root of the file.
  /// - Returns: the differences of the root, then the differences of each class that has objects, in the
  ///   order of the file. Empty if the program would write the same schema.
  /// - Throws: `ArchiveError` with the code of the damage if the file is damaged, or `notArchivable` if a
  ///   type of the program cannot be archived.
  /// - Complexity: O(classes · properties + segments).
  public func differences<Value: ArchivableValue>(
    in file: ArchiveFile, readAs type: Value.Type
  ) throws -> [SchemaDifference] {
    try SchemaCheck(
      file: file, types: ReachableClasses(classes, roots: [type]), policy: unknownContent,
      newerVersions: newerVersions
    ).differences(root: ArchiveFile.defaultRoot, as: type)
  }

  /// Opens a file and compares its types with the types of the program. Returns all differences.
  ///
  ///     let differences = try Unarchiver().differences(inContentsOf: url, readAs: Museum.self)
  ///     let worst = differences.map(\.effect).max() ?? .compatible
  ///     if worst >= .lossy { print("saving would lose data") }
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - type: the type of the root of the file.
  /// - Returns: the differences of the root, then the differences of each class that has objects, in the
  ///   order of the file. Empty if the program would write the same schema.
  /// - Throws: `ArchiveError` with code `fileSystem` if the file cannot be read, the code of the damage if
  ///   the file is damaged, or `notArchivable` if a type of the program cannot be archived.
  public func differences<Value: ArchivableValue>(
    inContentsOf url: URL, readAs type: Value.Type
  ) throws -> [SchemaDifference] {
    try ArchiveError.locating(inFile: url) {
      try differences(in: ArchiveFile(contentsOf: url, limits: limits), readAs: type)
    }
  }
}
