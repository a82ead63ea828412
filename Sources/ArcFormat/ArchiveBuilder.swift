import ArcRuntime

/// Writes an archive without Swift classes: for converters, other tools, and tests.
///
///     let builder = try ArchiveBuilder(roots: [.init("root", type: #"@"Person""#)])
///     try builder.addClass(
///       "Person", properties: [.init("name", type: #"@"NSString""#), .init("friends", type: #"$[@"Person"]"#)])
///     let (ada, bob) = (try builder.reserveObject(of: "Person"), try builder.reserveObject(of: "Person"))
///     try builder.setRoots(["root": .reference(ada)])
///     try builder.setValues(["name": .string("Ada"), "friends": .array([.reference(bob)])], of: ada)
///     try builder.setValues(["name": .string("Bob"), "friends": .array([.reference(ada)])], of: bob)
///     let bytes = try builder.finish()
///
/// Every value is checked against its column's type when it is given, so what comes out passes `verify()`. An object
/// is written once it, all objects with lower numbers, and the roots have their values; until then its values wait in
/// memory. After an error nothing of the call that threw is in the archive. Not safe to use from two threads at once.
public final class ArchiveBuilder {
  /// A property of a class, or a named root.
  public struct Property: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The property attributes, `T@"NSString",N,R,V_name`.
    public var attributes: String
    /// How the column is used.
    public var flags: ColumnDescription.Flags
    /// The superclass that declares it; nil for the class itself.
    public var declaringClass: String?

    /// A property with an attribute string.
    public init(
      _ key: String, attributes: String, flags: ColumnDescription.Flags = [],
      declaredBy className: String? = nil
    ) {
      self.key = key
      self.attributes = attributes
      self.flags = flags
      declaringClass = className
    }

    /// A property of which only the type encoding is told.
    public init(
      _ key: String, type: String, flags: ColumnDescription.Flags = [], declaredBy className: String? = nil
    ) {
      self.init(key, attributes: "T" + type, flags: flags, declaredBy: className)
    }
  }

  /// What a value belongs to: a key, and where a class and its superclass use the same one, the class that declares it.
  public struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The key.
    public var name: String
    /// The coded name of the declaring class; nil for the first column with that key, the most derived class's.
    public var declaringClass: String?

    /// A key, of any class or of one.
    public init(_ name: String, of className: String? = nil) {
      self.name = name
      declaringClass = className
    }

    /// A key of any class.
    public init(stringLiteral name: String) { self.init(name) }

    /// Compares names by their bytes, as files do.
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
  /// The class of each row.
  private var classOfRow: [UInt32] = [0]
  /// Values by column of rows that wait for others.
  private var waiting: [Int: [ArchiveValue?]] = [:]
  /// Whether a row has got its values.
  private var isSet: [Bool] = [false]
  private var isFinished = false
  /// An error between two values of one row, after which nothing can be written.
  private var failure: ArchiveError?

  /// Begins an archive with the names and types of its roots. Throws what `addClass` throws.
  public convenience init(
    roots: [Property], metadata: [String: String] = [:], compression: Compression = .none
  ) throws(ArchiveError) {
    try self.init(
      roots: roots, metadata: metadata.map { ($0.key, $0.value) }, compression: compression, isStrict: true)
  }

  /// Not strict, it writes again what readers do not refuse: see `ValueChecker.isStrict`.
  init(
    roots: [Property], metadata: [(key: String, value: String)], compression: Compression, isStrict: Bool
  ) throws(ArchiveError) {
    self.isStrict = isStrict
    writer = ArchiveWriter(compression: compression, metadata: metadata)
    for root in roots where !root.flags.isEmpty || root.declaringClass != nil {
      throw ArchiveError(.malformedClassTable, found: "a root with flags or a declaring class", key: root.key)
    }
    try add(ClassDescription.rootsName, superclass: nil, version: 0, properties: roots)
  }

  // MARK: Objects

  /// The number of a new object, which can be referred to from now on; its values are to follow. Throws `unknownClass`
  /// if there is no such class.
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

  /// Gives an object its values, once. A column that gets none is nil, empty, or in this object absent if it is
  /// keyed; any other throws `missingKey`.
  ///
  /// Throws `missingKey` for a key that the class does not have, `duplicateKey` for a second value of a column or a
  /// second equal element of a set, `typeMismatch` and `valueOutOfRange` for a value that the column's type does not
  /// have, `danglingReference`, `wrongClass` and `constructionOrder` for a reference that the column cannot hold.
  public func setValues(_ values: [Key: ArchiveValue], of id: ObjectID) throws(ArchiveError) {
    let row = Int(id.rawValue)
    guard row > 0, row < classOfRow.count else {
      throw ArchiveError(
        .danglingReference, found: "object \(id)", expected: "one that was reserved", objectID: id)
    }
    try set(values, ofRow: row)
  }

  /// A new object with its values: `reserveObject` and `setValues`.
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

  /// Gives the roots their values, once; as `setValues`. Do it early: no object is written before.
  public func setRoots(_ values: [Key: ArchiveValue]) throws(ArchiveError) { try set(values, ofRow: 0) }

  /// The archive. Throws `danglingReference` if an object was reserved but got no values; roots that got none are nil
  /// or empty. Nothing can be added after that.
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

  private func checkUsable() throws(ArchiveError) {
    if let failure { throw failure }
    guard !isFinished else {
      throw ArchiveError(.notArchivable, found: "a builder that has finished", remedy: "make a new one")
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

  /// The values by column, each checked; nil where a keyed column has none.
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
        // A keyed column may stand beside another with the same key, for values of another type.
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

  /// Spec: 05-graph, rules G2 to G4. `name` is the class that the column declares, if any.
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
        column.__append(bit: true)
        column = column.__child(0)
        node = set.layout.nodes[node].children[0]
      }
      ValueWriter(layout: set.layout).append(value, to: column, node: node)
    }
  }
}
