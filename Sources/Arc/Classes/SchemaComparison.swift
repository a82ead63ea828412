import ArcFormat
import ArcRuntime

/// Compares what a file has with the program that would read it, and tells all differences at once. Reads no
/// values: only which classes have rows. Spec: 06-evolution.
struct SchemaComparison {
  private let file: ArchiveFile
  private(set) var differences: [SchemaDifference] = []

  init(_ file: ArchiveFile) { self.file = file }

  // MARK: Roots

  /// Compares a root with the type that it would be read as. Spec: 06-evolution, rules M2 and M4.
  mutating func compare(root name: String, as type: any ArchivableValue.Type) throws {
    let context = TypeEncodingContext()
    let wanted = try context.encoding(of: type)
    guard let position = file.classes[0].columns.firstIndex(where: { $0.key.hasSameBytes(as: name) }) else {
      return add(.refused, nil, name, found: "no such root", expected: TypeWords.named(wanted))
    }
    let layout = try ColumnLayout(of: wanted)
    var resolver = ColumnResolver(wanted: layout, file: file.layouts[0], olderNames: context.olderNames)
    let fits = resolver.resolve(root: 0, fileRoot: position) != nil
    add(fits ? resolver : nil, nil, name, file.classes[0].columns[position].attributes.type, wanted)
  }

  // MARK: Classes

  /// Compares each class of the file that has rows. Spec: 06-evolution, sections 1 and 2.
  mutating func compareClasses(with types: ReachableClasses) throws {
    let counts = try file.rowCounts()
    for index in counts.indices.dropFirst() where counts[index] > 0 {
      let name = file.classes[index].name
      do {
        guard let type = try types.type(named: name) else {
          add(
            .refused, name, nil, found: plural(counts[index], "object"),
            expected: "no class that may be built for it: register one under this name")
          continue
        }
        try compare(ProgramClass.of(type), index, types)
      } catch let error as ArchiveError {
        add(.refused, name, nil, found: error.found, expected: error.expected ?? "another")
      }
    }
  }

  private mutating func compare(_ programClass: ProgramClass, _ index: Int, _ types: ReachableClasses) throws
  {
    let resolution = try ClassResolution(
      programClass, classIndex: index, in: file, schemaName: types.schemaName(of:))
    for slot in programClass.slots.indices { compare(slot, resolution) }
    // A coder by hand may ask for them.
    if programClass.isKeyed { return }
    let taken = resolution.takenColumns
    for (position, column) in resolution.fileClass.columns.enumerated() where !taken.contains(position) {
      add(
        .lossy, resolution.fileClass.name, column.key, found: TypeWords.named(column.attributes.type),
        expected: "no such property: it is not read, and not written again")
    }
  }

  private mutating func compare(_ slot: Int, _ resolution: ClassResolution) {
    let wanted = resolution.programClass.slots[slot]
    let (property, name) = (wanted.property, resolution.fileClass.name)
    let words = TypeWords.named(wanted.attributes.type)
    guard let position = resolution.positions[slot] else {
      let isNil = property.isNilWhereMissing
      let expected =
        property.mayBeMissing ? words + (isNil ? ", which is nil" : ", which keeps its initial value") : words
      return add(
        property.mayBeMissing ? .compatible : .refused, name, property.keys[0], found: "no such property",
        expected: expected)
    }
    var resolver = resolution.resolver
    let fits = resolver.resolve(root: slot, fileRoot: position) != nil
    let column = resolution.fileClass.columns[position]
    add(
      fits ? resolver : nil, name, property.keys[0], column.attributes.type, wanted.attributes.type,
      as: column.key)
  }

  // MARK: Differences

  /// Adds the difference between two types, if there is one; `resolver` is nil if they do not fit.
  private mutating func add(
    _ resolver: ColumnResolver?, _ className: String?, _ key: String, _ type: TypeEncoding?,
    _ wanted: TypeEncoding?, as fileKey: String? = nil
  ) {
    let isRenamed = fileKey.map { !$0.hasSameBytes(as: key) } ?? false
    let effect: SchemaDifference.Effect
    switch resolver?.effect {
    case nil: effect = .refused
    case .lossy: effect = .lossy
    case .checked: effect = .checked
    case .converted: effect = .converted
    case .compatible: effect = .compatible
    case .some(.none):
      guard isRenamed else { return }
      effect = .compatible
    }
    let found = TypeWords.named(type) + (isRenamed ? " under the key '\(fileKey ?? "")'" : "")
    add(effect, className, key, found: found, expected: TypeWords.named(wanted))
  }

  private mutating func add(
    _ effect: SchemaDifference.Effect, _ className: String?, _ key: String?, found: String, expected: String
  ) {
    differences.append(
      SchemaDifference(effect: effect, className: className, key: key, found: found, expected: expected))
  }
}
