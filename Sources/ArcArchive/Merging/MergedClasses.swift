import ArcFormat
import ArcRuntime

/// The class table of a merged archive: the classes of the graph, extended by the columns that the program
/// does not read, and the classes that the program does not have.
struct MergedClasses {
  let values: MergedValues
  let conversions = SinglePartConversions()
  var classes: [MergedClass] = []
  private var indices: [ExactName: Int] = [:]
  var shapes: [MergedValues.Shape: ShapeColumns] = [:]

  /// A class of the merged archive.
  struct MergedClass {
    let name: String
    var superclass: String?
    var version: UInt64
    var columns: [MergedColumn] = []
    /// The indices of the columns with each key.
    var positions: [ColumnKey: [Int]] = [:]
    /// The number of shapes that the class's objects have.
    var shapeCount = 0
  }

  /// A column of the merged archive.
  struct MergedColumn {
    let key: String
    let declaringClass: String
    var attributes: PropertyAttributes
    var flags: ColumnDescription.Flags
    /// The layout of a value.
    var layout = ColumnLayout()
    /// Whether values of the column may retain objects.
    var holdsReferences = false
    /// The number of shapes that have the column.
    var shapeCount = 0
    /// Whether at least one object has no value in the column, although its shape has the column. A migration
    /// may have removed the value, or another column contains it.
    var lacksValues = false

    /// The key that distinguishes the column from columns with other keys or declaring classes.
    var columnKey: ColumnKey { ColumnKey(key, declaringClass) }

    /// Computes the layout from the attributes.
    mutating func updateLayout() throws(ArchiveError) {
      layout = try ColumnLayout(valuesOf: attributes)
      holdsReferences = layout.containsReference(0)
    }

    /// The description of the column in a class that declares only this column.
    var description: ColumnDescription {
      ColumnDescription(declaringClassIndex: 0, key: key, attributes: attributes, flags: flags)
    }

    /// Extends the column's type so that it can contain the values of another column too. Does nothing if no
    /// such type exists.
    mutating func join(_ other: MergedColumn) throws(ArchiveError) {
      guard let union = try attributes.union(with: other.attributes) else { return }
      attributes = union
      try updateLayout()
    }

    /// The names of the classes that the column declares for its references.
    var classNames: Set<ExactName> {
      Set(
        layout.nodes.filter { $0.kind == .reference || $0.kind == .weak }.compactMap(\.name).map(
          ExactName.init))
    }

    /// Whether the column can contain all values of another column's type without conversion.
    func includes(_ other: MergedColumn) throws(ArchiveError) -> Bool {
      if attributes.type == other.attributes.type { return true }
      guard let union = try attributes.union(with: other.attributes) else { return false }
      return union.type == attributes.type && union.nodesOfAbsentFields == attributes.nodesOfAbsentFields
    }
  }

  /// The class and columns of the merged archive that contain the values of a shape's objects.
  struct ShapeColumns {
    let classIndex: Int
    var columns: [ShapeColumn]
  }

  /// The columns of the merged archive that contain the values of a shape's column.
  struct ShapeColumn {
    let column: MergedValues.Column
    /// The archives' columns whose values the merged columns contain: the graph's column, the source's
    /// column, or both, followed by columns of the source with other keys.
    let origins: [MergedColumn]
    /// The source's columns, each extended by the fields that only the graph's column has. Columns that have
    /// a common type with the graph's column are omitted.
    let extendedOrigins: [MergedColumn]
    /// The column of an archive whose values are converted to the type of the first merged column. It is the
    /// second element of `origins` if there is one, or else the first element.
    var readOrigin: MergedColumn { origins.count > 1 ? origins[1] : origins[0] }
    /// The index of the first column in the merged class.
    let position: Int
    /// The indices of other columns with the same key, for values that the first column cannot contain.
    var otherPositions: [Int] = []
    /// Whether the first column can contain all values of the source's column without conversion.
    var isIncluded = true
    /// Whether the release of the program that wrote the source can read the first column.
    var isReadableBySource = true
    /// The conversion of values to the type of the first column. Nil if no conversion is needed or possible.
    var conversion: ReversibleConversion?
    /// Whether an archive declares a class for the references in the column that the merged column does not
    /// declare.
    var mayReferToOtherClasses = false
  }

