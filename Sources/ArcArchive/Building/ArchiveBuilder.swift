public import ArcFormat
import ArcRuntime

/// A builder of archives without Swift classes, for converters, other tools and tests.
///
/// Objects get their values by column, with one array of Swift values for each column:
///
///     let builder = try ArchiveBuilder(roots: [.init("people", type: [ObjectID].self)])
///     let friends = ArchiveBuilder.Property("friends", type: [ObjectID].self)
///     try builder.addClass("Person", properties: [.init("name", type: String.self), friends])
///     let ids = try builder.reserveObjects(ofClass: "Person", count: 2)
///     try builder.setRoots(["people": ids])
///     try builder.setValues([.init("name", ["Ada", "Bob"]), .init("friends", [[ids[1]], []])], of: ids)
///     let bytes = try builder.finish()
///
/// Objects can also get their values individually: `setValues(["name": "Ada", "friends": [ids[1]]], of:
/// ids[0])`. Reserve an object only if a reference to the object is needed before the object has its values;
/// add all other objects with ``addObjects(ofClass:columns:)``. Use `ArchiveValue` for structures and
/// enumerations, and, if the program does not import Arc, for dates and data: this module has no Swift types
/// for these values.
///
/// Each value is checked against the type of its column when the value is set, so `verify()` accepts the
/// archive. The builder writes an object when the roots, all objects with lower numbers and the object itself
/// have their values. Until then, the values are stored in memory. If a call throws, the archive contains
/// nothing of this call. If the encoding of a Swift value throws, all further calls throw the same error. Two
/// threads must not use one builder at once.
public final class ArchiveBuilder {
  var writer: ArchiveWriter
  let isStrict: Bool
  var classIndices: [ExactName: Int] = [:]
  /// The superclasses of the first `hierarchyCount` classes. Used to check references by a `ReferenceRule`.
  var hierarchy = ClassHierarchy([])
  var hierarchyCount = 0
  /// The descriptions of the Swift types whose values were added.
  var swiftTypes: [ObjectIdentifier: SwiftColumnType] = [:]
  /// The index of the class of each row.
  private(set) var classOfRow: [UInt32] = [0]
  /// The rows that cannot be written yet, grouped by consecutive numbers. The key of each group is the number
  /// of its first row.
  var pending: [Int: PendingRows] = [:]
  /// For each row, whether its values were set.
  var isSet: [Bool] = [false]
  private var isFinished = false
  /// The error that left a row only partly written. All further calls throw this error. Nil if there was no
  /// such error.
  var failure: ArchiveError?

  /// Creates a builder for an archive with named roots.
  ///
  ///     let builder = try ArchiveBuilder(roots: [.init("people", type: [ObjectID].self)])
  ///
  /// - Parameters:
  ///   - roots: the named roots, with only a key and a type: ``Property/isKeyed`` and
  ///     ``Property/isConstruction`` are false, and ``Property/declaringClass`` is nil.
  ///   - metadata: the archive's metadata: keys and strings of the program's choice.
  ///   - compression: the compression of segments.
  ///   - hasChunkDirectory: whether the archive gets a chunk directory, with which readers can read one
  ///     column without the other columns. Spec: 13-directory.
  /// - Throws: `invalidUse` if a root has `isKeyed`, `isConstruction` or a declaring class, or an error of
  ///   ``addClass(_:superclass:version:properties:)``.
  public convenience init(
    roots: [Property], metadata: [String: String] = [:], compression: Compression = .none,
    hasChunkDirectory: Bool = false
  ) throws(ArchiveError) {
    try self.init(
      roots: roots, metadata: metadata.map { ($0.key, $0.value) }, compression: compression,
      hasChunkDirectory: hasChunkDirectory, isStrict: true)
  }

  /// Creates a builder. If `isStrict` is false, values are not checked for the errors that readers ignore.
  /// See `ValueChecker.isStrict`.
  init(
    roots: [Property], metadata: [(key: String, value: String)], compression: Compression,
    hasChunkDirectory: Bool = false, isStrict: Bool
  ) throws(ArchiveError) {
    self.isStrict = isStrict
    writer = ArchiveWriter(compression: compression, metadata: metadata, hasChunkDirectory: hasChunkDirectory)
    for root in roots where !root.flags.isEmpty || root.declaringClass != nil {
      throw ArchiveError(
        .invalidUse, found: "a root with isKeyed, isConstruction or a declaring class",
        expected: "a root with only a key and a type",
        key: root.key)
    }
    try add(ClassDescription.rootsName, superclass: nil, version: 0, properties: roots)
  }

