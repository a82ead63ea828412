import ArcArchive
import ArcFormat
import ArcRuntime

/// The choice of the columns from which the rows of a class are read. Used if the values of a property are in
/// different columns in different rows.
///
/// An older release that adds objects to the archive of a newer release writes the values of these objects
/// under the keys that it knows. Then some rows have a value under the current key of a property, and other
/// rows under an older key. There is one choice per class. Rows of a class without such columns are read
/// unchanged. Spec: 06-evolution, section 2.
struct ColumnChoice {
  /// The class in the file, with the program's names for fields and cases.
  let description: ClassDescription
  let programClass: ProgramClass
  /// For each column of the file, how the program uses it.
  let uses: [ReadArchive.ColumnUse]
  /// The program's names for fields and cases, by column index.
  let names: [Int: CurrentNames]
  /// The properties that the program converts from columns with older keys.
  let conversions: [ReadArchive.Conversion]
  /// The groups of columns for each property whose value is in different columns in different rows. Each
  /// group contains the columns from which one value of the property is read or converted. The groups of a
  /// property are in order of precedence.
  private let alternatives: [[[Int]]]
  /// The columns in `alternatives`.
  private let replaced: Set<Int>
  /// The columns that contain class versions. The key is the index of such a column. The value is the level
  /// (the class or one of its superclasses) whose version the column contains for each row.
  private let levelOfColumn: [Int: ExactName]
  /// The column that lists, for each row, the keys whose values an older release changed. Nil if the class
  /// has no such column.
  private let changesColumn: Int?

  /// Compares a class of the file with a class of the program. Returns nil if all rows of the class are read
  /// from the same columns.
  ///
  /// - Throws: the errors of finding a class by its name.
  /// - Complexity: O(columns) if each row has a value in each column and the program has no older names for
  ///   fields and cases. Otherwise O(properties · columns).
  init?(
    _ programClass: ProgramClass, classIndex: Int, of classes: [ClassDescription], _ types: ReachableClasses
  ) throws {
    let stored = classes[classIndex]
    let slots = programClass.slots
    // If the archive was not merged, each row of a class has a value in each column.
    let isMerged = stored.columns.contains { $0.flags.contains(.keyed) }
    guard isMerged || !programClass.olderNames.isEmpty else { return nil }
    let resolution = try ClassResolution(
      programClass, classIndex: classIndex, of: classes, schemaName: types.schemaName(of:))
    // A hand-written coder can request any key, so no columns are chosen for it. It finds the keys of each
    // row.
    let isChosen = isMerged && !programClass.isKeyed
    let all = isChosen ? slots.indices.map { resolution.alternatives(ofSlot: $0) } : []
    let changes = stored.columns.firstIndex { $0.isOfChanges }
    let several = all.filter {
      $0.count > 1 && (changes != nil || $0[0].contains { stored.columns[$0].mayBeAbsent })
    }
    // A column that another property also needs stays in the row.
    let shared = Set(several.joined().joined())
    alternatives = several + all.filter { $0.count == 1 && !shared.isDisjoint(with: $0[0]) }
    // If there are no alternatives, the column is preserved for newer programs, which know its keys as older
    // keys.
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
    // A program with an older version of the class preserves the versions of rows for newer programs.
    let known = try types.levels(of: programClass, in: classes, classIndex).filter {
      $0.version <= $0.schema.version
    }
    for (column, level) in levelOfColumn
    where known.contains(where: { $0.schema.name.hasSameBytes(as: level.text) }) { uses[column] = .replaced }
    if let changesColumn { uses[changesColumn] = .replaced }
    self.uses = uses
  }

  /// Whether single rows may have versions that differ from the version of the class in the file.
  var hasVersions: Bool { !levelOfColumn.isEmpty }

  /// Removes the versions from an object's values, and returns them by level. A level is the class or one of
  /// its superclasses. Only levels whose version differs from the version of the class in the file have an
  /// entry.
  func takeVersions(of object: inout MigratedObject) -> [ExactName: Int] {
    var versions: [ExactName: Int] = [:]
    object.properties.removeAll { property in
      guard let level = property.column.flatMap({ levelOfColumn[$0] }) else { return false }
      if case .integer(let version) = property.value { versions[level] = Int(clamping: version) }
      return true
    }
    return versions
  }

  /// If an object has values in several columns for one property, removes all of them except the value with
  /// the highest precedence. Renames fields and cases to the program's names.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - isMigrated: whether the program's own code has determined the object's values.
  /// - Throws: `valueOutOfRange` if a value cannot be combined with other values under one name.
  func apply(to object: inout MigratedObject, isMigrated: Bool) throws {
    if !isMigrated, !alternatives.isEmpty { chooseColumns(of: &object) }
    guard !names.isEmpty else { return }
    for index in object.properties.indices {
      let property = object.properties[index]
      if let column = property.column {
        if let names = names[column] { object.properties[index].value = try names.value(property.value) }
      } else if let column = description.columns.firstIndex(where: { $0.key.hasSameBytes(as: property.key) })
      {
        // The program may have set the key to a changed value from the file, which has the names of the file.
        object.properties[index].value = (try? names[column]?.value(property.value)) ?? property.value
      }
    }
  }

  private func chooseColumns(of object: inout MigratedObject) {
    /// `present` contains the columns in which the row has a value. `certain` contains those columns of
    /// `present` in which a value was certainly stored: the value is not nil, or the column distinguishes nil
    /// from a missing value. Other columns of `present` are used only if no column of `certain` is suitable.
    var (present, certain): (Set<Int>, Set<Int>) = ([], [])
    for property in object.properties {
      guard let column = property.column else { continue }
      present.insert(column)
      let isNil = property.value == .null || property.value == .reference(nil)
      if !isNil || description.columns[column].flags.contains(.keyed) { certain.insert(column) }
    }
    let changes = object.properties.first { $0.column != nil && $0.column == changesColumn }
    // The release that saved the file last has listed its keys first.
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
