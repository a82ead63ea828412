public import Arc
public import ArcFormat
public import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SchemaSnapshot {
  /// The changes of a schema that are written into its snapshot instead of being an error.
  public enum Acceptance: Sendable {
    /// No changes.
    case nothing
    /// The changes after which files of the old schema can still be read.
    case compatibleChanges
    /// All changes.
    case allChanges

    /// The changes that the environment variable `ARC_REWRITE_SNAPSHOTS` states.
    ///
    /// `1` accepts changes after which old files can still be read. `breaking` accepts all changes. Without
    /// the variable, no changes are accepted.
    public static var asInEnvironment: Acceptance {
      switch ProcessInfo.processInfo.environment["ARC_REWRITE_SNAPSHOTS"] {
      case "1": .compatibleChanges
      case "breaking": .allChanges
      default: .nothing
      }
    }
  }

  /// Compares the schema of the program with the snapshot in a file, for a test.
  ///
  ///     import ArcTesting
  ///
  ///     func testSchemaIsTheReviewedOne() throws {
  ///       try SchemaSnapshot.check(Document.self, against: folder.appending(path: "Document.schema"))
  ///     }
  ///
  /// Each change is an error, which states the files that it breaks. The check compares only with the
  /// snapshot. To check files of all earlier releases, use `Unarchiver.check(archivesIn:for:reading:)`.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the location of the snapshot. If the file does not exist, it is written and the call throws
  ///     `recorded`.
  ///   - classes: the class table for reading.
  ///   - acceptance: the changes that are written into the snapshot instead of being an error.
  /// - Throws: `SchemaSnapshotError` with code `compatibleChange` or `breakingChange` for a change,
  ///   `recorded` if there was no snapshot, or the error of parsing the snapshot; `ArchiveError` if the file
  ///   cannot be read or written, or a type cannot be archived.
  public static func check<Value: ArchivableValue>(
    _ type: Value.Type, against url: URL, classes: ClassTable = .shared,
    accepting acceptance: Acceptance = .asInEnvironment
  ) throws {
    try SchemaSnapshot(of: type, classes: classes).check(against: url, accepting: acceptance)
  }

  /// Compares this snapshot with the snapshot in a file, for a test.
  ///
  /// - Parameters:
  ///   - url: the location of the other snapshot.
  ///   - acceptance: the changes that are written into the file instead of being an error.
  /// - Throws: as `check(_:against:classes:accepting:)` does.
  public func check(against url: URL, accepting acceptance: Acceptance = .asInEnvironment) throws {
    let path = try url.localPath()
    guard FileManager.default.fileExists(atPath: path) else {
      // If the folder cannot be created, writing throws.
      try? FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try write(to: path)
      guard acceptance == .nothing else { return }
      throw SchemaSnapshotError(
        .recorded, found: "no snapshot of the schema, so the snapshot was written now",
        expected: "a snapshot under version control",
        remedy: "review the file and commit it", filePath: path)
    }
    if acceptance == .allChanges { return try write(to: path) }
    guard let change = try change(since: Self.read(from: path), path) else { return }
    guard acceptance == .compatibleChanges, change.code == .compatibleChange else { throw change }
    try write(to: path)
  }

  private static func read(from path: String) throws -> SchemaSnapshot {
    let store = try ByteStore(path: path, isMapped: false, byteLimit: ArchiveLimits.default.classTableBytes)
    do throws(SchemaSnapshotError) {
      return try SchemaSnapshot(parsing: (0..<store.bytes.count).map { store.bytes[$0] })
    } catch {
      var error = error
      error.filePath = path
      throw error
    }
  }

  private func write(to path: String) throws {
    let file = try AtomicFile(replacing: path)
    try file.write(Array(description.utf8))
    try file.commit()
  }

  /// What differs from an older snapshot, as an error; nil if nothing does.
  private func change(since old: SchemaSnapshot, _ path: String) throws -> SchemaSnapshotError? {
    guard self != old else { return nil }
    let differences = try differences(readingFilesOf: old)
    let isBreaking = differences.contains { $0.effect == .refused }
    return SchemaSnapshotError(
      isBreaking ? .breakingChange : .compatibleChange,
      found: isBreaking
        ? "a changed schema that cannot read all files of the old schema"
        : "a changed schema that can read all files of the old schema",
      expected: "the schema in the snapshot",
      remedy: isBreaking
        ? "fix the refused changes, or run `ARC_REWRITE_SNAPSHOTS=breaking swift test` to stop supporting those files"
        : "if the change is intended, run `ARC_REWRITE_SNAPSHOTS=1 swift test`",
      filePath: path, differences: differences, changedLines: changedLines(since: old))
  }
}
