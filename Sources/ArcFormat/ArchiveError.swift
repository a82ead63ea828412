/// An error in an archive: a code to switch over, where it is, and a message for people.
///
///     do { let person = try Unarchiver().read(Person.self, from: url) }
///     catch let error as ArchiveError where error.code == .unknownClass { print(error) }
///     // unknownClass: found 2 objects of class 'Robot', expected a registered class, …; register it: …
public struct ArchiveError: Error, Hashable, Sendable {
  /// The kind of an error, by a stable name, which `arcdump --json` prints and `Spec/` lists. Arc's page
  /// "Errors" has an example of each, and what to do.
  public enum Code: String, CaseIterable, Sendable {
    // The container: Spec/02-container.md.
    /// The bytes do not begin as an archive does.
    case notAnArchive
    /// The first 32 bytes were changed.
    case damagedHeader
    /// The file is of a later version of the format.
    case unsupportedVersion
    /// The file cannot be read without something that this version of Arc does not have.
    case unsupportedFeature
    /// The end is missing: the file was cut, or its writer was interrupted.
    case truncated
    /// The last 24 bytes were changed.
    case damagedTrailer
    /// A part of the file does not match its checksum.
    case damagedSegment
    /// A part of the file breaks the rules though its checksum is right.
    case malformedSegment
    /// The list of parts and the parts differ.
    case indexMismatch
    /// A compressed part cannot be decompressed, though its checksum is right.
    case compressionFailed
    // Schema and columns: Spec/03-classes.md, Spec/04-columns.md.
    /// The description of the classes contradicts itself.
    case malformedClassTable
    /// The type of a property is none that a file can hold.
    case malformedEncoding
    /// The values of a property are fewer, more, or stored otherwise than the rules say.
    case malformedColumn
    /// A string is not UTF-8.
    case invalidString
    // The graph: Spec/05-graph.md.
    /// A reference leads to an object that the file does not have.
    case danglingReference
    /// A reference leads to an object of another class than its property declares.
    case wrongClass
    /// What an object is built with comes after it, or is not the same the second time that it is asked for.
    case constructionOrder
    /// A reference is nil where the program's property cannot be.
    case nilReference
    /// Two roots, keys or elements are equal.
    case duplicateKey
    /// Keys are equal when the graph is complete, or hash by the collection that they are in.
    case hashCycle
    // A file compared with the program.
    /// The file has objects of a class that may not be built.
    case unknownClass
    /// The file has no root with the name that was asked for.
    case missingRoot
    /// The program has a property without initial value, and the file no value for it.
    case missingKey
    /// A root or a property of the file is of a type of which no value can be one of the program's.
    case typeMismatch
    /// A value of the file is none of the program's type.
    case valueOutOfRange
    /// The file has a case of an enumeration that the program does not have.
    case unknownCase
    /// A class could not change what an older version of it wrote.
    case migrationFailed
    /// The file has objects of a newer version of a class than the program has.
    case newerVersion
    // Writing.
    /// Objects refer to each other by what they are built with: none of them could be built first.
    case constructionCycle
    /// An `unowned` reference leads to an object that nothing in the graph keeps.
    case unownedTarget
    /// A value is of a type that cannot be archived, though its declared type can.
    case notArchivable
    /// Two types have one coded name, or a type has a name that stands for a value.
    case nameConflict
    /// An object would be in the file twice; found only where `ARC_CHECK_IDENTITY=1` is in the environment.
    case lostIdentity
    // Reading and writing.
    /// Reading would cost more memory, time or nesting than ``ArchiveLimits`` allow.
    case limitExceeded
    /// The operating system refused to read or write the file, or the URL is none of a file.
    case fileSystem
    /// An archive is not the one that a data set has in its place: Spec/14-data-sets.md.
    case wrongShard
    // The caller.
    /// A call that the interface does not allow, whatever the file or the graph: a mistake of the caller.
    case invalidUse
  }

  /// The kind of the error.
  public package(set) var code: Code {
    get { details.code }
    set { details.code = newValue }
  }
  /// What was found in the bytes, the graph or the program; of a long text the first 2,000 characters.
  public package(set) var found: String {
    get { details.found }
    set { details.found = newValue }
  }
  /// What was expected instead; nil if it cannot be said.
  public package(set) var expected: String? {
    get { details.expected }
    set { details.expected = newValue }
  }
  /// What whoever reads the message can do about it.
  public package(set) var remedy: String? {
    get { details.remedy }
    set { details.remedy = newValue }
  }
  /// The offset in bytes from the start of the file.
  public package(set) var byteOffset: Int? {
    get { details.byteOffset }
    set { details.byteOffset = newValue }
  }
  /// The coded name of the class whose column or row was read or written.
  public package(set) var className: String? {
    get { details.className }
    set { details.className = newValue }
  }
  /// The key of the column that was read or written.
  public package(set) var key: String? {
    get { details.key }
    set { details.key = newValue }
  }
  /// The object whose row was read or written.
  public package(set) var objectID: ObjectID? {
    get { details.objectID }
    set { details.objectID = newValue }
  }
  /// The way from a root to the property that was read or written, as Swift would write it:
  /// `root.children[3].style`; nil where it is not known, as in a damaged file.
  ///
  /// Found only when there is an error. While archiving, the graph is walked once more for it, up to the
  /// object: getters and `encode(to:)` run again.
  public package(set) var objectPath: String? {
    get { details.objectPath }
    set { details.objectPath = newValue }
  }
  /// The path of the file that was read or written; nil for bytes in memory.
  public package(set) var filePath: String? {
    get { details.filePath }
    set { details.filePath = newValue }
  }
  /// What else the same file lacks for this program: found together with the error, and to be mended
  /// together. At most 19.
  public package(set) var otherReasons: [ArchiveError] {
    get { details.otherReasons }
    set { details.otherReasons = newValue }
  }
  /// The number of further reasons, which are not kept.
  public package(set) var omittedReasonCount: Int {
    get { details.omittedReasonCount }
    set { details.omittedReasonCount = newValue }
  }
  /// Where in a property of the object the value is, until `objectPath` is known.
  package var valuePlace: ValuePlace? {
    get { details.valuePlace }
    set { details.valuePlace = newValue }
  }