  /// Creates a class table with the classes of the graph, without columns.
  init(_ values: MergedValues) {
    self.values = values
    let graph = values.nodes.graph
    for description in graph.classes {
      add(description.name, superclass: description.superclassIndex.map { graph.classes[$0].name }) {
        description.version
      }
    }
  }

  /// Returns the columns of a shape. The first call adds the columns to the shape's class.
  mutating func columns(of shape: MergedValues.Shape) throws(ArchiveError) -> ShapeColumns {
    if let known = shapes[shape] { return known }
    let classIndex = index(ofClassOf: shape)
    if shape.graphClass == nil { try addColumns(ofGraphClass: classIndex) }
    var taken: Set<Int> = []
    var columns: [ShapeColumn] = []
    for column in values.columns(of: shape) {
      var origins = try descriptions(of: column, of: shape)
      for index in origins.indices { try origins[index].updateLayout() }
      let position = try add(origins, to: classIndex, except: taken)
      taken.insert(position)
      columns.append(
        ShapeColumn(
          column: column, origins: origins, extendedOrigins: try extended(origins), position: position))
    }
    classes[classIndex].shapeCount += 1
    let made = ShapeColumns(classIndex: classIndex, columns: columns)
    shapes[shape] = made
    return made
  }

  /// Returns the index of the class of a shape's objects, and adds the class if necessary.
  private mutating func index(ofClassOf shape: MergedValues.Shape) -> Int {
    if let graphClass = shape.graphClass, !values.isOfStoredClass(shape) {
      if let source = shape.source, let stored = shape.storedClass {
        let version = values.nodes.sources[source].file.classes[stored].version
        classes[graphClass].version = max(classes[graphClass].version, version)
        addSuperclasses(of: stored, ofSource: source)
      }
      return graphClass
    }
    guard let source = shape.source, let stored = shape.storedClass else { return 0 }
    return add(stored, ofSource: source)
  }

  /// Adds a class of a source and its superclasses. Superclasses are added first. Returns the index of the
  /// class.
  private mutating func add(_ storedClass: Int, ofSource source: Int) -> Int {
    let stored = values.nodes.sources[source].file.classes
    var path = [storedClass]
    while let next = stored[path[path.count - 1]].superclassIndex { path.append(next) }
    var superclass: String?
    for index in path.reversed() {
      let name = values.name(ofClass: index, inSource: source)
      add(name, superclass: superclass) { stored[index].version }
      superclass = name
    }
    return indices[ExactName(values.name(ofClass: storedClass, inSource: source))] ?? 0
  }

  /// Adds the superclasses that a class has in a source but not in the program.
  private mutating func addSuperclasses(of storedClass: Int, ofSource source: Int) {
    _ = add(storedClass, ofSource: source)
    let stored = values.nodes.sources[source].file.classes
    var next = storedClass
    while let parent = stored[next].superclassIndex {
      let name = values.name(ofClass: parent, inSource: source)
      if let index = indices[ExactName(values.name(ofClass: next, inSource: source))], index > 0,
        classes[index].superclass == nil, !lineage(of: name).contains(index)
      {
        classes[index].superclass = name
      }
      next = parent
    }
  }

  /// Returns the indices of a class and its superclasses.
  private func lineage(of name: String) -> [Int] {
    var found: [Int] = []
    var next: String? = name
    while let index = next.flatMap({ indices[ExactName($0)] }), !found.contains(index) {
      found.append(index)
      next = classes[index].superclass
    }
    return found
  }

  /// Returns the name of the class that declares a column. If the column's declaring class is no longer a
  /// superclass of the class at `index`, returns the name of the class at `index`.
  func declaringClass(of column: MergedColumn, ofClass index: Int) -> String {
    let declaring = indices[ExactName(column.declaringClass)] ?? index
    return lineage(of: classes[index].name).contains(declaring) ? column.declaringClass : classes[index].name
  }

