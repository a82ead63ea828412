import ArcArchive
import ArcFormat
import ArcRuntime

/// The results of migration as rows. Rows with equal classes, keys and types are grouped.
struct MigratedRows {
  private var groups: [Shape: NewRows] = [:]
  /// All groups of rows, in the order in which the groups were created.
  private(set) var all: [NewRows] = []

  /// The class and the columns of an object. Added objects are not in the same groups as other objects, so
  /// that the row numbers ascend in each group.
  private struct Shape: Hashable {
    let className: ExactName
    let isAdded: Bool
    let columns: [Column]

    /// The identity of a column, compared by bytes.
    struct Column: Hashable {
      let declaringClassIndex: Int
      let key: ExactName
      let attributes: ExactName
    }

    init(_ className: String, isAdded: Bool, _ columns: [ColumnDescription]) {
      self.className = ExactName(className)
      self.isAdded = isAdded
      self.columns = columns.map {
        Column(
          declaringClassIndex: $0.declaringClassIndex, key: ExactName($0.key),
          attributes: ExactName($0.attributes.description))
      }
    }
  }

  /// Adds an object. `original` is the object's class in the file; unchanged values have the types that this
  /// class declares. `programClass` is the class of the program for `original`. Both are nil for an object
  /// that the migration added.
  ///
  /// - Throws: `unknownClass`; `typeMismatch` or `valueOutOfRange` if no column can contain a value.
  mutating func add(
    _ object: MigratedObject, _ types: ReachableClasses, originally original: ClassDescription?,
    _ programClass: ProgramClass?
  ) throws {
    let programClass = try Self.programClass(of: object, types, programClass)
    var columns: [ColumnDescription] = []
    var values: [ArchiveValue] = []
    for property in object.properties {
      let (column, value) = try Self.column(property, object, original, programClass)
      guard let column else { continue }
      columns.append(column)
      values.append(value)
    }
    let name = programClass.schema.name
    try rows(of: name, isAdded: original == nil, columns).add(object.id, values)
  }

  private mutating func rows(
    of className: String, isAdded: Bool, _ columns: [ColumnDescription]
  ) throws -> NewRows {
    let shape = Shape(className, isAdded: isAdded, columns)
    if let known = groups[shape] { return known }
    let created = try NewRows(ClassDescription(name: className, superclassIndex: nil, columns: columns))
    groups[shape] = created
    all.append(created)
    return created
  }

  /// Returns the program's class of a migrated object.
  private static func programClass(
    of object: MigratedObject, _ types: ReachableClasses, _ known: ProgramClass?
  ) throws -> ProgramClass {
    if let known, known.schema.name.hasSameBytes(as: object.className) { return known }
    guard let type = try types.type(named: object.className) else {
      throw ArchiveError(
        .unknownClass, found: "an object of class '\(object.className)'",
        expected: "an object of a registered class, or of a class that the root's declared types reach",
        remedy: "register the class with try classes.register(\(object.className).self)")
    }
    return try ProgramClass.of(type)
  }

  /// Returns the column for a value of an object, and the value in the type of the column. The column is nil
  /// if none is needed: the value is nil, its type is unknown, and no property has the key.
  private static func column(
    _ property: MigratedObject.Property, _ object: MigratedObject, _ original: ClassDescription?,
    _ programClass: ProgramClass
  ) throws -> (ColumnDescription?, ArchiveValue) {
    if let position = property.column, let column = original?.columns[position] {
      let flags = column.attributes.flags.subtracting(.weak)
      let attributes = PropertyAttributes(
        type: column.attributes.type ?? .uncoded, flags: flags, ivar: column.attributes.ivar
      ).markingAbsentFields(column.attributes.nodesOfAbsentFields)
      return (
        ColumnDescription(
          declaringClassIndex: column.declaringClassIndex, key: column.key, attributes: attributes, flags: []),
        property.value
      )
    }
    guard let (type, absent, value) = try type(of: property, object, original, programClass) else {
      return (nil, property.value)
    }
    let attributes = PropertyAttributes(type: type, flags: [], ivar: nil).markingAbsentFields(absent)
    return (
      ColumnDescription(declaringClassIndex: 0, key: property.key, attributes: attributes, flags: []), value
    )
  }

