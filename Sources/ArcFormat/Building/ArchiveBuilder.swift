import ArcRuntime

/// Writes an archive without Swift classes: for converters, other tools, and tests.
///
///     let builder = try ArchiveBuilder(roots: [.init("root", type: #"@"Person""#)])
///     let friends = ArchiveBuilder.Property("friends", type: #"$[@"Person"]"#)
///     try builder.addClass("Person", properties: [.init("name", type: #"@"NSString""#), friends])
///     let (ada, bob) = (try builder.reserveObject(of: "Person"), try builder.reserveObject(of: "Person"))
///     try builder.setRoots(["root": .reference(ada)])
///     try builder.setValues(["name": .string("Ada"), "friends": .array([.reference(bob)])], of: ada)
///     try builder.setValues(["name": .string("Bob"), "friends": .array([.reference(ada)])], of: bob)
///     let bytes = try builder.finish()
///
/// Every value is checked against its column's type when it is set, so that the archive passes `verify()`. An
/// object is written once it, all objects with lower numbers, and the roots have their values; until then its
/// values are kept in memory. If a call throws, nothing of that call is in the archive. Not safe to use from
/// two threads at once.
public final class ArchiveBuilder {
  /// A property of a class, or a named root.
  public struct Property: Hashable, Sendable {
    /// The key of the column.
    public var key: String
    /// The property attributes, such as `T@"NSString",N,R,V_name`.
    public var attributes: String
    /// Whether the column is a construction column, a keyed one, or neither.
    public var flags: ColumnDescription.Flags
    /// The coded name of the superclass that declares the property; nil for the class itself.
    public var declaringClass: String?

    /// Makes a property with an attribute string.
    public init(
      _ key: String, attributes: String, flags: ColumnDescription.Flags = [],
      declaredBy className: String? = nil
    ) {
      self.key = key
      self.attributes = attributes
      self.flags = flags
      declaringClass = className
    }

    /// Makes a property of which only the type encoding is known.
    public init(
      _ key: String, type: String, flags: ColumnDescription.Flags = [], declaredBy className: String? = nil
    ) {
      self.init(key, attributes: "T" + type, flags: flags, declaredBy: className)
    }
  }

  /// The key of a value and, where a class and its superclass use the same one, the class that declares it.
  public struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The key of the column.
    public var name: String
    /// The coded name of the declaring class; nil for the first column with that key, that of the most
    /// derived class.
    public var declaringClass: String?

    /// Makes a key, of any declaring class or of a given one.
    public init(_ name: String, of className: String? = nil) {
      self.name = name
      declaringClass = className
    }

    /// Makes a key of any declaring class.
    public init(stringLiteral name: String) { self.init(name) }

