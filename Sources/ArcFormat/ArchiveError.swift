/// What went wrong with an archive: a code to switch over, where it happened, and words for people.
///
///     do { let person = try Unarchiver().read(Person.self, from: url) }
///     catch let error as ArchiveError where error.code == .unknownClass { print(error) }
///     // unknownClass: found class 'Robot' (object #7), expected a registered class; register it: …
public struct ArchiveError: Error, Hashable, Sendable {
  /// The kind of failure; stable names, used by `arcdump --json` and by `Spec/`.
  public enum Code: String, CaseIterable, Sendable {
    // The container: Spec/02-container.md.
    case notAnArchive, damagedHeader, unsupportedVersion, unsupportedFeature, truncated
    case damagedTrailer, damagedSegment, malformedSegment, indexMismatch, compressionFailed
    // Schema and columns: Spec/03-classes.md, Spec/04-columns.md.
    case malformedClassTable, malformedEncoding, malformedColumn, invalidString
    // The graph: Spec/05-graph.md.
    case danglingReference, wrongClass, constructionOrder, nilReference, duplicateKey, hashCycle
    // File against program.
    case unknownClass, missingRoot, missingKey, typeMismatch, valueOutOfRange, unknownCase
    // Archiving.
    case constructionCycle, unownedTarget, notArchivable, nameConflict, lostIdentity
    // Anywhere.
    case limitExceeded, fileSystem
  }

  /// The kind of failure.
  public var code: Code
  /// What the bytes, the graph or the program held.
  public var found: String
  /// What would have been right, if one thing would.
  public var expected: String?
  /// What the reader of the message can do about it.
  public var remedy: String?
  /// Distance in bytes from the start of the file.
  public var byteOffset: Int?
  /// The class (coded name) whose column or row was read or written.
  public var className: String?
  /// The key of the column.
  public var key: String?
  /// The object whose row was read or written.
  public var objectID: ObjectID?

  /// Creates an error; locations that the caller does not know are added while it travels upwards.
  public init(
    _ code: Code, found: String, expected: String? = nil, remedy: String? = nil, byteOffset: Int? = nil,
    className: String? = nil, key: String? = nil, objectID: ObjectID? = nil
  ) {
    self.code = code
    self.found = found
    self.expected = expected
    self.remedy = remedy
    self.byteOffset = byteOffset
    self.className = className
    self.key = key
    self.objectID = objectID
  }

  /// The same error with those places filled in that were still open: the innermost place wins.
  public func located(
    byteOffset: Int? = nil, className: String? = nil, key: String? = nil, objectID: ObjectID? = nil
  ) -> ArchiveError {
    var error = self
    error.byteOffset = error.byteOffset ?? byteOffset
    error.className = error.className ?? className
    error.key = error.key ?? key
    error.objectID = error.objectID ?? objectID
    return error
  }
}

/// A number of things in words: `1 object`, `2 objects`.
package func plural(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

extension ArchiveError: CustomStringConvertible {
  /// One line: code, what was found and expected, where, and the remedy.
  public var description: String {
    var text = "\(code.rawValue): found \(found)"
    if let expected { text += ", expected \(expected)" }
    var places: [String] = []
    if let className { places.append("class '\(className)'") }
    if let key { places.append("key '\(key)'") }
    if let objectID { places.append("object \(objectID)") }
    if let byteOffset { places.append("byte \(byteOffset)") }
    if !places.isEmpty { text += " (" + places.joined(separator: ", ") + ")" }
    if let remedy { text += "; " + remedy }
    return text
  }
}

/// The number of an object in its archive: its row number, 1 for the first object.
///
/// Row 0 holds the named roots and is not an object, so that 0 can stand for nil in reference columns.
/// Spec: 05-graph, rule G1.
public struct ObjectID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The row number.
  public let rawValue: UInt32
  /// The object in row `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// `#12` for row 12.
  public var description: String { "#\(rawValue)" }
  /// Orders by row.
  public static func < (left: ObjectID, right: ObjectID) -> Bool { left.rawValue < right.rawValue }
}