  // MARK: Objects

  /// Reserves objects that get their values later, so that references to them can be set. Returns their
  /// numbers.
  ///
  ///     let ids = try builder.reserveObjects(ofClass: "Person", count: 2)
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - count: the number of objects, not negative.
  /// - Returns: the numbers of the objects, consecutive and ascending.
  /// - Throws: `unknownClass` if the class was not added, `limitExceeded` if an archive cannot contain so
  ///   many objects, `invalidUse` if the count is negative or if `finish` was called before.
  public func reserveObjects(ofClass className: String, count: Int) throws(ArchiveError) -> [ObjectID] {
    try checkUsable()
    guard let index = classIndices[ExactName(className)], index > 0 else { throw unknownClass(className) }
    guard count >= 0 else {
      throw ArchiveError(
        .invalidUse, found: "a count of \(count) objects", expected: "a count of at least 0",
        className: className)
    }
    let first = classOfRow.count
    guard count < Int(UInt32.max) - first else {
      throw ArchiveError(
        .limitExceeded, found: "\(UInt32.max) or more objects",
        expected: "fewer than \(UInt32.max) objects in one archive", className: className)
    }
    classOfRow += repeatElement(UInt32(truncatingIfNeeded: index), count: count)
    isSet += repeatElement(false, count: count)
    return (first..<first + count).map { ObjectID(rawValue: UInt32(truncatingIfNeeded: $0)) }
  }

  /// Reserves an object that gets its values later. Returns its number.
  ///
  /// - Parameter className: the coded name of a class that was added.
  /// - Returns: the number of the object.
  /// - Throws: the errors of ``reserveObjects(ofClass:count:)``.
  public func reserveObject(ofClass className: String) throws(ArchiveError) -> ObjectID {
    try reserveObjects(ofClass: className, count: 1)[0]
  }

  /// Sets the values of several objects of one class. Each object gets its values once.
  ///
  ///     try builder.setValues([.init("name", ["Ada", "Bob"]), .init("age", [36, 28])], of: ids)
  ///
  /// If you omit an optional or a reference, the value is nil. If you omit a collection, the value is empty.
  /// If you omit a keyed property, the objects have no value for the property. If you omit any other
  /// property, the call throws `missingKey`.
  ///
  /// - Parameters:
  ///   - columns: for each key, one value for each object. The values have the type of the column. For a
  ///     column of optionals, the values can also have the wrapped type. For a keyed property, the values can
  ///     also be optionals; if the value is nil, the object has no value for the property.
  ///   - ids: the numbers of reserved objects of one class.
  /// - Throws: `invalidUse` if a column does not have one value for each object, or if `finish` was called
  ///   before; `missingKey` if the class has no property with the key of a column, or if a value is missing;
  ///   `duplicateKey` if a key or an object occurs twice, or if elements of a set are equal; `typeMismatch`
  ///   or `valueOutOfRange` if a value does not fit the type of its column; `danglingReference`, `wrongClass`
  ///   or `constructionOrder` if a property may not refer to the object of a reference; `wrongClass` if the
  ///   objects in `ids` have different classes.
  /// - Complexity: O(*n*) in the number of values.
  public func setValues(_ columns: [Column], of ids: [ObjectID]) throws(ArchiveError) {
    try checkUsable()
    for id in ids where id.rawValue == 0 || Int(id.rawValue) >= classOfRow.count {
      throw ArchiveError(
        .danglingReference, found: "object \(id)", expected: "an object that was reserved",
        remedy: "call reserveObjects(ofClass:count:) first", objectID: id)
    }
    try set(columns, ofRows: ids)
  }

  /// Sets the values of one object, with a Swift value for each key.
  ///
  ///     try builder.setValues(["name": "Ada", "age": 36], of: id)
  ///
  /// Call this function only once for each object.
  ///
  /// - Parameters:
  ///   - values: the values by key.
  ///   - id: the number of a reserved object.
  /// - Throws: the errors of ``setValues(_:of:)-(_,[ObjectID])``.
  @_disfavoredOverload  // An empty dictionary is one of `ArchiveValue`s.
  public func setValues(_ values: [Key: any ColumnValue], of id: ObjectID) throws(ArchiveError) {
    try setValues(Self.columns(values), of: [id])
  }

