import ArcArchive
import ArcFormat
import ArcRuntime

// Describes which columns of a class were read. Used when the graph is complete.

extension ClassReader {
  /// The use of each column of the file.
  var columnUses: [ReadArchive.ColumnUse] {
    guard let resolution else { return [] }
    var uses = resolution.columnUses
    for position in keys?.readColumns ?? [] where uses[position] == .unread {
      // A hand-written coder writes the key again. A property that is converted from older values is written
      // under its own key.
      uses[position] =
        programClass.isKeyed
        ? .read(
          key: resolution.fileClass.columns[position].key, declaringClass: programClass.schema.name)
        : .replaced
    }
    return uses
  }

  /// The program's names for fields and cases in the columns that were read, by column index. Contains only
  /// columns in which the names of the program and the file differ.
  var columnNames: [Int: CurrentNames] {
    (resolution?.names ?? [:]).merging(keys?.names ?? [:]) { declared, _ in declared }
  }

  /// Whether objects that were read may lack a part of the values in the file. Such a part is a value that
  /// was omitted, a field or case that the program's type does not have, or a strong reference that was read
  /// into a weak property.
  var leavesPartsOfValues: Bool {
    guard let resolution else { return false }
    return set.hasOmittedValues || keys?.leavesPartsOfValues ?? false
      || resolution.positions.enumerated().contains { slot, position in
        guard let column = position.map({ resolution.fileClass.columns[$0].attributes }) else { return false }
        let attributes = programClass.slots[slot].attributes
        return attributes.isWeak && !column.isWeak || attributes.type?.lacksParts(of: column.type) ?? false
      }
  }
}

extension TypeEncoding {
  /// Whether `stored`, a type in a file, has fields or cases that this type does not have.
  func lacksParts(of stored: TypeEncoding?) -> Bool {
    guard let stored, stored != self else { return false }
    // If the types have no union, values are converted. Then the file's values may have such parts too.
    guard let union = stored.union(with: self) else { return true }
    return union != self && union != .optional(self)
  }
}
