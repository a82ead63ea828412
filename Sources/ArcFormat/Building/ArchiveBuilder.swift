import ArcRuntime

/// Writes an archive without Swift classes: for converters, other tools, and tests.
///
/// Objects get their values by column, each column as an array of Swift values:
///
///     let builder = try ArchiveBuilder(roots: [.init("people", type: [ObjectID].self)])
///     let friends = ArchiveBuilder.Property("friends", type: [ObjectID].self)
///     try builder.addClass("Person", properties: [.init("name", type: String.self), friends])
///     let ids = try builder.reserveObjects(ofClass: "Person", count: 2)
///     try builder.setRoots(["people": ids])
///     try builder.setValues([.init("name", ["Ada", "Bob"]), .init("friends", [[ids[1]], []])], of: ids)
///     let bytes = try builder.finish()
///
/// or one by one, `setValues(["name": "Ada", "friends": [ids[1]]], of: ids[0])`. Objects that are not
/// referred to before they have their values need not be reserved: see ``addObjects(ofClass:columns:)``.
/// `ArchiveValue` has values of those kinds that no Swift type stands for: structures and enumerations of any
/// program, and, without module Arc, dates, data and the like.
///
/// Every value is checked against its column's type when it is set, so that the archive passes `verify()`. An
/// object is written once it, all objects with lower numbers, and the roots have their values; until then its
/// values are kept in memory. If a call throws, nothing of that call is in the archive; after an error of a
/// value's own code while it was written, as a raw value that makes no value again has it, all further calls
/// throw that error. Not safe to use from two threads at once.
public final class ArchiveBuilder {
  var writer: ArchiveWriter
  let isStrict: Bool
  var classIndices: [ExactName: Int] = [:]
  /// Where the references of the classes so far lead, for `ReferenceRule`.
  var hierarchy = ClassHierarchy([])
  var hierarchyCount = 0
  /// What is known of types whose values were added.
  var swiftTypes: [ObjectIdentifier: SwiftColumnType] = [:]
  /// The index of the class of each row.
  private(set) var classOfRow: [UInt32] = [0]
  /// Rows that cannot be written yet, by the first of them.
  var pending: [Int: PendingRows] = [:]
  /// For each row whether its values were set.
  var isSet: [Bool] = [false]
  private var isFinished = false
  /// An error between two values of one row, after which nothing can be written.
  var failure: ArchiveError?

  /// Begins an archive with the names and types of its roots.
  ///
  /// - Parameters:
  ///   - roots: the named roots, without flags and declaring classes.
  ///   - metadata: what the archive says of itself.
  ///   - compression: how the segments of the archive are compressed.
  ///   - hasChunkDirectory: whether the archive has a directory of its chunks, by which other programs read
  ///     one column without the others. Spec: 13-directory.
  /// - Throws: `invalidUse` for a root with flags or a declaring class, and what `addClass` throws.
  public convenience init(
    roots: [Property], metadata: [String: String] = [:], compression: Compression = .none,
    hasChunkDirectory: Bool = false
  ) throws(ArchiveError) {
    try self.init(
      roots: roots, metadata: metadata.map { ($0.key, $0.value) }, compression: compression,
      hasChunkDirectory: hasChunkDirectory, isStrict: true)
  }

  /// If not strict, values are written that readers do not refuse; see `ValueChecker.isStrict`.
  init(
    roots: [Property], metadata: [(key: String, value: String)], compression: Compression,
    hasChunkDirectory: Bool = false, isStrict: Bool
  ) throws(ArchiveError) {
    self.isStrict = isStrict
    writer = ArchiveWriter(compression: compression, metadata: metadata, hasChunkDirectory: hasChunkDirectory)
    for root in roots where !root.flags.isEmpty || root.declaringClass != nil {
      throw ArchiveError(
        .invalidUse, found: "a root with flags or a declaring class", expected: "a key and a type",
        key: root.key)
    }
    try add(ClassDescription.rootsName, superclass: nil, version: 0, properties: roots)
  }