  /// The indices of all classes except the class of the roots. Superclasses precede their subclasses.
  var superclassesFirst: [Int] {
    var order: [Int] = []
    var isAdded = Set<Int>([0])
    for index in classes.indices.dropFirst() {
      for next in lineage(of: classes[index].name).reversed() where isAdded.insert(next).inserted {
        order.append(next)
      }
    }
    return order
  }

  private mutating func add(_ name: String, superclass: String?, version: () -> UInt64) {
    guard indices[ExactName(name)] == nil else { return }
    indices[ExactName(name)] = classes.count
    classes.append(MergedClass(name: name, superclass: superclass, version: version()))
  }

  // MARK: Columns

  /// Adds a shape's column to a class, or extends a column of the class so that it can contain the shape's
  /// values too. Returns the index of the column.
  private mutating func add(
    _ own: [MergedColumn], to classIndex: Int, except taken: Set<Int>
  ) throws(ArchiveError) -> Int {
    var new = own[0]
    if own.count > 1, let union = try new.attributes.union(with: own[1].attributes, keepsOwnParts: true) {
      new.attributes = union
    } else if own.count > 1, own[1].attributes.type == Self.date, own[0].attributes.type == .scalar(.double) {
      // A date can be read as a number, but a number cannot be read as a date.
      new.attributes = new.attributes.replacingType(Self.date)
    }
    // If one program retains the target of a reference, the other program must not lose it.
    if own.contains(where: { !$0.attributes.isWeak }) { new.attributes = new.attributes.withoutWeakness }
    let columnKey = new.columnKey
    let known = (classes[classIndex].positions[columnKey] ?? []).filter { !taken.contains($0) }
    let same = known.first { classes[classIndex].columns[$0].attributes == new.attributes }
    guard let position = same ?? known.first else {
      new.shapeCount = 1
      try new.updateLayout()
      return append(new, to: classIndex)
    }
    var merged = classes[classIndex].columns[position]
    merged.flags.formUnion(new.flags)
    merged.shapeCount += 1
    if !new.attributes.isWeak { merged.attributes = merged.attributes.withoutWeakness }
    try new.updateLayout()
    try merged.join(new)
    try merged.updateLayout()
    classes[classIndex].columns[position] = merged
    return position
  }

  /// Adds the columns that a class has in the graph. Called before the columns of sources are added, so that
  /// the graph's columns come first.
  private mutating func addColumns(ofGraphClass index: Int) throws(ArchiveError) {
    let graph = values.nodes.graph
    guard classes[index].columns.isEmpty, index > 0, index < graph.classes.count,
      graph.checkedRowCounts[index] > 0
    else { return }
    for column in graph.classes[index].columns {
      var new = MergedColumn(
        key: column.key, declaringClass: graph.classes[column.declaringClassIndex].name,
        attributes: column.attributes, flags: column.flags)
      try new.updateLayout()
      _ = append(new, to: index)
    }
  }

  /// Adds a column to a merged class. Returns its index.
  mutating func append(_ column: MergedColumn, to classIndex: Int) -> Int {
    let columnKey = column.columnKey
    classes[classIndex].positions[columnKey, default: []].append(classes[classIndex].columns.count)
    classes[classIndex].columns.append(column)
    return classes[classIndex].columns.count - 1
  }

  /// Changes the classes that a column declares for its references. `classNames` contains the new class name
  /// for each current name. If the new name is nil, objects of any class are allowed.
  mutating func declare(
    _ classNames: [ExactName: String?], inColumn position: Int, ofClass index: Int
  ) throws(ArchiveError) {
    let attributes = classes[index].columns[position].attributes
    classes[index].columns[position].attributes = attributes.renamingClasses { name in
      if let new = classNames[ExactName(name)] { new } else { name }
    }
    try classes[index].columns[position].updateLayout()
  }

  /// Returns the closest common superclass of two classes, which may be one of them. Nil if there is none.
  func commonClass(of name: String, and index: Int) -> String? {
    let lineage = lineage(of: classes[index].name)
    return self.lineage(of: name).first(where: lineage.contains).map { classes[$0].name }
  }

  private static let date = TypeEncoding.object(named: "NSDate")

