import Arc
import Foundation

// The programs of the article "Getting started".

@Archivable final class Garden {
  var name = ""
  var beds: [Bed] = []
  var favourite: Plant?
}

@Archivable final class Bed {
  var plants: [Plant] = []
  weak var garden: Garden?
}

@Archivable class Plant {
  let species: String
  var height = 0.0
  init(species: String) { self.species = species }
}

@Archivable final class Tree: Plant {
  var planted: Date?
}

private func makeGarden() -> Garden {
  let garden = Garden()
  let bed = Bed()
  let oak = Tree(species: "oak")
  garden.name = "Behind the house"
  garden.beds = [bed]
  bed.plants = [Plant(species: "thyme"), oak]
  bed.garden = garden
  garden.favourite = oak
  return garden
}

/// Saves and reads a garden. Returns the printed text and the archive.
func runGettingStarted(in folder: URL) throws -> (printed: String, bytes: [UInt8]) {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
  let garden = makeGarden()
  let url = folder.appendingPathComponent("garden.arc")

  try Archiver().write(garden, to: url)
  let copy = try Unarchiver().read(Garden.self, from: url)

  print(copy.name, copy.beds[0].plants.map(\.species))
  print(copy.favourite === copy.beds[0].plants[1])
  print(copy.favourite is Tree)
  print(copy.beds[0].garden === copy)
  return (lines.joined(separator: "\n"), try Array(Data(contentsOf: url)))
}

/// Reads the archive as another type. Returns the printed text.
func runGettingStartedWithAnError(in folder: URL) throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }
  let url = folder.appendingPathComponent("garden.arc")
  try Archiver().write(makeGarden(), to: url)

  do {
    let bed = try Unarchiver().read(Bed.self, from: url)
    bed.plants.removeAll()
  } catch let error as ArchiveError {
    print(error.code)
    print(error.found)
  }

  return lines.joined(separator: "\n")
}
