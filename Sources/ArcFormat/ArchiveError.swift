/// An error in reading or writing an archive: a code, a location, and a message.
///
///     do { let person = try Unarchiver().read(Person.self, from: url) }
///     catch let error as ArchiveError where error.code == .unknownClass { print(error) }
///     // unknownClass: found 2 objects of class 'Robot', expected objects of a registered class, …
public struct ArchiveError: Error, Hashable, Sendable {
  /// The kind of an error. Each kind has a stable name.
  ///
  /// `arcdump --json` prints the name, and the Spec lists all names. Arc's article "Errors" has an example
  /// and a remedy for each code.
  public enum Code: String, CaseIterable, Sendable {
    // The container: Spec/02-container.md.
    /// The bytes do not begin with the signature of an archive.
    case notAnArchive
    /// The header, which is the first 32 bytes of the file, was changed.
    case damagedHeader
    /// The file has a later version of the format.
    case unsupportedVersion
    /// The file requires a feature that this version of Arc does not have.
    case unsupportedFeature
    /// The end of the file is missing, because the file was truncated or its writer was interrupted.
    case truncated
    /// The trailer, which is the last 32 bytes of the file, was changed.
    case damagedTrailer
    /// A segment of the file does not match its checksum.
    case damagedSegment
    /// A segment of the file violates the format, although its checksum is correct.
    case malformedSegment
    /// The index of the file does not match its segments.
    case indexMismatch
    /// A compressed segment cannot be decompressed, although its checksum is correct.
    case compressionFailed
    // Schema and columns: Spec/03-classes.md, Spec/04-columns.md.
    /// The class table contradicts itself.
    case malformedClassTable
    /// The type of a property is not a type that a file can contain.
    case malformedEncoding
    /// A property has too few or too many values, or its values violate the format.
    case malformedColumn
    /// A string is not UTF-8.
    case invalidString
    // The graph: Spec/05-graph.md.
    /// A reference refers to an object that the file does not contain.
    case danglingReference
    /// A reference refers to an object of a class that its property does not allow.
    case wrongClass
    /// An object is stored before another object that is needed to build it, or an object returned different
    /// values when it was encoded a second time.
    case constructionOrder
    /// A reference is nil, but the program's property cannot be nil.
    case nilReference
    /// Two roots have the same name, a hand-written coder uses a key twice, or two keys of a dictionary or
    /// two elements of a set are equal.
    case duplicateKey
    /// Keys of a collection become equal when the graph is complete, or the hash of a key depends on the
    /// collection that contains it.
    case hashCycle
    // A file compared with the program.
    /// The file has objects of a class that the unarchiver is not allowed to build, for example because the
    /// class is not registered.
    case unknownClass
    /// The file has no root with the requested name.
    case missingRoot
    /// A property of the program has no initial value, and the file has no value for the property.
    case missingKey
    /// A root or a property has a type whose values cannot be converted to the program's type.
    case typeMismatch
    /// A value of the file cannot be represented by the program's type.
    case valueOutOfRange
    /// An enumeration value of the file has a case that the program's enumeration does not have.
    case unknownCase
    /// A class could not migrate values that an older version of the class wrote.
    case migrationFailed
    /// The file has objects of a class, and the file's version of the class is newer than the program's
    /// version.
    case newerVersion
    // Writing.
    /// Objects need each other in their initializers, so none of them can be built first.
    case constructionCycle
    /// An `unowned` reference refers to an object that no strong reference of the graph reaches.
    case unownedTarget
    /// A value has a type that cannot be archived, although the declared type of the property can be
    /// archived.
    case notArchivable
    /// Two types have the same coded name, or the coded name of a type is reserved.
    case nameConflict
    /// An object would be written twice. This error is detected only if `ARC_CHECK_IDENTITY=1` is set in the
    /// environment.
    case lostIdentity
    // Reading and writing.
    /// Reading needs more memory, time or nesting than ``ArchiveLimits`` allow.
    case limitExceeded
    /// The operating system could not read or write the file, or the URL is not a file URL.
    case fileSystem
    /// An archive in a data set is not the archive that the manifest of the data set describes, or the
    /// manifest is not valid. Spec: 14-data-sets, rules Q1, Q2 and Q5.
    case wrongShard
    // The caller.
    /// The caller made a mistake: this call is never allowed, whatever the file and the graph contain.
    case invalidUse
  }