  /// The address of an object without a row, to which the error belongs. Until `objectPath` is known, nothing
  /// else is said of the place.
  package var objectAddress: UInt? {
    get { details.objectAddress }
    set { details.objectAddress = newValue }
  }
  /// Whether the error was found while an archive was written, so that what its code says of a file holds of
  /// none.
  package var isOfWriting: Bool {
    get { details.isOfWriting }
    set { details.isOfWriting = newValue }
  }

  /// What the error states: a stored property for each of those above.
  private struct Details: Hashable {
    var code: Code
    var found: String
    var expected, remedy: String?
    var byteOffset: Int?
    var className, key: String?
    var objectID: ObjectID?
    var objectPath, filePath: String?
    var otherReasons: [ArchiveError] = []
    var omittedReasonCount = 0
    var valuePlace: ValuePlace?
    var objectAddress: UInt?
    var isOfWriting = false
  }

  /// Keeps the details on the heap. Every function that throws an error has room for one in its frame, and
  /// those that follow the nesting of a type or a value have many frames on the stack at a time.
  private indirect enum Box: Hashable {
    case details(Details)
  }

  private var box: Box

  private var details: Details {
    get {
      switch box {
      case .details(let details): details
      }
    }
    set { box = .details(newValue) }
  }

  private init(box: Box) {
    self.box = box
  }

  /// Makes an error; callers add with `located` what is not known where it is thrown.
  public init(
    _ code: Code, found: String, expected: String? = nil, remedy: String? = nil, byteOffset: Int? = nil,
    className: String? = nil, key: String? = nil, objectID: ObjectID? = nil
  ) {
    box = .details(
      Details(
        code: code, found: Self.short(found), expected: expected.map(Self.short),
        remedy: remedy.map(Self.short), byteOffset: byteOffset,
        className: className, key: key, objectID: objectID))
  }

  /// The maximum number of characters of a text in an error: names in a file may have megabytes.
  private static let maximumLength = 2000

  private static func short(_ text: String) -> String {
    let (start, restByteCount) = text.cut(toScalars: maximumLength)
    return restByteCount > 0 ? start + "…" : text
  }

  /// Adds to the error where it is.
  ///
  /// What the error states already stays: it was added closer to the cause.
  ///
  /// - Returns: a copy of the error with those properties set that were nil.
  public func located(
    byteOffset: Int? = nil, className: String? = nil, key: String? = nil, objectID: ObjectID? = nil,
    objectPath: String? = nil, filePath: String? = nil
  ) -> ArchiveError {
    var located = details
    located.filePath = located.filePath ?? filePath
    // What encodes a reference to the object would say where that is.
    guard located.objectAddress == nil else { return ArchiveError(box: .details(located)) }
    located.byteOffset = located.byteOffset ?? byteOffset
    located.className = located.className ?? className
    located.key = located.key ?? key
    located.objectID = located.objectID ?? objectID
    located.objectPath = located.objectPath ?? objectPath
    return ArchiveError(box: .details(located))
  }
}

/// A count in words: `1 object`, `2 objects`.
package func plural(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

extension ArchiveError: CustomStringConvertible {
  /// The error in one line: code, what was found and expected, where, and the remedy. Each of the other
  /// reasons has a line of its own.
  public var description: String {
    // Names in a file may have line ends in them.
    var lines = [printable(line)] + otherReasons.map { "also \(printable($0.line))" }
    if omittedReasonCount > 0 { lines.append("and \(omittedReasonCount) more") }
    return lines.joined(separator: "\n")
  }

  private var line: String {
    var text = "\(code.rawValue): found \(found)"
    if let expected { text += ", expected \(expected)" }
    var locations: [String] = []
    if let className { locations.append("class '\(Self.short(className))'") }
    if let key { locations.append("key '\(Self.short(key))'") }
    if let objectID { locations.append("object \(objectID)") }
    if let byteOffset { locations.append("byte \(byteOffset)") }
    // Errors of the system name the file that they are about.
    if let filePath, !found.contains("'\(filePath)'") { locations.append("file '\(filePath)'") }
    if !locations.isEmpty { text += " (" + locations.joined(separator: ", ") + ")" }
    if let objectPath { text += " at \(objectPath)" }
    if let remedy { text += "; " + remedy }
    return text
  }
}

/// A value of a column, by numbers: what is cheap to note when an error occurs. `ArchiveError.objectPath` is
/// made of it where the error leaves the archive.
package struct ValuePlace: Hashable, Sendable {
  /// The node of the column in its set.
  package let node: Int
  /// The index of the value among those of the column in the present segment.
  package let index: Int
}