  /// Returns the type in which a value is written, the absent fields of this type, and the value in this
  /// type. The type is the first suitable type in this list: the type of the property; the type of the file's
  /// column, with its absent fields; the type of the value itself; for an added object, the type of the key
  /// in the file. A type is suitable if it can represent the value, and the property can be read from it.
  /// Returns nil if no type is suitable, no property has the key, and the value is nil or was not set by the
  /// program.
  private static func type(
    of property: MigratedObject.Property, _ object: MigratedObject, _ original: ClassDescription?,
    _ programClass: ProgramClass
  ) throws -> (TypeEncoding, absentFields: [Int], ArchiveValue)? {
    let slot = programClass.slots.first { slot in
      slot.property.keys.contains { $0.hasSameBytes(as: property.key) }
    }
    let isRequested = !property.isSet || programClass.isKeyed || property.value == .null || slot != nil
    guard isRequested || programClass.hasOlderKey(property.key) else {
      throw ArchiveError(
        .typeMismatch, found: "a value without a property",
        expected: "a value for a key of a property of class '\(object.className)'",
        key: property.key)
    }
    let column = original?.columns.first { $0.key.hasSameBytes(as: property.key) }
    var refusal: ArchiveError?
    let types = [
      slot?.attributes.type, column?.attributes.type, property.value.ownType,
      original == nil ? object.graph.type(ofKey: property.key, inClass: object.className) : nil,
    ]
    for (position, type) in types.enumerated() {
      guard let type else { continue }
      do throws(ArchiveError) {
        let value = try property.value.fitted(to: type, hasObject: object.graph.hasObject)
        // The program named the fields of a value that has its own type, so each field must be a field of the
        // property.
        let mayDropFields = position != 2
        if try slot.map({ slot throws(ArchiveError) in try Self.fits(type, slot, mayDropFields) }) ?? true {
          let absent = position == 1 ? column?.attributes.nodesOfAbsentFields : nil
          return (type, absent ?? [], value)
        }
      } catch {
        refusal = refusal ?? error
        // If the number does not fit the property's type, no other number type can help.
        if error.code == .valueOutOfRange, type == slot?.attributes.type { break }
      }
    }
    if slot == nil, property.value == .null || !property.isSet { return nil }
    let words = slot.map { TypeWords.named($0.attributes.type) }
    throw ArchiveError(
      refusal?.code ?? .typeMismatch,
      found: refusal?.found ?? "a value without a known type, such as an empty collection",
      expected: words ?? refusal?.expected ?? "a value with elements, or a key that the file has",
      remedy: refusal == nil
        ? "do not set the key, and use decodeIfPresent(_:forKey:) in init(from:)" : nil, key: property.key)
  }

  /// Whether a property can be read from a column of a type.
  private static func fits(
    _ type: TypeEncoding, _ slot: ProgramClass.Slot, _ mayDropFields: Bool
  ) throws(ArchiveError) -> Bool {
    guard let wanted = slot.attributes.type, wanted != type else { return true }
    var resolver = ColumnResolver(
      wanted: try ColumnLayout(of: wanted), file: try ColumnLayout(of: type))
    return resolver.resolve(root: 0, fileRoot: 0) != nil && (mayDropFields || !resolver.dropsFields)
  }
}

extension ProgramClass {
  /// Whether `key` is an older key whose values the program converts to a property of the class.
  fileprivate func hasOlderKey(_ key: String) -> Bool {
    slots.contains { $0.property.older.joined().contains { $0.hasSameBytes(as: key) } }
  }
}
