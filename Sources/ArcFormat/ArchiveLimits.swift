/// The maximum costs of reading an archive. A reader checks the limits before it allocates memory.
///
///     var limits = ArchiveLimits.untrusted
///     limits.rows = 5_000_000
///     let person = try Unarchiver(limits: limits).read(Person.self, from: url)
///
/// If a file exceeds a limit, reading throws `limitExceeded` with the name of the limit. Every limit can be
/// raised. Spec: 07-limits, rules A1, A2, A3, A4, A5, A6, A7 and A8.
public struct ArchiveLimits: Hashable, Sendable {
  /// The maximum size of the file in bytes.
  public var fileBytes: Int
  /// The maximum number of bytes of all segments after decompression.
  public var rawBytes: Int
  /// The maximum number of rows, including the row of the roots. At most 1/64 of this number may be rows that
  /// occupy no bytes in the file, such as objects without properties.
  public var rows: Int
  /// The maximum number of classes in the class table.
  public var classes: Int
  /// The maximum size of the class table after decompression, in bytes. For each byte of the table, a reader
  /// can need several hundred bytes of memory.
  public var classTableBytes: Int
  /// The maximum number of columns of one class, including the nested columns of collections and structures.
  public var columnsPerClass: Int
  /// The maximum number of elements of all collections together. The limit also applies to the number of
  /// strings in the string table.
  ///
  /// An element that occupies no bytes in the file, such as a structure without fields, is counted as 64
  /// elements.
  public var elements: Int
  /// The maximum nesting of values of a recursive type: the number of levels at which a value contains other
  /// values of its own type.
  ///
  /// A value that is read as `ArchiveValue` may have at most 400 levels, even if this limit is higher.
  public var nesting: Int

  // The initializer is not public, because each additional limit would break its callers. Programs copy one
  // of the limits below and change it.
  package init(
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

  /// The default limits, for files that your own programs wrote.
  ///
  /// The limits allow large files. They ensure that a wrong number in a small file cannot make a reader
  /// exhaust the memory.
  public static let `default` = ArchiveLimits(
    fileBytes: 4 << 30, rawBytes: 4 << 30, rows: 50_000_000, classes: 65_535, classTableBytes: 8 << 20,
    columnsPerClass: 65_535, elements: 500_000_000, nesting: 128)

  /// The limits for untrusted files, which are lower than the default limits.
  public static let untrusted = ArchiveLimits(
    fileBytes: 64 << 20, rawBytes: 256 << 20, rows: 1_000_000, classes: 4_096, classTableBytes: 512 << 10,
    columnsPerClass: 4_096, elements: 10_000_000, nesting: 64)

  /// No limits. For reading bytes that the caller itself has just written.
  package static let unlimited = ArchiveLimits(
    fileBytes: .max, rawBytes: .max, rows: .max, classes: .max, classTableBytes: .max, columnsPerClass: .max,
    elements: .max, nesting: .max)

  /// The limits for archives that this program has just written, and for values that the program converts.
  package static let ofOwnArchives = ArchiveLimits(
    fileBytes: .max, rawBytes: .max, rows: Int(UInt32.max), classes: .max, classTableBytes: .max,
    columnsPerClass: .max, elements: .max, nesting: ArchiveLimits.default.nesting)

  /// The maximum nesting of values that are read without the program's types. The limit is needed because
  /// Swift releases an `ArchiveValue` recursively, on the stack of the thread that releases it last.
  package var valueNesting: Int { min(nesting, Self.maximumValueNesting) }
  static let maximumValueNesting = 400

  /// An item that has no bytes in the file is counted as this number of items, because the size of the file
  /// does not limit the number of such items.
  package static let costWithoutBytes = 64

  /// Throws `limitExceeded` if `value` exceeds `limit`. Spec: 07-limits.
  package static func check(
    _ value: Int, within limit: Int, _ name: String, byteOffset: Int? = nil
  ) throws(ArchiveError) {
    if value > limit {
      throw ArchiveError(
        .limitExceeded, found: words(for: value, of: name), expected: "at most \(limit)",
        remedy: "raise ArchiveLimits.\(name) if you trust the file", byteOffset: byteOffset)
    }
  }

  /// Describes a size that exceeds a limit, for error messages: `3 objects` for the limit `rows`.
  package static func words(for value: Int, of name: String) -> String {
    switch name {
    case "fileBytes": "a file of \(plural(value, "byte"))"
    case "classTableBytes": "a class table of \(plural(value, "byte"))"
    case "rawBytes": "\(plural(value, "byte")) of uncompressed data"
    case "columnsPerClass": "a class with \(plural(value, "column"))"
    case "classes": plural(value, "class", "classes")
    case "rows": plural(value, "object")
    case "elements": plural(value, "element")
    default: "\(value) for the limit '\(name)'"
    }
  }
}
