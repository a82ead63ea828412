// swift-format-ignore-file
// The lines are identical to the lines in the article.

import ArcArchive
import ArcFormat
import ArcRuntime

/// Runs the example without classes. Returns the printed lines.
func runBuilderExample() throws -> [String] {
  var printed: [String] = []
  func print(_ value: Any) { printed.append("\(value)") }
  // Dynamic example begins.
  let builder = try ArchiveBuilder(roots: [.init("people", type: [ObjectID].self)])
  try builder.addClass("Person", properties: [.init("name", type: String.self), .init("age", type: Int?.self)])
  let people = try builder.addObjects(
    ofClass: "Person", columns: [.init("name", ["Ada", "Bob"]), .init("age", [36, nil])])
  try builder.setRoots(["people": people])
  let archive = try builder.finish()
  let file = try ArchiveFile(bytes: archive)
  print(try file.object(people[0])["name"] ?? .null)
  print(try file.rows(ofClass: "Person").column("age", as: Int?.self))
  // Dynamic example ends.
  return printed
}

/// Reads an archive without the program's classes. Returns the printed text.
func runClasslessExample() throws -> String {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
  let archive = try archiveOfTwoDogs()

  let file = try ArchiveFile(bytes: archive)                           // what the program of the README wrote
  try file.verify()
  print(try file.roots()["root"] ?? .null)
  for info in file.classInfos { print(info.name, info.allProperties.map(\.member.name)) }
  for name in try file.rows(ofClass: "Dog").column("name", as: String.self) { print(name) }
  return lines.joined(separator: "\n")
}

/// Selects rows without the classes. Returns the printed text.
func runRowExample() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }
  let file = try ArchiveFile(bytes: archiveOfTwoDogs())

  let animals = try file.rows(ofClass: "Animal", includingSubclasses: true)
  print(try animals.column("name", as: String.self))
  print(try animals.where("name", equals: "Rex").ids())
  print(try animals.where("name", isIn: ["Mia", "Tom"]).column("name", as: String.self))
  return lines.joined(separator: "\n")
}

func sumOfAges(in file: ArchiveFile) async throws -> Int {
  let source = file.source
  let ranges = try file.rows(ofClass: "Person").idRanges(atMost: 4)
  return try await withThrowingTaskGroup(of: Int.self) { group in
    for range in ranges {
      group.addTask {
        let people = try ArchiveFile(source).rows(ofClass: "Person").where(ids: range)
        return try people.column("age", as: Int.self).reduce(0, +)
      }
    }
    return try await group.reduce(0, +)
  }
}

/// Recovers an archive whose end is missing. Returns the printed text.
func runRecoveryExample() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }
  let archive = try archiveOfTwoDogs()

  let cut = archive.dropLast(24)
  do {
    try ArchiveFile(bytes: cut).verify()
  } catch {
    print(error.code)
  }
  let recovered = try ArchiveRecovery(bytes: cut).archive()
  print(try ArchiveFile(bytes: recovered).rows(ofClass: "Dog").column("name", as: String.self))

  return lines.joined(separator: "\n")
}
