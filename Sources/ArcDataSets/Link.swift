public import Arc
public import ArcFormat
public import ArcRuntime

/// A link to an object in another archive of the same data set: the number of the shard, and the object's row
/// there.
///
///     @Archivable final class Order {
///       var customer: Link<Person> = Link()
///     }
///     let customer = try set.object(order.customer)   // opens the shard if it is not open yet
///
/// Nothing is opened while objects are built: a link is two numbers until somebody asks an ``ArchiveSet`` for
/// its target. It holds inside of one data set whose shards do not change any more: a shard that is written
/// anew numbers its objects anew. Spec: 14-data-sets, section 2.
public struct Link<Target: Archivable>: Hashable, Sendable {
  /// The number of the shard; 0 for a link to nothing.
  public let shard: UInt32
  /// The row of the object in its archive; 0 for a link to nothing.
  public let row: ObjectID

  /// Makes a link to nothing.
  public init() { (shard, row) = (0, ObjectID(rawValue: 0)) }

  /// Makes a link to an object; to nothing for row 0, whatever the shard.
  ///
  /// - Parameters:
  ///   - shard: the number of the shard, from 0.
  ///   - row: the row of the object, as an `ArchiveFile` of the shard knows it.
  public init(shard: UInt32, row: ObjectID) {
    (self.shard, self.row) = (row.rawValue == 0 ? 0 : shard, row)
  }

  /// Whether the link leads to nothing.
  public var isNil: Bool { row.rawValue == 0 }

  /// The link as one number, `shard << 32 | row`, as tables of a data set have it.
  public var number: UInt64 { UInt64(shard) << 32 | UInt64(row.rawValue) }
}

extension Link: ColumnValue, ArchivableValue {
  /// The name of the type, `ArcLink<T>`.
  public static var __archiveName: ArchiveName { "ArcLink<\(Target.self)>" }
  /// The encoding of a structure of both numbers.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("shard", \Self.shard), context.field("row", \Self.row.rawValue)]
    }
  }
  /// Reads both numbers.
  ///
  /// - Throws: `ArchiveError` with code `danglingReference` for row 0 of another shard than 0.
  ///   Spec: 14-data-sets, rule Q3.
  public static func __read(from column: ColumnReader) throws -> Link {
    let (shard, row): (UInt32, UInt32) = (try column.value(0), try column.value(1))
    guard row > 0 || shard == 0 else {
      throw column.error(
        .danglingReference, found: "a link to row 0 of shard \(shard)",
        expected: "a row from 1 on, or shard 0")
    }
    return Link(shard: shard, row: ObjectID(rawValue: row))
  }
  /// Appends both numbers.
  public func __write(to column: ColumnWriter) throws {
    try column.write(shard, at: 0)
    try column.write(row.rawValue, at: 1)
  }
}
