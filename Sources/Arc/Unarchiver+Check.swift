public import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Knowing what reading a file would do before it is read: in a test over files of released versions, or
/// before an old file is replaced.
///
///     let worst = try Unarchiver().differences(inContentsOf: url, readAs: Document.self).map(\.effect).max()
///     XCTAssertLessThan(worst ?? .compatible, .lossy)
extension Unarchiver {
  /// Compares the classes and types of a file with those of the program that would read it. No value is read
  /// and no object is made. Objects of a class that the program does not have are refused, or lost, as
  /// ``unknownContent`` says; a type without one of the file's cases is to be checked.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - type: the type of its root.
  /// - Returns: all differences, in the order of the file: those of the root, then those of each class that
  ///   has objects. None if the file has just what the program would write.
  /// - Throws: `ArchiveError` if the file is damaged, or the program's own types cannot be archived.
  /// - Complexity: O(classes · properties + segments).
  public func differences<Value: ArchivableValue>(
    in file: ArchiveFile, readAs type: Value.Type
  ) throws -> [SchemaDifference] {
    try SchemaCheck(
      file: file, types: ReachableClasses(classes, roots: [type]), policy: unknownContent,
      newerVersions: newerVersions
    ).differences(root: Archiver.rootName, as: type)
  }

  /// Compares the classes and types of the file at a URL with those of the program, as
  /// `differences(in:readAs:)` does.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - type: the type of its root.
  /// - Returns: all differences.
  /// - Throws: `ArchiveError` if the file cannot be read or is damaged, or the program's own types cannot be
  ///   archived.
  public func differences<Value: ArchivableValue>(
    inContentsOf url: URL, readAs type: Value.Type
  ) throws -> [SchemaDifference] {
    try ArchiveError.locating(inFile: url) {
      try differences(in: ArchiveFile(contentsOf: url, limits: limits), readAs: type)
    }
  }
}
