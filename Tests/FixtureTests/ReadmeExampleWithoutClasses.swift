// swift-format-ignore-file
// The lines stand as in README.md.

import ArcFormat

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
