// swift-format-ignore-file
// The lines stand as in README.md.

import Arc

// The example of README.md, statement for statement; `ReadmeTests` compares the two.

@Archivable class Animal { var name = ""; weak var mother: Animal? }
@Archivable final class Dog: Animal { var friends: [Animal] = [] }

/// Runs the example; returns the archive and what the example prints.
func runReadmeExample() throws -> (bytes: [UInt8], printed: String) {
  var printed = ""
  func print(_ values: Bool...) { printed = values.map(\.description).joined(separator: " ") }
  // Example begins.
  let mia = Dog(), rex = Dog()
  (mia.name, rex.name) = ("Mia", "Rex")
  mia.friends = [rex, mia]
  rex.mother = mia
  let bytes = try Archiver().archive(mia)
  let copy = try Unarchiver().unarchive(Dog.self, from: bytes)
  print(copy.friends[1] === copy, copy.friends[0].mother === copy)
  // Example ends.
  try Archiver.dismantle(copy)
  try Archiver.dismantle(mia)
  return (bytes, printed)
}

/// Runs the example without classes; returns what it prints.
func runReadmeDynamicExample() throws -> [String] {
  var printed: [String] = []
  func print(_ value: Any) { printed.append("\(value)") }
  // Dynamic example begins.
  let builder = try ArchiveBuilder(roots: [.init("root", type: #"@"Person""#)])
  try builder.addClass("Person", properties: [.init("name", type: #"@"NSString""#), .init("age", type: "q")])
  let ada = try builder.addObject(of: "Person", ["name": .string("Ada"), "age": .integer(36)])
  try builder.setRoots(["root": .reference(ada)])
  let archive = try builder.finish()
  let file = try ArchiveFile(bytes: archive)
  print(try file.object(ada)["name"] ?? .null)
  print(try file.rows(ofClass: "Person").column("age", as: Int.self))
  // Dynamic example ends.
  return printed
}
