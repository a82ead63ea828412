import ArcFormat
import ArcMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks that each object of an archive got exactly one row. This is a debug check of `UniqueReference`.
/// Spec: 05-graph, rule W7.
///
/// The environment variable `ARC_CHECK_IDENTITY=1` enables the check. CI does so for all tests, fuzzers and
/// benchmarks. The check needs a hash table of all objects.
struct IdentityCheck {
  /// Whether the environment enables the check.
  static let isRequested = ProcessInfo.processInfo.environment["ARC_CHECK_IDENTITY"] == "1"

  private var rows: [ObjectIdentifier: UInt32] = [:]

  /// Reads the objects of rows 1, 2, 3 and so on, which are all alive. Throws `lostIdentity` if an object
  /// occurs twice.
  init(_ objects: borrowing ObjectList) throws(ArchiveError) {
    rows.reserveCapacity(objects.count)
    for index in 0..<objects.count {
      let row = UInt32(truncatingIfNeeded: index + 1)
      let object = unsafe objects[index].takeUnretainedValue()
      if let first = rows.updateValue(row, forKey: ObjectIdentifier(object)) {
        throw Self.error(object, row, "a second row for an object that already has row \(first)")
      }
    }
  }

  /// Throws `lostIdentity` if a weak reference is about to be written with another row than the row of its
  /// target. `row` is the row to write, or 0 for nil. If the target has no row, only nil is valid.
  func check(weakTarget object: AnyObject, isWrittenAs row: UInt32) throws(ArchiveError) {
    let expected = rows[ObjectIdentifier(object)] ?? 0
    if row != expected {
      throw Self.error(object, expected, "row \(row) as the target of a weak reference to it")
    }
  }

  private static func error(_ object: AnyObject, _ row: UInt32, _ found: String) -> ArchiveError {
    ArchiveError(
      .lostIdentity, found: found, expected: "one row for each object, however many references it has",
      remedy: "report this defect of Arc, and describe the references to the object",
      className: (object as? any Archivable).map { type(of: $0).archiveSchema.name },
      objectID: ObjectID(rawValue: row))
  }
}
