import Arc
import ArcArchive
import ArcFormat
import ArcModel
import ArcRuntime
import Foundation

// The program of the article "Which class model is which".

@Archivable class Instrument {
  let maker: String
  init(maker: String) { self.maker = maker }
}

@Archivable final class Violin: Instrument {
  @Key("strings", "stringCount") var strings = 4
}

/// Prints the description of a class in each model. Returns the printed text.
func runClassModels() throws -> String {
  var lines: [String] = []
  func print(_ item: Any?) { lines.append(item.map { "\($0)" } ?? "nil") }

  let declared = Violin.archiveSchema
  print(declared.name)
  print(declared.properties.map(\.name))
  print(declared.properties[0].keys)

  let described = try ClassInfo.of(Violin.self)
  print(described.lineage.map(\.name))
  print(described.property(named: "maker")?.member.attributes)

  let file = try ArchiveFile(bytes: Archiver().archive(Violin(maker: "Stainer")))
  let stored = file.classInfos[1]
  print(stored.name)
  print(stored.allProperties.map(\.member.name))
  print(stored.superclassName)

  print(try SchemaSnapshot(of: Violin.self))

  return lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
}