  // MARK: Objects

  /// Adds objects without values; references can lead to them from now on.
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - count: the number of objects, not negative.
  /// - Returns: the numbers of the objects, for `setValues`: ascending, without gaps.
  /// - Throws: `unknownClass` if there is no such class, `limitExceeded` for more objects than an archive can
  ///   have, `invalidUse` after `finish` and for a negative count.
  public func reserveObjects(ofClass className: String, count: Int) throws(ArchiveError) -> [ObjectID] {
    try checkUsable()
    guard let index = classIndices[ExactName(className)], index > 0 else { throw unknownClass(className) }
    guard count >= 0 else {
      throw ArchiveError(.invalidUse, found: "\(count) objects", expected: "0 or more", className: className)
    }
    let first = classOfRow.count
    guard count < Int(UInt32.max) - first else {
      throw ArchiveError(.limitExceeded, found: "more than \(UInt32.max) objects", className: className)
    }
    classOfRow += repeatElement(UInt32(truncatingIfNeeded: index), count: count)
    isSet += repeatElement(false, count: count)
    return (first..<first + count).map { ObjectID(rawValue: UInt32(truncatingIfNeeded: $0)) }
  }

  /// Adds an object without values; see ``reserveObjects(ofClass:count:)``.
  public func reserveObject(ofClass className: String) throws(ArchiveError) -> ObjectID {
    try reserveObjects(ofClass: className, count: 1)[0]
  }

  /// Sets the values of objects of one class, once for each object.
  ///
  /// A column that is left out is nil or empty in all of them, or, if it is keyed, absent; any other throws
  /// `missingKey`.
  ///
  /// - Parameters:
  ///   - columns: for each key as many values as there are objects. They may be of the column's own type, or
  ///     of a type that it wraps in an optional; a keyed column takes optionals too, and is absent where they
  ///     are nil.
  ///   - ids: numbers of objects of one class that were reserved.
  /// - Throws: `invalidUse` for a column of more or fewer values than objects, and after `finish`;
  ///   `missingKey` for a key that the class does not have, `duplicateKey` for a second column of a key, a
  ///   second set of values of an object, or equal elements of a set, `typeMismatch` and `valueOutOfRange`
  ///   for a value that is none of the column's type, `danglingReference`, `wrongClass` and
  ///   `constructionOrder` for a reference that the column cannot contain, `wrongClass` also for objects of
  ///   several classes.
  /// - Complexity: O(*n*) in the number of values.
  public func setValues(_ columns: [Column], of ids: [ObjectID]) throws(ArchiveError) {
    try checkUsable()
    for id in ids where id.rawValue == 0 || Int(id.rawValue) >= classOfRow.count {
      throw ArchiveError(
        .danglingReference, found: "object \(id)", expected: "one that was reserved", objectID: id)
    }
    try set(columns, ofRows: ids)
  }

  /// Sets the values of an object, once, with a Swift value for each key.
  ///
  /// - Parameters:
  ///   - values: the values by key.
  ///   - id: a number that `reserveObject` returned.
  /// - Throws: what ``setValues(_:of:)-(_,[ObjectID])`` throws.
  @_disfavoredOverload  // An empty dictionary is one of `ArchiveValue`s.
  public func setValues(_ values: [Key: any ColumnValue], of id: ObjectID) throws(ArchiveError) {
    try setValues(Self.columns(values), of: [id])
  }

  /// Sets the values of an object, once, with a value of any kind for each key.
  ///
  /// - Parameters:
  ///   - values: the values by key.
  ///   - id: a number that `reserveObject` returned.
  /// - Throws: what ``setValues(_:of:)-(_,[ObjectID])`` throws.
  public func setValues(_ values: [Key: ArchiveValue], of id: ObjectID) throws(ArchiveError) {
    try setValues(Self.columns(values), of: [id])
  }