  /// Returns the columns from which a column of a shape is merged: the graph's column and the source's
  /// columns. If the objects keep the class of the source, the source's columns come first. Otherwise, the
  /// graph's column comes first.
  private func descriptions(
    of column: MergedValues.Column, of shape: MergedValues.Shape
  ) throws(ArchiveError) -> [MergedColumn] {
    let nodes = values.nodes
    var found: [MergedColumn] = []
    if let position = column.graph, let index = shape.graphClass {
      let classes = nodes.graph.classes
      let description = classes[index].columns[position]
      found.append(
        MergedColumn(
          key: description.key, declaringClass: classes[description.declaringClassIndex].name,
          attributes: description.attributes, flags: description.flags))
    }
    guard let source = shape.source, let index = shape.storedClass else {
      if let own = found.first, let other = try columnOfAnotherType(readAs: own, of: shape) {
        found.append(other)
      }
      return found
    }
    if let position = column.stored {
      found.append(try self.column(position, ofClass: index, inSource: source, readAs: found.first))
    }
    if values.isOfStoredClass(shape) { found.reverse() }
    return found + column.otherStored.map { self.column($0, ofClass: index, inSource: source) }
  }

  /// Returns the source's column that corresponds to `column`, a column of new objects. New objects then
  /// store values of the source's type if possible, so that the release of the program that wrote the source
  /// can read them. Nil if there is no such column, or if this release can read the type of `column`.
  private func columnOfAnotherType(
    readAs column: MergedColumn, of shape: MergedValues.Shape
  ) throws(ArchiveError) -> MergedColumn? {
    guard let index = shape.graphClass, index > 0 else { return nil }
    let name = ExactName(values.nodes.graph.classes[index].name)
    for (source, archive) in values.nodes.sources.enumerated() {
      for (storedClass, use) in archive.archive.classes.enumerated() {
        guard let programName = use.programName, ExactName(programName) == name,
          let position = use.columns.firstIndex(where: { $0.columnKey == column.columnKey })
        else { continue }
        var stored = try self.column(position, ofClass: storedClass, inSource: source, readAs: column)
        try stored.updateLayout()
        return ValueConversion(from: column.description, to: stored.layout) == nil ? stored : nil
      }
    }
    return nil
  }

  /// Returns a column of a source. The fields and cases in its type have the program's names, and the fields
  /// that the program converts are removed.
  private func column(
    _ position: Int, ofClass index: Int, inSource source: Int, readAs wanted: MergedColumn?
  ) throws(ArchiveError) -> MergedColumn {
    var stored = column(position, ofClass: index, inSource: source)
    let converted = values.nodes.sources[source].archive.convertedFields
    if !converted.isEmpty, let wanted = wanted?.attributes.type {
      let type = try stored.attributes.typeWithAbsentFields().removing(converted, readAs: wanted)
      stored.attributes = try stored.attributes.replacingType(withAbsentFields: type)
    }
    return stored
  }

  /// Returns a column of a source. The fields and cases in its type have the program's names.
  private func column(_ position: Int, ofClass index: Int, inSource source: Int) -> MergedColumn {
    let archive = values.nodes.sources[source]
    let description = archive.file.classes[index].columns[position]
    let names = archive.archive.classes[index].names[position]
    return MergedColumn(
      key: description.key,
      declaringClass: values.name(ofClass: description.declaringClassIndex, inSource: source),
      attributes: renamed(names?.attributes(description.attributes) ?? description.attributes, source),
      flags: description.flags)
  }

  /// Returns a source's attributes in which each class name is replaced by the name of the class in the
  /// merged archive.
  private func renamed(_ attributes: PropertyAttributes, _ source: Int) -> PropertyAttributes {
    let indices = values.nodes.sources[source].file.schema.classIndices
    return attributes.renamingClasses { name in
      indices[ExactName(name)].map { values.name(ofClass: $0, inSource: source) } ?? name
    }
  }

  /// Removes the construction flag of a column, so that its references may refer to later rows.
  mutating func removeConstruction(_ position: Int, ofClass index: Int) {
    classes[index].columns[position].flags.remove(.construction)
  }

