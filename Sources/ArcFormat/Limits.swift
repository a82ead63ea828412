/// What a reader is willing to spend on one archive; costs are charged before memory is reserved.
///
/// A file that needs more fails with `limitExceeded`, which names the limit. Every limit can be raised:
///
///     var limits = Limits.untrusted
///     limits.rows = 5_000_000
public struct Limits: Hashable, Sendable {
  /// Bytes of the file.
  public var fileBytes: Int
  /// Bytes of all segments after decompression.
  public var rawBytes: Int
  /// Objects, the row of the named roots included. Objects that take no bytes in the file cost as 64 others.
  public var rows: Int
  /// Classes in the class table.
  public var classes: Int
  /// Bytes of the class table after decompression; a byte of it costs the reader some hundred bytes of memory.
  public var classTableBytes: Int
  /// Columns of one class, counting the columns inside collections and structures.
  public var columnsPerClass: Int
  /// Elements of all collections together, and distinct strings. Elements that take no bytes in the file, such as
  /// structures without fields, cost as 64 others.
  public var elements: Int
  /// Nesting of one value: structures, enumerations and collections inside each other.
  public var nesting: Int

  /// Creates limits; every figure is a count or a number of bytes.
  public init(
    fileBytes: Int, rawBytes: Int, rows: Int, classes: Int, classTableBytes: Int, columnsPerClass: Int,
    elements: Int, nesting: Int
  ) {
    self.fileBytes = fileBytes
    self.rawBytes = rawBytes
    self.rows = rows
    self.classes = classes
    self.classTableBytes = classTableBytes
    self.columnsPerClass = columnsPerClass
    self.elements = elements
    self.nesting = nesting
  }

  /// For files that your own programs wrote: generous, yet no single number in a file can exhaust the machine.
  public static let `default` = Limits(
    fileBytes: 4 << 30, rawBytes: 4 << 30, rows: 50_000_000, classes: 65_535, classTableBytes: 8 << 20,
    columnsPerClass: 65_535, elements: 500_000_000, nesting: 128)

  /// For files from strangers.
  public static let untrusted = Limits(
    fileBytes: 64 << 20, rawBytes: 256 << 20, rows: 1_000_000, classes: 4_096, classTableBytes: 512 << 10,
    columnsPerClass: 4_096, elements: 10_000_000, nesting: 64)

  /// How much of a limit a thing costs that takes no bytes in the file, so that nothing backs its number.
  static let costWithoutBytes = 64

  /// Throws `limitExceeded` when `value` is over `limit`.
  package static func check(
    _ value: Int, within limit: Int, _ name: String, byteOffset: Int? = nil
  ) throws(ArchiveError) {
    if value > limit {
      throw ArchiveError(
        .limitExceeded, found: "\(value) for limit '\(name)'", expected: "at most \(limit)",
        remedy: "raise Limits.\(name) if you trust the file", byteOffset: byteOffset)
    }
  }
}
