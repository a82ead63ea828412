import ArcArchive
import ArcFormat
import ArcRuntime

/// Which columns of a class in a file each of its rows is read from, where rows may differ in that.
///
/// An older release that adds objects to the archive of a newer one writes their values under the keys that
/// it knows: then some rows have a value under a property's own key, others under an older one. Decided once
/// for a class; rows of a class without such columns are read as they are. Spec: 06-evolution, section 2.
struct ColumnChoice {
  /// The class of the file, with the program's names of fields and cases.
  let description: ClassDescription
  let programClass: ProgramClass
  /// What the program does with each column.
  let uses: [ReadArchive.ColumnUse]
  /// The program's names in columns, by their indices.
  let names: [Int: CurrentNames]
  /// The properties that the program converts from columns with older keys.
  let conversions: [ReadArchive.Conversion]
  /// For each property of which rows may have the value in several places these, in the order in which they
  /// count.
  private let alternatives: [[[Int]]]
  /// The columns in `alternatives`.
  private let replaced: Set<Int>
  /// For each column of versions the level of the class that it is of.
  private let levelOfColumn: [Int: ExactName]
  /// The column of the keys that an older release changed; nil if there is none.
  private let changesColumn: Int?

  /// Compares a class of the file with one of the program; nil if all rows are read alike.
  ///
  /// - Throws: what finding the class of a name throws.
  /// - Complexity: O(columns) where rows have a value in each column and the program knows no older names of
  ///   fields and cases, otherwise O(properties · columns).
  init?(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription], _ types: ReachableClasses
  ) throws {
    let stored = classes[classIndex]
    let slots = programClass.slots
    // In an archive that was not merged, each row has a value in each column of a class.
    let isMerged = stored.columns.contains { $0.flags.contains(.keyed) }
    guard isMerged || !programClass.olderNames.isEmpty else { return nil }
    let resolution = try ClassResolution(
      programClass, classIndex: classIndex, of: classes, schemaName: types.schemaName(of:))
    // Code by hand may ask for any key, and gets it row by row.
    let isChosen = isMerged && !programClass.isKeyed
    let all = isChosen ? slots.indices.map { resolution.alternatives(ofSlot: $0) } : []
    let changes = stored.columns.firstIndex { $0.isOfChanges }
    let several = all.filter {
      $0.count > 1 && (changes != nil || $0[0].contains { stored.columns[$0].mayBeAbsent })
    }
    // A column that another property needs as well stays in the row.
    let shared = Set(several.joined().joined())
    alternatives = several + all.filter { $0.count == 1 && !shared.isDisjoint(with: $0[0]) }
    // The release that wrote it keeps it for those that know its keys as older ones.
    changesColumn = alternatives.isEmpty ? nil : changes
    replaced = Set(alternatives.joined().joined())
    var levelOfColumn: [Int: ExactName] = [:]
    for (position, column) in stored.columns.enumerated() where column.isOfVersions {
      let level = try types.schemaName(of: classes[column.declaringClassIndex].name)
      levelOfColumn[position] = ExactName(level)
    }
    self.levelOfColumn = levelOfColumn
    names = resolution.names
    conversions = resolution.conversions
    let joinsSeveral = names.values.contains { $0.joinsSeveral }
    guard !alternatives.isEmpty || joinsSeveral || !levelOfColumn.isEmpty else { return nil }
    self.programClass = programClass
    description = stored.renaming(names)
    var uses = resolution.columnUses
    // A program of an older version keeps the versions of rows for newer ones.
    let known = try types.levels(of: programClass, in: classes, classIndex).filter {
      $0.version <= $0.schema.version
    }
    for (column, level) in levelOfColumn
    where known.contains(where: { $0.schema.name.hasSameBytes(as: level.text) }) { uses[column] = .replaced }
    if let changesColumn { uses[changesColumn] = .replaced }
    self.uses = uses
  }

  /// Whether rows may be of another version than the class is.
  var hasVersions: Bool { !levelOfColumn.isEmpty }

  /// Takes the versions out of an object's values: for levels of its class of which it has another one than
  /// the class in the file.
  func takeVersions(of object: inout MigratedObject) -> [ExactName: Int] {
    var versions: [ExactName: Int] = [:]
    object.properties.removeAll { property in
      guard let level = property.column.flatMap({ levelOfColumn[$0] }) else { return false }
      if case .integer(let version) = property.value { versions[level] = Int(clamping: version) }
      return true
    }
    return versions
  }

  /// Leaves an object of the file those of its values that count, with the program's names.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - isMigrated: whether the program's own code decided which values it has.
  /// - Throws: `valueOutOfRange` for a value that does not fit beside others under one name.
  func apply(to object: inout MigratedObject, isMigrated: Bool) throws {
    if !isMigrated, !alternatives.isEmpty { chooseColumns(of: &object) }
    guard !names.isEmpty else { return }
    for index in object.properties.indices {
      let property = object.properties[index]
      if let column = property.column {
        if let names = names[column] { object.properties[index].value = try names.value(property.value) }
      } else if let column = description.columns.firstIndex(where: { $0.key.hasSameBytes(as: property.key) })
      {
        // What the program set may be a value of the file that it changed.
        object.properties[index].value = (try? names[column]?.value(property.value)) ?? property.value
      }
    }
  }

  private func chooseColumns(of object: inout MigratedObject) {
    /// The columns in which the row has a value, and those of them in which it is not nil: where rows without
    /// a value are not told from others, nil counts only if nothing else does.
    var (present, certain): (Set<Int>, Set<Int>) = ([], [])
    for property in object.properties {
      guard let column = property.column else { continue }
      present.insert(column)
      let isNil = property.value == .null || property.value == .reference(nil)
      if !isNil || description.columns[column].flags.contains(.keyed) { certain.insert(column) }
    }
    let changes = object.properties.first { $0.column != nil && $0.column == changesColumn }
    // The release that saved the file last listed its keys first.
    let changed = (changes?.value.elements?.compactMap(\.string) ?? []).map(description.columns(withKey:))
    var chosen: Set<Int> = []
    for columns in alternatives {
      let candidates = columns.filter { present.isSuperset(of: $0) }
      let found =
        changed.lazy.compactMap { key in candidates.first { !key.isDisjoint(with: $0) } }.first
        ?? columns.first { certain.isSuperset(of: $0) } ?? columns.first { present.isSuperset(of: $0) }
      chosen.formUnion(found ?? [])
    }
    object.properties.removeAll { property in
      guard let column = property.column else { return false }
      return column == changesColumn || replaced.contains(column) && !chosen.contains(column)
    }
  }
}