  /// Sets the values of one object, with an `ArchiveValue` for each key.
  ///
  ///     try builder.setValues(["name": "Ada", "born": .date(0)], of: id)
  ///
  /// Call this function only once for each object.
  ///
  /// - Parameters:
  ///   - values: the values by key.
  ///   - id: the number of a reserved object.
  /// - Throws: the errors of ``setValues(_:of:)-(_,[ObjectID])``.
  public func setValues(_ values: [Key: ArchiveValue], of id: ObjectID) throws(ArchiveError) {
    try setValues(Self.columns(values), of: [id])
  }

  /// Adds several objects of one class with their values. Returns their numbers.
  ///
  ///     let ids = try builder.addObjects(ofClass: "Person", columns: [.init("name", ["Ada", "Bob"])])
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - columns: for each key, one value for each new object.
  /// - Returns: the numbers of the objects, consecutive and ascending.
  /// - Throws: the errors of `reserveObjects` and `setValues`. If the call throws, no object is added.
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
      // The caller has not received the numbers, so they can be used again.
      if let first = ids.first, !isSet[Int(first.rawValue)] {
        classOfRow.removeLast(count)
        isSet.removeLast(count)
      }
      throw error
    }
    return ids
  }

  /// Adds one object, with a Swift value for each key. Returns its number.
  ///
  ///     let id = try builder.addObject(ofClass: "Person", ["name": "Ada", "age": 36])
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - values: the values by key.
  /// - Returns: the number of the object.
  /// - Throws: the errors of ``addObjects(ofClass:columns:)``. If the call throws, no object is added.
  @_disfavoredOverload
  @discardableResult
  public func addObject(
    ofClass className: String, _ values: [Key: any ColumnValue]
  ) throws(ArchiveError) -> ObjectID {
    try addObjects(1, of: className, Self.columns(values))[0]
  }

  /// Adds one object, with an `ArchiveValue` for each key. Returns its number.
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - values: the values by key.
  /// - Returns: the number of the object.
  /// - Throws: the errors of ``addObjects(ofClass:columns:)``. If the call throws, no object is added.
  @discardableResult
  public func addObject(ofClass className: String, _ values: [Key: ArchiveValue]) throws(ArchiveError)
    -> ObjectID
  {
    try addObjects(1, of: className, Self.columns(values))[0]
  }

  /// Sets the values of all roots, with a Swift value for each root.
  ///
  ///     try builder.setRoots(["people": ids])
  ///
  /// Call this function once, and early, because no object is written before the roots have their values.
  ///
  /// - Parameter values: the values by root name.
  /// - Throws: the errors of ``setValues(_:of:)-(_,[ObjectID])``.
  @_disfavoredOverload
  public func setRoots(_ values: [Key: any ColumnValue]) throws(ArchiveError) {
    try checkUsable()
    try set(Self.columns(values), ofRows: [ObjectID(rawValue: 0)])
  }

  /// Sets the values of all roots, with an `ArchiveValue` for each root.
  ///
  /// Call this function once, and early, because no object is written before the roots have their values.
  ///
  /// - Parameter values: the values by root name.
  /// - Throws: the errors of ``setValues(_:of:)-(_,[ObjectID])``.
  public func setRoots(_ values: [Key: ArchiveValue]) throws(ArchiveError) {
    try checkUsable()
    try set(Self.columns(values), ofRows: [ObjectID(rawValue: 0)])
  }

  /// Completes the archive. Returns its bytes.
  ///
  ///     let bytes = try builder.finish()
  ///
  /// A root without a value becomes nil or an empty collection. After this call, the builder cannot be used.
  ///
  /// - Returns: the bytes of the archive.
  /// - Throws: `danglingReference` if a reserved object has no values, `missingKey` if a root without a value
  ///   is not an optional, a reference or a collection, `invalidUse` if `finish` was called before.
  public func finish() throws(ArchiveError) -> [UInt8] {
    try checkUsable()
    if !isSet[0] { try setRoots([:]) }
    if let row = isSet.firstIndex(of: false) {
      let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row))
      throw ArchiveError(
        .danglingReference, found: "object \(id) without values",
        expected: "values for each reserved object",
        remedy: "call setValues(_:of:) for the object before finish()", objectID: id)
    }
    isFinished = true
    return try writer.finish { UInt32(truncatingIfNeeded: $0) }
  }

  /// Throws an error after `finish`, or after an error that left the archive incomplete. Spec: 05-graph, rule
  /// W9.
  func checkUsable() throws(ArchiveError) {
    if let failure { throw failure }
    guard !isFinished else {
      throw ArchiveError(
        .invalidUse, found: "a builder that has finished", expected: "no calls after finish()",
        remedy: "create a new ArchiveBuilder")
    }
  }
}
