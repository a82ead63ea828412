import ArcFormat

/// An error in a file that Arc imports, such as a keyed archive of `NSKeyedArchiver`.
///
///     do { let root = try ArchiveImporter().read(Node.self, from: url) }
///     catch let error as ImportError { print(error) }
///     // danglingReference: found the UID 9, expected a UID below 4, the number of objects (object 1, …)
public struct ImportError: Error, Hashable, Sendable {
  /// A kind of error. The name of each kind is the same in all versions of Arc.
  public enum Code: String, CaseIterable, Sendable {
    /// Arc does not know the format of the file.
    case unknownFormat
    /// A property list is not valid, for example in its trailer, offsets, markers or tags.
    case malformedPropertyList
    /// Text in the file does not have the required encoding.
    case malformedText
    /// The property list is not a keyed archive, or is a malformed keyed archive.
    case malformedKeyedArchive
    /// Arc does not support the version of the file's format.
    case unsupportedVersion
    /// A UID refers to a missing object.
    ///
    /// A UID is the number of an object in a keyed archive.
    case danglingReference
    /// Two keys of one dictionary or object are equal.
    case duplicateKey
    /// A value does not have the required type.
    case typeMismatch
    /// A value cannot be represented in its type without loss.
    case valueOutOfRange
    /// The file has no root.
    case missingRoot
    /// A row of a table does not match the table's other rows.
    case malformedTable
    /// Reading the file would exceed the limits.
    case limitExceeded
  }

  /// The kind of the error.
  public package(set) var code: Code
  /// A description of what Arc found in the file.
  public package(set) var found: String
  /// A description of what Arc expected in the file. Nil if unknown.
  public package(set) var expected: String?
  /// A description of how to fix the problem. Nil if Arc knows no fix.
  public package(set) var remedy: String?
  /// The offset of the error from the start of the file, in bytes. Nil if unknown.
  public package(set) var byteOffset: Int?
  /// The line of the error in a text file, counted from 1. Nil if unknown.
  public package(set) var line: Int?
  /// The column of the error in its line, in Unicode scalars counted from 1. Nil if unknown.
  public package(set) var column: Int?
  /// The UID of the object with the error: its number in a keyed archive. Nil if unknown.
  public package(set) var objectUID: Int?
  /// The name of the class of the object with the error, as in the file. Nil if unknown.
  public package(set) var className: String?
  /// The key of the value with the error. Nil if unknown.
  public package(set) var key: String?
  /// The path of the file. Nil if the contents of the file were passed as bytes in memory.
  public package(set) var filePath: String?

  /// Creates an error. If the location is not known yet, a caller adds it later with `located`.
  package init(
    _ code: Code, found: String, expected: String? = nil, remedy: String? = nil, byteOffset: Int? = nil,
    line: Int? = nil, column: Int? = nil, objectUID: Int? = nil, className: String? = nil, key: String? = nil
  ) {
    self.code = code
    self.found = Self.short(found)
    self.expected = expected.map(Self.short)
    self.remedy = remedy
    self.byteOffset = byteOffset
    self.line = line
    self.column = column
    self.objectUID = objectUID
    self.className = className
    self.key = key
  }

  /// Returns a text for an error. If the text is long, returns only its beginning, because a name in a file
  /// can have megabytes.
  private static func short(_ text: String) -> String {
    let (start, restByteCount) = text.cut(toScalars: 2000)
    return restByteCount > 0 ? start + "…" : text
  }

  /// Returns the error with a location. Location values that the error already has are unchanged.
  package func located(
    byteOffset: Int? = nil, objectUID: Int? = nil, className: String? = nil, key: String? = nil,
    filePath: String? = nil
  ) -> ImportError {
    var located = self
    located.byteOffset = located.byteOffset ?? byteOffset
    located.objectUID = located.objectUID ?? objectUID
    located.className = located.className ?? className
    located.key = located.key ?? key
    located.filePath = located.filePath ?? filePath
    return located
  }

  /// Throws `limitExceeded` if a number exceeds a limit. Spec: 07-limits.
  static func check(
    _ value: Int, within limit: Int, _ name: String, byteOffset: Int? = nil
  ) throws(ImportError) {
    guard value > limit else { return }
    throw ImportError(
      .limitExceeded, found: ArchiveLimits.words(for: value, of: name), expected: "at most \(limit)",
      remedy: "raise ArchiveLimits.\(name) if you trust the file", byteOffset: byteOffset)
  }
}

extension ImportError: CustomStringConvertible {
  /// The error in one line of text.
  ///
  /// The line contains the code, what was found, what was expected, the location, and the remedy.
  public var description: String {
    var text = "\(code.rawValue): found \(found)"
    if let expected { text += ", expected \(expected)" }
    var locations: [String] = []
    if let objectUID { locations.append("object \(objectUID)") }
    if let className { locations.append("class '\(Self.short(className))'") }
    if let key { locations.append("key '\(Self.short(key))'") }
    if let line { locations.append("line \(line)") }
    if let column { locations.append("column \(column)") }
    if let byteOffset { locations.append("byte \(byteOffset)") }
    if let filePath { locations.append("file '\(filePath)'") }
    if !locations.isEmpty { text += " (" + locations.joined(separator: ", ") + ")" }
    if let remedy { text += "; " + remedy }
    // Names in a file may contain line ends.
    return printable(text)
  }
}
