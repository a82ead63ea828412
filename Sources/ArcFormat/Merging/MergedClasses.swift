import ArcRuntime

/// The class table of merged archives: classes of the graph with the columns that the program does not read,
/// and those that it does not have.
struct MergedClasses {
  private let values: MergedValues
  private(set) var classes: [MergedClass] = []
  private var indices: [ExactName: Int] = [:]
  private(set) var shapes: [MergedValues.Shape: ShapeColumns] = [:]

  /// A class of the merged archive.
  struct MergedClass {
    let name: String
    var superclass: String?
    var version: UInt64
    var columns: [MergedColumn] = []
    /// Which columns have a place.
    var positions: [ColumnPlace: [Int]] = [:]
    /// The number of shapes of its objects.
    var shapeCount = 0
  }

  /// A column of the merged archive.
  struct MergedColumn {
    let key: String
    let declaringClass: String
    var attributes: PropertyAttributes
    var flags: ColumnDescription.Flags
    /// The nodes of a value.
    var layout = ColumnLayout()
    /// Whether values keep objects.
    var holdsReferences = false
    /// The number of shapes that have it.
    var shapeCount = 0

    /// Makes the nodes of a value.
    mutating func updateLayout() throws(ArchiveError) {
      layout = ColumnLayout()
      try layout.append(attributes.type ?? .uncoded, isWeak: attributes.flags.contains(.weak))
      holdsReferences = layout.containsReference(0)
    }
  }

  /// Where the columns of a shape are in the merged archive.
  struct ShapeColumns {
    let classIndex: Int
    /// The columns of the shape, each with its index in the merged class.
    let columns: [(column: MergedValues.Column, position: Int)]
  }

  /// Begins with the classes of the graph.
  init(_ values: MergedValues) {
    self.values = values
    let graph = values.nodes.graph
    for description in graph.classes {
      add(description.name, superclass: description.superclassIndex.map { graph.classes[$0].name }) {
        description.version
      }
    }
  }

  /// The columns of a shape, which are added to its class when it is first asked for.
  mutating func columns(of shape: MergedValues.Shape) throws(ArchiveError) -> ShapeColumns {
    if let known = shapes[shape] { return known }
    let classIndex = index(ofClassOf: shape)
    var taken: Set<Int> = []
    var columns: [(MergedValues.Column, Int)] = []
    for column in values.columns(of: shape) {
      let position = try add(column, of: shape, to: classIndex, except: taken)
      taken.insert(position)
      columns.append((column, position))
    }
    classes[classIndex].shapeCount += 1
    let made = ShapeColumns(classIndex: classIndex, columns: columns)
    shapes[shape] = made
    return made
  }

  /// The index of the class that objects of a shape have.
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

  /// Adds a class of a source, after its superclasses.
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

  /// Adds superclasses that a class has in a source and not in the program.
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

  /// The indices of a class and its superclasses.
  private func lineage(of name: String) -> [Int] {
    var found: [Int] = []
    var next: String? = name
    while let index = next.flatMap({ indices[ExactName($0)] }), !found.contains(index) {
      found.append(index)
      next = classes[index].superclass
    }
    return found
  }

  /// The class that declares a column: the class itself where another that did is none of its superclasses.
  func declaringClass(of column: MergedColumn, ofClass index: Int) -> String {
    let declaring = indices[ExactName(column.declaringClass)] ?? index
    return lineage(of: classes[index].name).contains(declaring) ? column.declaringClass : classes[index].name
  }

  /// The indices of all classes but that of the roots, superclasses before their subclasses.
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

  /// The index in the merged class of a column of a shape, which becomes one that has its values too.
  private mutating func add(
    _ column: MergedValues.Column, of shape: MergedValues.Shape, to classIndex: Int, except taken: Set<Int>
  ) throws(ArchiveError) -> Int {
    let own = descriptions(of: column, of: shape)
    var new = own[0]
    if own.count > 1, let type = union(new.attributes.type, own[1].attributes.type) {
      new.attributes = new.attributes.replacingType(type)
    } else if own.count > 1, own[1].attributes.type == Self.date, own[0].attributes.type == .scalar(.double) {
      // A date is read as a number, but no number as a date.
      new.attributes = new.attributes.replacingType(Self.date)
    }
    let place = ColumnPlace(new.key, new.declaringClass)
    let known = (classes[classIndex].positions[place] ?? []).filter { !taken.contains($0) }
    let same = known.first { classes[classIndex].columns[$0].attributes == new.attributes }
    guard let position = same ?? known.first else {
      new.shapeCount = 1
      try new.updateLayout()
      classes[classIndex].positions[place, default: []].append(classes[classIndex].columns.count)
      classes[classIndex].columns.append(new)
      return classes[classIndex].columns.count - 1
    }
    var merged = classes[classIndex].columns[position]
    merged.flags.formUnion(new.flags)
    merged.shapeCount += 1
    if let type = union(merged.attributes.type, new.attributes.type) {
      merged.attributes = merged.attributes.replacingType(type)
      try merged.updateLayout()
    }
    classes[classIndex].columns[position] = merged
    return position
  }

