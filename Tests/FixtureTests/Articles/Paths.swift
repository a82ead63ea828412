// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import Foundation

// The article shows the following lines.

@Archivable enum Shore: Hashable { case north, south }
@Archivable enum Mark { case none, light(height: Double), buoys(Int, String) }
@Archivable struct Position: Hashable { var x = 0.0, y = 0.0 }

@Archivable final class Harbour {
  var name = ""
  var size: (width: Double, depth: Double) = (0, 0)
  var mark = Mark.none
  var position = Position()
  @Key("water level") var level = 0
  var notes: [String: String] = [:]
}

@Archivable final class Atlas {
  var harbours: [Harbour] = []
  var byName: [String: Harbour] = [:]
  var byYear: [Int: String] = [:]
  var byAccess: [Bool: Int] = [:]
  var shores: [Shore: String] = [:]
  var owners: [Position: String] = [:]
}

/// Returns the archive of the atlas whose paths the article shows.
func archiveOfAnAtlas() throws -> [UInt8] {
  let (hook, old) = (Harbour(), Harbour())
  (hook.name, hook.size, hook.mark) = ("Hook", (width: 40, depth: 12), .light(height: 20))
  (hook.position, hook.level, hook.notes) = (Position(x: 3, y: 52), 3, ["at night": "closed"])
  (old.name, old.mark) = ("Oude Haven", .buoys(2, "red"))
  let atlas = Atlas()
  (atlas.harbours, atlas.byName) = ([hook, old], ["Hook": hook, "Oude Haven": old])
  (atlas.byYear, atlas.byAccess) = ([1815: "rebuilt"], [true: 7])
  (atlas.shores, atlas.owners) = ([.south: "sand"], [hook.position: "Ada"])
  return try Archiver().archive(atlas)
}

/// Reads values of the atlas by paths. Returns the printed text.
func runPaths(in folder: URL) throws -> String {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  let url = folder.appendingPathComponent("atlas.arc")
  try Data(archiveOfAnAtlas()).write(to: url)

  let archive = try LazyArchive(mapping: url)
  print(try archive.value(Double.self, at: #"root.byName["Hook"].position.y"#))
  let harbour = try archive.object(Harbour.self, at: "root.harbours[0]")
  try harbour.setValue(4.5, forKeyPath: "position.x")
  print(try harbour.value(forKeyPath: "position.x", as: Double.self))
  print(try harbour.value(forKeyPath: #"notes["at night"]"#, as: String.self))

  return printed.joined(separator: "\n")
}