  /// Returns the flags of a column. The column is keyed if some objects of the class have no value in it. A
  /// missing value differs from nil, because the program that reads the column may read the value from an
  /// older column instead. Weak references, and references that are needed to build objects, are nil instead
  /// of missing.
  func flags(ofColumn position: Int, ofClass index: Int) -> ColumnDescription.Flags {
    let column = classes[index].columns[position]
    // If several columns have one key, an object has a value in only one of them.
    let columnKey = column.columnKey
    if classes[index].positions[columnKey, default: []].count > 1 { return column.flags.union(.keyed) }
    let isEverywhere = column.shapeCount == classes[index].shapeCount && !column.lacksValues
    if isEverywhere || column.layout.nodes[0].kind == .weak || column.flags.contains(.construction) {
      return column.flags
    }
    return column.flags.union(.keyed)
  }

  // MARK: Columns that describe rows

  /// Adds columns for the versions of rows with an older version than their class has in the merged archive.
  /// The program added such rows to an archive of a newer version, or did not build such rows of an older
  /// archive.
  ///
  /// - Returns: For each shape of such rows, the version columns, and the version to store in each column.
  /// - Throws: `malformedEncoding`, which cannot occur for the type of a version.
  mutating func addVersions() throws(ArchiveError) -> [MergedValues.Shape: [(position: Int, version: UInt64)]]
  {
    var found: [MergedValues.Shape: [(position: Int, version: UInt64)]] = [:]
    var known: [Int?: [ExactName: UInt64]] = [:]
    for (shape, columns) in shapes where shape.source == nil || shape.graphClass == nil {
      let versions = known[shape.source] ?? versions(ofSource: shape.source)
      known[shape.source] = versions
      for level in lineage(of: classes[columns.classIndex].name) where level > 0 {
        guard let version = versions[ExactName(classes[level].name)], version < classes[level].version else {
          continue
        }
        let position = try addColumn(
          ColumnDescription.versionKey, .scalar(.longLong), declaredBy: classes[level].name,
          inClass: columns.classIndex)
        found[shape, default: []].append((position, version))
      }
    }
    return found
  }

  /// Returns the version of each class in a source, by the name that the class has in the merged archive. If
  /// `source` is nil, returns the versions of the classes in the graph.
  private func versions(ofSource source: Int?) -> [ExactName: UInt64] {
    let file = source.map { values.nodes.sources[$0].file } ?? values.nodes.graph
    var versions: [ExactName: UInt64] = [:]
    for (index, description) in file.classes.enumerated().dropFirst() {
      let name = source.map { values.name(ofClass: index, inSource: $0) } ?? description.name
      versions[ExactName(name)] = description.version
    }
    return versions
  }

  /// The shapes of the program's objects that have at least one column which the program did not read.
  var shapesWithUnreadColumns: Set<MergedValues.Shape> {
    Set(
      shapes.filter { shape, columns in
        shape.graphClass != nil && columns.classIndex > 0
          && columns.columns.contains { $0.column.graph == nil }
      }.keys)
  }

  /// Adds a column of changes to a class. The column lists, for each object, the keys of the values that the
  /// program changed. Returns the index of the column.
  mutating func addChanges(toClass index: Int) throws(ArchiveError) -> Int {
    try addColumn(
      ColumnDescription.changesKey, .list(.object(named: "NSString")), declaredBy: classes[index].name,
      inClass: index)
  }

  /// Returns the index of a column that describes rows, such as their version. Adds the column at the first
  /// call.
  private mutating func addColumn(
    _ key: String, _ type: TypeEncoding, declaredBy name: String, inClass index: Int
  ) throws(ArchiveError) -> Int {
    let columnKey = ColumnKey(key, name)
    if let known = classes[index].positions[columnKey]?.first { return known }
    var column = MergedColumn(
      key: key, declaringClass: name,
      attributes: PropertyAttributes(type: type, flags: [], ivar: nil), flags: .keyed)
    try column.updateLayout()
    classes[index].positions[columnKey] = [classes[index].columns.count]
    classes[index].columns.append(column)
    return classes[index].columns.count - 1
  }
}