  /// Adds objects and sets their values.
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - columns: for each key as many values as objects are added.
  /// - Returns: the numbers of the objects: ascending, without gaps.
  /// - Throws: what `reserveObjects` and `setValues` throw; then no object was added.
  /// - Complexity: O(*n*) in the number of values.
  @discardableResult
  public func addObjects(ofClass className: String, columns: [Column]) throws(ArchiveError) -> [ObjectID] {
    try addObjects(columns.first?.values.count ?? 0, of: className, columns)
  }

  private func addObjects(
    _ count: Int, of className: String, _ columns: [Column]
  ) throws(ArchiveError) -> [ObjectID] {
    let ids = try reserveObjects(ofClass: className, count: count)
    do throws(ArchiveError) {
      try set(columns, ofRows: ids)
    } catch {
      // Nobody knows the numbers yet.
      if let first = ids.first, !isSet[Int(first.rawValue)] {
        classOfRow.removeLast(count)
        isSet.removeLast(count)
      }
      throw error
    }
    return ids
  }

  /// Adds an object and sets its values, a Swift value for each key.
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - values: the values by key.
  /// - Returns: the number of the object.
  /// - Throws: what `addObjects` throws; then no object was added.
  @_disfavoredOverload
  @discardableResult
  public func addObject(
    ofClass className: String, _ values: [Key: any ColumnValue]
  ) throws(ArchiveError) -> ObjectID {
    try addObjects(1, of: className, Self.columns(values))[0]
  }

  /// Adds an object and sets its values, a value of any kind for each key.
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - values: the values by key.
  /// - Returns: the number of the object.
  /// - Throws: what `addObjects` throws; then no object was added.
  @discardableResult
  public func addObject(ofClass className: String, _ values: [Key: ArchiveValue]) throws(ArchiveError)
    -> ObjectID
  {
    try addObjects(1, of: className, Self.columns(values))[0]
  }

  /// Sets the values of the roots, once, with a Swift value for each; call it early, since no object is
  /// written before.
  ///
  /// - Parameter values: the values by the names of the roots.
  /// - Throws: what `setValues` throws.
  @_disfavoredOverload
  public func setRoots(_ values: [Key: any ColumnValue]) throws(ArchiveError) {
    try checkUsable()
    try set(Self.columns(values), ofRows: [ObjectID(rawValue: 0)])
  }

  /// Sets the values of the roots, once, with a value of any kind for each; call it early, since no object is
  /// written before.
  ///
  /// - Parameter values: the values by the names of the roots.
  /// - Throws: what `setValues` throws.
  public func setRoots(_ values: [Key: ArchiveValue]) throws(ArchiveError) {
    try checkUsable()
    try set(Self.columns(values), ofRows: [ObjectID(rawValue: 0)])
  }

  /// Completes the archive; nothing can be added after that.
  ///
  /// Roots without values are nil or empty.
  ///
  /// - Returns: the bytes of the archive.
  /// - Throws: `danglingReference` if the values of an object that was reserved were not set, `missingKey` if
  ///   those of a root are missing that cannot be nil or empty, `invalidUse` after an earlier call.
  public func finish() throws(ArchiveError) -> [UInt8] {
    try checkUsable()
    if !isSet[0] { try setRoots([:]) }
    if let row = isSet.firstIndex(of: false) {
      let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row))
      throw ArchiveError(
        .danglingReference, found: "object \(id) without values",
        expected: "each reserved object to get some",
        remedy: "call setValues(_:of:)", objectID: id)
    }
    isFinished = true
    return try writer.finish { UInt32(truncatingIfNeeded: $0) }
  }

  /// Throws after `finish`, or after an error that left the archive incomplete. Spec: 05-graph, rule W9.
  func checkUsable() throws(ArchiveError) {
    if let failure { throw failure }
    guard !isFinished else {
      throw ArchiveError(
        .invalidUse, found: "a builder that has finished", expected: "no calls after finish()",
        remedy: "make a new one")
    }
  }
}