  private static let date = TypeEncoding.object(named: "NSDate")

  private func union(_ type: TypeEncoding?, _ other: TypeEncoding?) -> TypeEncoding? {
    type.flatMap { type in other.flatMap { type.union(with: $0) } }
  }

  /// The columns of the archives that have a column's values: those of a class that stays of the source's
  /// begin with that, all others with the graph's.
  private func descriptions(of column: MergedValues.Column, of shape: MergedValues.Shape) -> [MergedColumn] {
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
    if let position = column.stored, let source = shape.source, let index = shape.storedClass {
      let description = nodes.sources[source].file.classes[index].columns[position]
      found.append(
        MergedColumn(
          key: description.key,
          declaringClass: values.name(ofClass: description.declaringClassIndex, inSource: source),
          attributes: renamed(
            nodes.sources[source].archive.classes[index].names[position].map {
              description.attributes.replacingType($0.type)
            } ?? description.attributes, source),
          flags: description.flags))
    }
    return values.isOfStoredClass(shape) ? found.reversed() : found
  }

  /// Attributes of a source with the names that its classes have from now on.
  private func renamed(_ attributes: PropertyAttributes, _ source: Int) -> PropertyAttributes {
    let indices = values.nodes.sources[source].file.schema.classIndices
    let type = attributes.type?.renamingClasses { name in
      indices[ExactName(name)].map { values.name(ofClass: $0, inSource: source) } ?? name
    }
    return type.map(attributes.replacingType) ?? attributes
  }

  /// Takes back that references in a column lead to earlier rows.
  mutating func removeConstruction(_ position: Int, ofClass index: Int) {
    classes[index].columns[position].flags.remove(.construction)
  }

  /// The flags of a column: keyed if objects of some shape are without a value in it. That they have none is
  /// not the same as nil: the program that reads the column may have an older one for their values. Weak
  /// references and those that objects are built with are nil instead.
  func flags(ofColumn position: Int, ofClass index: Int) -> ColumnDescription.Flags {
    let column = classes[index].columns[position]
    let isEverywhere = column.shapeCount == classes[index].shapeCount
    if isEverywhere || column.layout.nodes[0].kind == .weak || column.flags.contains(.construction) {
      return column.flags
    }
    return column.flags.union(.keyed)
  }

  // MARK: What is said of rows

  /// Adds columns for the versions of rows that the program added to archives of a newer version of it.
  ///
  /// - Returns: for each shape of such rows the columns, each with the version.
  /// - Throws: `malformedEncoding`, which the type of a version does not cause.
  mutating func addVersions() throws(ArchiveError) -> [MergedValues.Shape: [(position: Int, version: UInt64)]]
  {
    let graph = values.nodes.graph.classes
    var found: [MergedValues.Shape: [(position: Int, version: UInt64)]] = [:]
    for (shape, columns) in shapes where shape.source == nil {
      for level in lineage(of: classes[columns.classIndex].name) where level > 0 && level < graph.count {
        guard graph[level].version < classes[level].version else { continue }
        let position = try addColumn(
          ColumnDescription.versionKey, .scalar(.longLong), declaredBy: classes[level].name,
          inClass: columns.classIndex)
        found[shape, default: []].append((position, graph[level].version))
      }
    }
    return found
  }

  /// The shapes of objects that have values which the program did not read.
  var shapesWithUnreadColumns: Set<MergedValues.Shape> {
    Set(
      shapes.filter { shape, columns in
        shape.graphClass != nil && columns.classIndex > 0
          && columns.columns.contains { $0.column.graph == nil }
      }.keys)
  }

  /// Adds a column for the keys that the program changed in some objects of a class.
  mutating func addChanges(toClass index: Int) throws(ArchiveError) -> Int {
    try addColumn(
      ColumnDescription.changesKey, .list(.object(named: "NSString")), declaredBy: classes[index].name,
      inClass: index)
  }

  /// The index of a column that says something of rows, which is added when it is first asked for.
  private mutating func addColumn(
    _ key: String, _ type: TypeEncoding, declaredBy name: String, inClass index: Int
  ) throws(ArchiveError) -> Int {
    let place = ColumnPlace(key, name)
    if let known = classes[index].positions[place]?.first { return known }
    var column = MergedColumn(
      key: key, declaringClass: name,
      attributes: PropertyAttributes(type: type, flags: [], ivar: nil), flags: .keyed)
    try column.updateLayout()
    classes[index].positions[place] = [classes[index].columns.count]
    classes[index].columns.append(column)
    return classes[index].columns.count - 1
  }
}
