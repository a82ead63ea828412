// swift-format-ignore-file
// The lines stand as in README.md.

import ArcFormat

/// Runs the example without classes; returns what it prints.
func runReadmeDynamicExample() throws -> [String] {
  var printed: [String] = []
  func print(_ value: Any) { printed.append("\(value)") }
  // Dynamic example begins.
  let builder = try ArchiveBuilder(roots: [.init("people", type: [ObjectID].self)])
  try builder.addClass("Person", properties: [.init("name", type: String.self), .init("age", type: Int?.self)])
  let people = try builder.addObjects(
    of: "Person", columns: [.init("name", ["Ada", "Bob"]), .init("age", [36, nil])])
  try builder.setRoots(["people": people])
  let archive = try builder.finish()
  let file = try ArchiveFile(bytes: archive)
  print(try file.object(people[0])["name"] ?? .null)
  print(try file.rows(ofClass: "Person").column("age", as: Int?.self))
  // Dynamic example ends.
  return printed
}
