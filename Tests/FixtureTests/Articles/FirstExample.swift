// swift-format-ignore-file
// The lines stand as in README.md.

import Arc

// The example of README.md, statement for statement.

@Archivable class Animal { var name = ""; weak var mother: Animal? }
@Archivable final class Dog: Animal { var friends: [Animal] = [] }

/// Runs the example; returns the archive and what the example prints.
func runFirstExample() throws -> (bytes: [UInt8], printed: String) {
  var printed = ""
  func print(_ values: Bool...) { printed = values.map(\.description).joined(separator: " ") }
  let mia = Dog(), rex = Dog()
  (mia.name, rex.name) = ("Mia", "Rex")
  mia.friends = [rex, mia]
  rex.mother = mia
  let bytes = try Archiver().archive(mia)
  let copy = try Unarchiver().unarchive(Dog.self, from: bytes)
  print(copy.friends[1] === copy, copy.friends[0].mother === copy)
  try releaseGraph(copy)
  try releaseGraph(mia)
  return (bytes, printed)
}
