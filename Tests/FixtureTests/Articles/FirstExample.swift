// swift-format-ignore-file
// The lines are identical to the lines in README.md.

import Arc

// The example of README.md, statement for statement.

@Archivable class Animal {
  var name = ""
  weak var mother: Animal?
}
@Archivable final class Dog: Animal {
  var friends: [Animal] = []
}
@Archivable final class Family {
  var pets: [Animal] = []
}

/// Runs the example. Returns the archive and what the example prints.
func runReadmeExample() throws -> (bytes: [UInt8], printed: String) {
  var printed = ""
  func print(_ values: Bool...) { printed = values.map(\.description).joined(separator: " ") }
  let family = Family()
  let mia = Dog(), rex = Dog(), tom = Animal()
  (mia.name, rex.name, tom.name) = ("Mia", "Rex", "Tom")
  family.pets = [mia, tom]
  mia.friends = [rex]
  rex.friends = [mia, tom]
  rex.mother = mia

  let bytes = try Archiver().archive(family)
  let copy = try Unarchiver().unarchive(Family.self, from: bytes)

  let miaCopy = copy.pets[0] as? Dog
  let rexCopy = miaCopy?.friends[0] as? Dog
  print(
    rexCopy?.mother === miaCopy,
    rexCopy?.friends[1] === copy.pets[1])
  try ObjectGraph.release(copy)
  try ObjectGraph.release(family)
  return (bytes, printed)
}

/// Archives two dogs that are friends, for the article "Reading without the classes".
func archiveOfTwoDogs() throws -> [UInt8] {
  let mia = Dog(), rex = Dog()
  (mia.name, rex.name) = ("Mia", "Rex")
  mia.friends = [rex, mia]
  rex.mother = mia
  let bytes = try Archiver().archive(mia)
  try ObjectGraph.release(mia)
  return bytes
}
