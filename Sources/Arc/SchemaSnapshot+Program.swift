import ArcArchive
public import ArcFormat
public import ArcRuntime

extension SchemaSnapshot {
  /// Creates a snapshot of the schema of a type: the classes and types that its archives may contain.
  ///
  ///     let schema = try SchemaSnapshot(of: Document.self)
  ///     print(schema)
  ///
  /// The snapshot contains all registered classes, and the classes that properties of the type refer to,
  /// directly or through other classes. If the scope of the class table allows other types without
  /// registration, such as subclasses, the snapshot contains these types too.
  ///
  /// With the shared class table, the snapshot depends on the registrations at the time of the call. For
  /// values of type `Any`, the number of possible array and dictionary types is unlimited, so the snapshot
  /// contains only the registered array and dictionary types.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - classes: the class table with which the program reads the archives.
  /// - Throws: `ArchiveError` with code `notArchivable` or `nameConflict` if a type cannot be archived.
  public init<Value: ArchivableValue>(of type: Value.Type, classes: ClassTable = .shared) throws {
    try self.init(roots: [ArchiveFile.defaultRoot: type], classes: classes)
  }

  /// Creates a snapshot of the schema of archives with several roots.
  ///
  ///     let schema = try SchemaSnapshot(roots: ["document": Document.self, "recent": [Page].self])
  ///
  /// - Parameters:
  ///   - roots: the type of each root, by the name of the root.
  ///   - classes: the class table with which the program reads the archives.
  /// - Throws: `ArchiveError` with code `notArchivable` or `nameConflict` if a type cannot be archived.
  public init(roots: KeyValuePairs<String, any ArchivableValue.Type>, classes: ClassTable = .shared) throws {
    try self.init(ofRoots: roots.map { ($0.key, $0.value) }, classes: classes)
  }

  /// Creates a snapshot of the schema of archives that contain the roots `roots`. The caller passes the name
  /// and the type of each root.
  package init(
    ofRoots roots: [(name: String, type: any ArchivableValue.Type)], classes: ClassTable
  ) throws {
    let described = try roots.map { name, type in
      let context = __TypeEncodingContext(collectingRequiredFields: ())
      let encoding = try context.encoding(of: type)
      return Root(
        name: name, type: encoding, readType: context.readEncoding(of: type, encoding),
        olderNames: OlderNames.list(context.olderNames, context.olderFields),
        requiredFields: context.requiredFields)
    }
    let schemas = try ReachableClasses(classes, roots: roots.map(\.type)).all().map(\.schema)
    let names = schemas.flatMap { [$0.name] + $0.codedName.formerNames }
    let claims = Dictionary(names.map { (ExactName($0), 1) }, uniquingKeysWith: +)
    // If several classes have or had a name, the name identifies none of them.
    let entries = schemas.map { Class($0, in: classes) { claims[ExactName($0)] == 1 } }
    let counts = Dictionary(schemas.map { (ExactName($0.name), 1) }, uniquingKeysWith: +)
    // Files contain no objects of a class whose types cannot be encoded, or whose name also belongs to
    // another class.
    let missing = Set(
      entries.filter { counts[ExactName($0.name)] != 1 || !$0.isWritable }.map { ExactName($0.name) })
    self.init(
      roots: described,
      classes: zip(schemas, entries).filter { schema, _ in
        !schema.lineage.contains { missing.contains(ExactName($0.name)) }
      }.map(\.1))
  }
}

extension SchemaSnapshot.Class {
  /// Creates the description of a class of the program, with the names that a class table has for it.
  fileprivate init(_ schema: ClassSchema, in classes: ClassTable, isUnambiguous: (String) -> Bool) {
    let context = __TypeEncodingContext(collectingRequiredFields: ())
    let properties = schema.properties.map { property in
      let type = property.valueType.__typeEncoding(in: context)
      return SchemaSnapshot.Property(
        keys: property.keys, type: type, readType: context.readEncoding(of: property.valueType, type),
        absence: property.absence,
        isReadOnly: property.traits.contains(.readOnly), isWeak: property.traits.contains(.weak),
        older: property.older)
    }
    self.init(
      name: schema.name, superclass: schema.superclass?.name, version: UInt64(clamping: schema.version),
      isKeyed: schema.isKeyed,
      formerNames: Self.formerNames(of: schema, in: classes, isUnambiguous: isUnambiguous),
      properties: properties,
      olderNames: SchemaSnapshot.OlderNames.list(context.olderNames, context.olderFields),
      requiredFields: context.requiredFields)
    migrates = schema.migration != nil
  }

  /// Returns the names under which older files contain objects of a class: the names in a class table, and
  /// the names of `@Archivable(formerly:)` that identify no other class.
  private static func formerNames(
    of schema: ClassSchema, in classes: ClassTable, isUnambiguous: (String) -> Bool
  ) -> [String] {
    let own = schema.codedName.formerNames.filter { isUnambiguous($0) && classes.classType(named: $0) == nil }
    var known: Set = [ExactName(schema.name)]
    return (classes.names(of: schema.type) + own).filter { known.insert(ExactName($0)).inserted }
  }

  /// Whether the type encodings of all properties can be written as text and parsed again. A type name with
  /// special characters can prevent this.
  fileprivate var isWritable: Bool {
    properties.allSatisfy { property in
      // If the text cannot be parsed, it is not the encoding of the type.
      let text = property.type.description
      return (try? TypeEncoding(parsing: text))?.description.hasSameBytes(as: text) ?? false
    }
  }
}
