import ArcFormat
import ArcMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks, when an archive is written, that each object got one row: a debug check of `UniqueReference`.
/// Spec: 05-graph, rule W7.
///
/// Enabled by `ARC_CHECK_IDENTITY=1` in the environment, as CI does for all tests, fuzzers and benchmarks.
/// Costs a hash table of all objects.
struct IdentityCheck {
  /// Whether the environment asks for it.
  static let isAskedFor = ProcessInfo.processInfo.environment["ARC_CHECK_IDENTITY"] == "1"

  private var rows: [ObjectIdentifier: UInt32] = [:]

  /// Takes the objects of rows 1, 2, 3 and so on, which are all alive. Throws `lostIdentity` for one that
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

  /// Throws `lostIdentity` unless a weak reference is about to be written as the row that its object has, 0
  /// for none.
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
