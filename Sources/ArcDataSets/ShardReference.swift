public import Arc
public import ArcFormat

/// A link to an object in another archive of the same data set.
///
///     @Archivable final class Order {
///       var customer: ShardReference<Person> = ShardReference()
///     }
///     let customer = try set.object(order.customer)   // opens the shard if necessary
///
/// A link contains two numbers: the number of a shard, and the row number of the target in this shard. A
/// shard is an archive of the data set. Reading a link does not open an archive.
/// ``ShardedArchive/object(_:)`` returns the target. A link is valid only within its data set, and only while
/// the shard of the target is unchanged. If the shard is written again, its objects get new row numbers.
/// Spec: 14-data-sets, section 2.
public struct ShardReference<Target: Archivable>: Hashable, Sendable {
  /// The number of the shard that contains the target, counted from 0. Also 0 if the link is empty: see
  /// ``isNil``.
  public let shard: UInt32
  /// The row number of the target in its shard. 0 if the link is empty.
  public let row: ObjectID

  /// Creates an empty link, which has no target.
  public init() { (shard, row) = (0, ObjectID(rawValue: 0)) }

  /// Creates a link to an object of a shard. The link is empty if the row number is 0.
  ///
  /// - Parameters:
  ///   - shard: the number of the shard, at least 0.
  ///   - row: the row number of the object in the shard.
  public init(shard: UInt32, row: ObjectID) {
    (self.shard, self.row) = (row.rawValue == 0 ? 0 : shard, row)
  }

  /// Whether the link is empty. An empty link has no target.
  public var isNil: Bool { row.rawValue == 0 }

  /// The link as one number: `shard << 32 | row`.
  ///
  /// For example, a table that is exported from a data set can store a link as this number.
  public var number: UInt64 { UInt64(shard) << 32 | UInt64(row.rawValue) }
}

extension ShardReference: __ArchivableByExactConversion {
  /// The name of the type in archives, `ArcLink<T>`.
  public static var __archiveName: __ArchiveName { "ArcLink<\(Target.self)>" }
  /// The archived form of a link.
  @Archivable public struct ArchivedForm {
    let shard: UInt32
    let row: UInt32
  }
  /// The archived form: the shard number and the row number.
  public var archivedForm: ArchivedForm { ArchivedForm(shard: shard, row: row.rawValue) }
  /// Creates a link from a shard number and a row number.
  ///
  /// - Throws: `ArchiveError` with code `danglingReference` if the row number is 0 and the shard number is
  ///   not 0. Spec: 14-data-sets, rule Q3.
  public init(archivedForm: ArchivedForm) throws {
    guard archivedForm.row > 0 || archivedForm.shard == 0 else {
      throw ArchiveError(
        .danglingReference, found: "a link to row 0 of shard \(archivedForm.shard)",
        expected: "a row number of at least 1, or row 0 of shard 0 for a link without a target")
    }
    self.init(shard: archivedForm.shard, row: ObjectID(rawValue: archivedForm.row))
  }
}
