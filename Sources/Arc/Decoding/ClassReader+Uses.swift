import ArcArchive
import ArcFormat
import ArcRuntime

// What of a class's columns was read, asked when the graph is complete.

extension ClassReader {
  /// What became of each column of the file.
  var columnUses: [ReadArchive.ColumnUse] {
    guard let resolution else { return [] }
    var uses = resolution.columnUses
    for position in keys?.readColumns ?? [] where uses[position] == .unread {
      // A hand-written coder writes the key again; a property made of older values does not.
      uses[position] =
        programClass.isKeyed
        ? .read(
          key: resolution.fileClass.columns[position].key, declaringClass: programClass.schema.name)
        : .replaced
    }
    return uses
  }

  /// What the program calls fields and cases in the columns that were read, by their indices, where it has
  /// other names than the file.
  var columnNames: [Int: CurrentNames] {
    (resolution?.names ?? [:]).merging(keys?.names ?? [:]) { declared, _ in declared }
  }

  /// Whether values of the file may have parts that the program's types do not have, or had some, or keep
  /// objects alive that the program's do not.
  var leavesPartsOfValues: Bool {
    guard let resolution else { return false }
    return set.hasLeftOutValues || keys?.leavesPartsOfValues ?? false
      || resolution.positions.enumerated().contains { slot, position in
        guard let column = position.map({ resolution.fileClass.columns[$0].attributes }) else { return false }
        let attributes = programClass.slots[slot].attributes
        return attributes.isWeak && !column.isWeak || attributes.type?.lacksParts(of: column.type) ?? false
      }
  }
}

extension TypeEncoding {
  /// Whether a type of a file has fields or cases that this one does not have.
  func lacksParts(of stored: TypeEncoding?) -> Bool {
    guard let stored, stored != self else { return false }
    // What is converted may have such parts as well.
    guard let union = stored.union(with: self) else { return true }
    return union != self && union != .optional(self)
  }
}
