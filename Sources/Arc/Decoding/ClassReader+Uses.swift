import ArcFormat
import ArcRuntime

// What of a class's columns was read, asked when the graph is complete.

extension ClassReader {
  /// What became of each column of the file.
  var columnUses: [ReadArchive.ColumnUse] {
    guard let resolution else { return [] }
    var uses = [ReadArchive.ColumnUse](repeating: .unread, count: resolution.fileClass.columns.count)
    for (slot, position) in resolution.positions.enumerated() {
      guard let position else { continue }
      let slot = programClass.slots[slot]
      uses[position] = .read(key: slot.property.keys[0], declaringClass: slot.declaringClass)
    }
    for position in keys?.readColumns ?? [] where uses[position] == .unread { uses[position] = .replaced }
    return uses
  }

  /// Whether values of the file may have fields or cases that the program's types do not have.
  var leavesPartsOfValues: Bool {
    guard let resolution else { return false }
    return resolution.positions.enumerated().contains { slot, position in
      guard let type = programClass.slots[slot].attributes.type, let position,
        let union = resolution.fileClass.columns[position].attributes.type?.union(with: type)
      else { return false }
      return union != type && union != .optional(type)
    }
  }
}