    /// Whether the names of both keys have the same bytes, as in files.
    public static func == (left: Key, right: Key) -> Bool {
      ExactName(left.name) == ExactName(right.name)
        && left.declaringClass.map(ExactName.init) == right.declaringClass.map(ExactName.init)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactName(name))
      hasher.combine(declaringClass.map(ExactName.init))
    }
  }

  var writer: ArchiveWriter
  let isStrict: Bool
  var classIndices: [ExactName: Int] = [:]
  private var hierarchy = ClassHierarchy([])
  private var hierarchyCount = 0
  /// The index of the class of each row.
  private var classOfRow: [UInt32] = [0]
  /// The values of rows that cannot be written yet, by column.
  private var waiting: [Int: [ArchiveValue?]] = [:]
  /// For each row whether its values were set.
  private var isSet: [Bool] = [false]
  private var isFinished = false
  /// An error between two values of one row, after which nothing can be written.
  private var failure: ArchiveError?

  /// Begins an archive with the names and types of its roots.
  ///
  /// - Parameters:
  ///   - roots: the named roots, without flags and declaring classes.
  ///   - metadata: what the archive says of itself.
  ///   - compression: how the segments of the archive are compressed.
  /// - Throws: `invalidUse` for a root with flags or a declaring class, and what `addClass` throws.
  public convenience init(
    roots: [Property], metadata: [String: String] = [:], compression: Compression = .none
  ) throws(ArchiveError) {
    try self.init(
      roots: roots, metadata: metadata.map { ($0.key, $0.value) }, compression: compression, isStrict: true)
  }

  /// If not strict, values are written that readers do not refuse; see `ValueChecker.isStrict`.
  init(
    roots: [Property], metadata: [(key: String, value: String)], compression: Compression, isStrict: Bool
  ) throws(ArchiveError) {
    self.isStrict = isStrict
    writer = ArchiveWriter(compression: compression, metadata: metadata)
    for root in roots where !root.flags.isEmpty || root.declaringClass != nil {
      throw ArchiveError(
        .invalidUse, found: "a root with flags or a declaring class", expected: "a key and a type",
        key: root.key)
    }
    try add(ClassDescription.rootsName, superclass: nil, version: 0, properties: roots)
  }

  // MARK: Objects

  /// Adds an object without values; references can lead to it from now on.
  ///
  /// - Parameter className: the coded name of a class that was added.
  /// - Returns: the number of the object, for `setValues`.
  /// - Throws: `unknownClass` if there is no such class, `invalidUse` after `finish`.
  public func reserveObject(of className: String) throws(ArchiveError) -> ObjectID {
    try checkUsable()
    guard let index = classIndices[ExactName(className)], index > 0 else {
      throw ArchiveError(.unknownClass, found: "no class '\(className)'", remedy: "add it with addClass")
    }
    guard let id = UInt32(exactly: classOfRow.count), id < .max else {
      throw ArchiveError(.limitExceeded, found: "more than \(UInt32.max) objects")
    }
    classOfRow.append(UInt32(truncatingIfNeeded: index))
    isSet.append(false)
    return ObjectID(rawValue: id)
  }

  /// Sets the values of an object, once.
  ///
  /// A column without a value is nil or empty, or, if it is keyed, absent in this object; any other throws
  /// `missingKey`.
  ///
  /// - Parameters:
  ///   - values: the values by key.
  ///   - id: a number that `reserveObject` returned.
  /// - Throws: `missingKey` for a key that the class does not have, `duplicateKey` for a second value of a
  ///   column or equal elements of a set, `typeMismatch` and `valueOutOfRange` for a value that is none of
  ///   the column's type, `danglingReference`, `wrongClass` and `constructionOrder` for a reference that the
  ///   column cannot contain, `invalidUse` after `finish`.
  public func setValues(_ values: [Key: ArchiveValue], of id: ObjectID) throws(ArchiveError) {
    let row = Int(id.rawValue)
    guard row > 0, row < classOfRow.count else {
      throw ArchiveError(
        .danglingReference, found: "object \(id)", expected: "one that was reserved", objectID: id)
    }
    try set(values, ofRow: row)
  }

  /// Adds an object and sets its values.
  ///
  /// - Parameters:
  ///   - className: the coded name of a class that was added.
  ///   - values: the values by key.
  /// - Returns: the number of the object.
  /// - Throws: what `reserveObject` and `setValues` throw; then no object was added.
  @discardableResult
  public func addObject(of className: String, _ values: [Key: ArchiveValue]) throws(ArchiveError) -> ObjectID
  {
    let id = try reserveObject(of: className)
    do throws(ArchiveError) {
      try setValues(values, of: id)
    } catch {
      // Nobody knows the number yet.
      if !isSet[Int(id.rawValue)] {
        classOfRow.removeLast()
        isSet.removeLast()
      }
      throw error
    }
    return id
  }

  /// Sets the values of the roots, once; call it early, since no object is written before.
  ///
  /// - Parameter values: the values by the names of the roots.
  /// - Throws: what `setValues` throws.
  public func setRoots(_ values: [Key: ArchiveValue]) throws(ArchiveError) { try set(values, ofRow: 0) }

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

  private func set(_ values: [Key: ArchiveValue], ofRow row: Int) throws(ArchiveError) {
    try checkUsable()
    let description = writer.classes[Int(classOfRow[row])]
    do throws(ArchiveError) {
      guard !isSet[row] else {
        throw ArchiveError(.duplicateKey, found: "a second set of values", expected: "one for each object")
      }
      let columns = try arrange(values, row)
      isSet[row] = true
      waiting[row] = columns
    } catch {
      let id = ObjectID(rawValue: UInt32(truncatingIfNeeded: row))
      throw error.located(className: description.name, objectID: row == 0 ? nil : id)
    }
    while let columns = waiting.removeValue(forKey: writer.rowCount) { try write(columns) }
  }

  /// The values by column, each checked; nil where a keyed column has none. Spec: 05-graph, rule W4.
  private func arrange(_ values: [Key: ArchiveValue], _ row: Int) throws(ArchiveError) -> [ArchiveValue?] {
    let classIndex = Int(classOfRow[row])
    let columns = writer.classes[classIndex].columns
    let layout = writer.columnSet(ofClass: classIndex).layout
    var arranged = [ArchiveValue?](repeating: nil, count: columns.count)
    for (key, value) in values {
      var mistake: ArchiveError?
      var isTaken = false
      for (position, column) in columns.enumerated() where column.key.hasSameBytes(as: key.name) {
        let declaring = writer.classes[column.declaringClass].name
        guard key.declaringClass?.hasSameBytes(as: declaring) ?? true else { continue }
        mistake = check(value, layout: layout, position, column, row)?.located(key: key.name)
        if mistake == nil {
          let isFirst = columns.indices.allSatisfy {
            arranged[$0] == nil || !columns[$0].key.hasSameBytes(as: key.name)
              || columns[$0].declaringClass != column.declaringClass
          }
          guard isFirst else {
            throw ArchiveError(.duplicateKey, found: "two values for one column", key: key.name)
          }
          arranged[position] = value
        }
        isTaken = true
        // A keyed column may be followed by another with the same key, for values of another type.
        if mistake == nil || !column.flags.contains(.keyed) { break }
      }
      if let mistake { throw mistake }
      guard isTaken else {
        throw ArchiveError(
          .missingKey, found: "a value for '\(key.name)'", expected: "a key of the class", key: key.name)
      }
    }
    for (position, column) in columns.enumerated()
    where arranged[position] == nil && !column.flags.contains(.keyed) {
      guard let empty = layout.nodes[layout.roots[position]].kind.emptyValue else {
        throw ArchiveError(.missingKey, found: "no value", expected: "one", key: column.key)
      }
      arranged[position] = empty
    }
    return arranged
  }

  private func check(
    _ value: ArchiveValue, layout: ColumnLayout, _ position: Int, _ column: ColumnDescription, _ row: Int
  ) -> ArchiveError? {
    let checker = ValueChecker(
      layout: layout, isStrict: isStrict,
      checkReference: { [self] id, name throws(ArchiveError) in
        try check(id, isOfClass: name, row, column.flags.contains(.construction))
      })
    let node = layout.roots[position]
    do throws(ArchiveError) {
      try checker.check(value, node: column.flags.contains(.keyed) ? layout.nodes[node].children[0] : node)
      return nil
    } catch {
      return error
    }
  }

  /// Checks a reference. `name` is the class that the column declares, if any.
  /// Spec: 05-graph, rules G2, G3 and G4.
  func check(
    _ id: ObjectID, isOfClass name: String?, _ row: Int, _ isConstruction: Bool
  ) throws(ArchiveError) {
    let target = Int(id.rawValue)
    guard target > 0, target < classOfRow.count else {
      throw ArchiveError(.danglingReference, found: "object \(id)", expected: "one that was reserved")
    }
    guard !isConstruction || target < row else {
      throw ArchiveError(
        .constructionOrder, found: "a reference to object \(id)", expected: "an object with a lower number")
    }
    guard let name else { return }
    if hierarchyCount != writer.classes.count {
      hierarchy = ClassHierarchy(writer.classes)
      hierarchyCount = writer.classes.count
    }
    let index = Int(classOfRow[target])
    guard let declared = classIndices[ExactName(name)], hierarchy.isClass(index, orSubclassOf: declared)
    else {
      throw ArchiveError(
        .wrongClass, found: "object \(id) of class '\(writer.classes[index].name)'",
        expected: "class '\(name)' or a subclass")
    }
  }

  private func write(_ columns: [ArchiveValue?]) throws(ArchiveError) {
    let classIndex = Int(classOfRow[writer.rowCount])
    writer.expectedRowCount = classOfRow.count
    do throws(ArchiveError) {
      try writer.addRow(classIndex: classIndex)
    } catch {
      failure = error
      throw error
    }
    let set = writer.columnSet(ofClass: classIndex)
    for (position, value) in columns.enumerated() {
      guard let value else { continue }
      var column = set.column(position)
      var node = set.layout.roots[position]
      if writer.classes[classIndex].columns[position].flags.contains(.keyed) {
        set.padPresence(position, to: writer.rowsInSegment(ofClass: classIndex) - 1)
        column.append(bit: true)
        column = column.child(0)
        node = set.layout.nodes[node].children[0]
      }
      ValueWriter(layout: set.layout).append(value, to: column, node: node)
    }
  }
}