  /// The kind of the error.
  public package(set) var code: Code {
    get { details.code }
    set { details.code = newValue }
  }
  /// A description of what was found in the file, the graph or the program, at most 2,000 characters long.
  public package(set) var found: String {
    get { details.found }
    set { details.found = newValue }
  }
  /// A description of what was expected. Nil if unknown.
  public package(set) var expected: String? {
    get { details.expected }
    set { details.expected = newValue }
  }
  /// A description of how to fix the problem. Nil if unknown.
  public package(set) var remedy: String? {
    get { details.remedy }
    set { details.remedy = newValue }
  }
  /// The offset of the error in bytes from the start of the file. Nil if unknown.
  public package(set) var byteOffset: Int? {
    get { details.byteOffset }
    set { details.byteOffset = newValue }
  }
  /// The coded name of the class whose column or row was being read or written. Nil if unknown.
  public package(set) var className: String? {
    get { details.className }
    set { details.className = newValue }
  }
  /// The key of the column that was being read or written. Nil if unknown.
  public package(set) var key: String? {
    get { details.key }
    set { details.key = newValue }
  }
  /// The object that was being read or written when the error occurred. Nil if unknown.
  public package(set) var objectID: ObjectID? {
    get { details.objectID }
    set { details.objectID = newValue }
  }
  /// The path from a root to the property that was read or written, such as `root.children[3].style`. Nil if
  /// unknown.
  ///
  /// The path is determined only after an error. To find the path, an archiver traverses the graph again up
  /// to the object, so getters and `encode(to:)` are called again. In a damaged file, the path can be
  /// unknown.
  public package(set) var objectPath: String? {
    get { details.objectPath }
    set { details.objectPath = newValue }
  }
  /// The path of the file that was read or written. Nil if the bytes were in memory.
  public package(set) var filePath: String? {
    get { details.filePath }
    set { details.filePath = newValue }
  }
  /// Further reasons, in addition to this error, why the program cannot read the file. The array has at most
  /// 19 elements.
  ///
  /// Each reason is an error that must be fixed too.
  public package(set) var otherReasons: [ArchiveError] {
    get { details.otherReasons }
    set { details.otherReasons = newValue }
  }
  /// The number of further reasons that ``otherReasons`` does not contain.
  public package(set) var omittedReasonCount: Int {
    get { details.omittedReasonCount }
    set { details.omittedReasonCount = newValue }
  }
  /// The location of the value inside a property of the object. Set only until `objectPath` is known.
  package var valueLocation: ValueLocation? {
    get { details.valueLocation }
    set { details.valueLocation = newValue }
  }

  /// The address of the object to which the error belongs, if the object has no row number. An error with an
  /// address has no other location until `objectPath` is known.
  package var objectAddress: UInt? {
    get { details.objectAddress }
    set { details.objectAddress = newValue }
  }
  /// Whether the error was found while an archive was written. If true, the general description of the
  /// error's code does not apply, because it describes a file.
  package var isOfWriting: Bool {
    get { details.isOfWriting }
    set { details.isOfWriting = newValue }
  }

  /// The contents of the error, with one stored property for each computed property above.
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
    var valueLocation: ValueLocation?
    var objectAddress: UInt?
    var isOfWriting = false
  }

  /// The details, stored on the heap to keep stack frames small. Each function that throws an error reserves
  /// space for an error in its stack frame, and a recursion over a type or value has many frames.
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

  /// Creates an error. A location that becomes known later can be added with `located`.
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

  /// The maximum number of characters of a string in an error. The limit is needed because a name in a file
  /// can be several megabytes long.
  private static let maximumLength = 2000

  private static func short(_ text: String) -> String {
    let (start, restByteCount) = text.cut(toScalars: maximumLength)
    return restByteCount > 0 ? start + "…" : text
  }

  /// Returns a copy of the error with an added location.
  ///
  /// An argument is ignored if the property with its name is not nil, because a location that was set earlier
  /// is closer to the cause.
  ///
  /// - Returns: the copy. Each property that was nil has the value of the argument with its name.
  public func located(
    byteOffset: Int? = nil, className: String? = nil, key: String? = nil, objectID: ObjectID? = nil,
    objectPath: String? = nil, filePath: String? = nil
  ) -> ArchiveError {
    var located = details
    located.filePath = located.filePath ?? filePath
    // The location belongs to the reference whose target is being encoded, not to the object.
    guard located.objectAddress == nil else { return ArchiveError(box: .details(located)) }
    located.byteOffset = located.byteOffset ?? byteOffset
    located.className = located.className ?? className
    located.key = located.key ?? key
    located.objectID = located.objectID ?? objectID
    located.objectPath = located.objectPath ?? objectPath
    return ArchiveError(box: .details(located))
  }
}

/// Returns a count with its noun: `1 object`, `2 objects`.
package func plural(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

extension ArchiveError: CustomStringConvertible {
  /// The error on one line: the code, what was found, what was expected, the location, and the remedy.
  ///
  /// Each error in ``otherReasons`` follows on a separate line.
  public var description: String {
    // Names in a file can contain line breaks.
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
    // Errors of the file system already contain the path of the file.
    if let filePath, !found.contains("'\(filePath)'") { locations.append("file '\(filePath)'") }
    if !locations.isEmpty { text += " (" + locations.joined(separator: ", ") + ")" }
    if let objectPath { text += " at \(objectPath)" }
    if let remedy { text += "; " + remedy }
    return text
  }
}

/// The location of a value in a column, as numbers. Recording the numbers costs little when an error occurs.
/// Arc computes `ArchiveError.objectPath` from this location before it passes the error to the program.
package struct ValueLocation: Hashable, Sendable {
  /// The index of the node in the layout of the column's class.
  package let node: Int
  /// The index of the value among the values of the node in the current segment.
  package let index: Int
}
