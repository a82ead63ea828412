package import Arc
import ArcArchive
package import ArcFormat
import XCTest

/// Asserts that reading throws an error if a stored value fits the columns of a type but is not a value of
/// the type. The error must have the location of the value: class, key and object.
package func assertRefuses<Stored: ArchivableValue, Value: ArchivableValue>(
  _ stored: Stored, as type: Value.Type, _ text: String, code: ArchiveError.Code = .valueOutOfRange,
  file: StaticString = #filePath, line: UInt = #line
) throws {
  let bytes = try Archiver().archive(Written(value: stored))
  try ArchiveFile(bytes: bytes).verify()
  let classes = ClassTable()
  try classes.register(Read<Value>.self, as: Written<Stored>.archiveSchema.name)
  for part in [text, "(class 'Slot<", ">', key 'value', object #1)"] {
    assertThrows(code, part, file: file, line: line) {
      try Unarchiver(classes: classes).unarchive(Read<Value>.self, from: bytes)
    }
  }
  assertThrows(code, text, for: "in an array", file: file, line: line) {
    try Unarchiver().unarchive([Value].self, from: Archiver().archive([stored]))
  }
}

@Archivable("Slot") private final class Written<Value: ArchivableValue> {
  let value: Value
  init(value: Value) { self.value = value }
}

@Archivable("Slot") private final class Read<Value: ArchivableValue> {
  let value: Value
  init(value: Value) { self.value = value }
}
