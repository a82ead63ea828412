public import Arc
public import ArcFormat
public import ArcRuntime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SchemaSnapshot {
  /// The schema changes that a check accepts and writes into the snapshot file.
  ///
  /// For every other change, the check throws an error.
  public enum Acceptance: Sendable {
    /// The check accepts no changes.
    case nothing
    /// The check accepts changes after which files of the old schema can still be read.
    case compatibleChanges
    /// The check accepts all changes.
    case allChanges

    /// The accepted changes according to the environment variable `ARC_REWRITE_SNAPSHOTS`.
    ///
    /// With the value `1`, the check accepts changes after which files of the old schema can still be read.
    /// With the value `breaking`, the check accepts all changes. Otherwise, the check accepts no changes.
    public static var asInEnvironment: Acceptance {
      switch ProcessInfo.processInfo.environment["ARC_REWRITE_SNAPSHOTS"] {
      case "1": .compatibleChanges
      case "breaking": .allChanges
      default: .nothing
      }
    }
  }

  /// In a test, compares the program's schema with a snapshot file.
  ///
  ///     import ArcTesting
  ///
  ///     func testSchemaIsTheReviewedOne() throws {
  ///       try SchemaSnapshot.check(Document.self, against: folder.appending(path: "Document.schema"))
  ///     }
  ///
  /// The error lists the changes and their effects on files of the old schema. The check does not read
  /// archives. To check archives of earlier releases, use `Unarchiver.check(archivesIn:for:reading:)`.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - url: the location of the snapshot file. If the file does not exist, the method writes it. If
  ///     `acceptance` is `.nothing`, the method then throws an error with code `recorded`.
  ///   - classes: the class table with which the program reads its archives.
  ///   - acceptance: the changes that the check accepts and writes into the snapshot.
  /// - Throws: `SchemaSnapshotError` with code `compatibleChange` or `breakingChange` for a change that is
  ///   not accepted, with code `recorded` if the file did not exist and `acceptance` is `.nothing`, or with
  ///   another code if the snapshot cannot be parsed; `ArchiveError` if the file cannot be read or written,
  ///   or a type cannot be archived.
  public static func check<Value: ArchivableValue>(
    _ type: Value.Type, against url: URL, classes: ClassTable = .shared,
    accepting acceptance: Acceptance = .asInEnvironment
  ) throws {
    try SchemaSnapshot(of: type, classes: classes).check(against: url, accepting: acceptance)
  }

  /// In a test, compares this snapshot with a snapshot file.
  ///
  /// - Parameters:
  ///   - url: the location of the snapshot file.
  ///   - acceptance: the changes that the check accepts and writes into the file.
  /// - Throws: the errors of `check(_:against:classes:accepting:)`.
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

  /// Returns an error with the differences between an older snapshot and this snapshot. Nil if there are no
  /// differences.
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
