import Arc
import ArcFormat
import ArcRuntime
import Foundation

// The programs of the article "Opening files from strangers".

@Archivable final class Postcard {
  var text = ""
  var stamps: [Stamp] = []
}

@Archivable class Stamp: UnarchiveFinishing {
  var value = 0
  func didUnarchive(in context: ArchiveContext) throws {
    guard (1...500).contains(value) else { throw StampError.worthless(value) }
  }
}

@Archivable final class RareStamp: Stamp { var year = 1900 }

/// A class of the program to which no postcard refers.
@Archivable final class Command { var text = "" }

enum StampError: Error { case worthless(Int) }

func openPostcard(_ bytes: [UInt8]) throws -> Postcard {
  let classes = ClassTable(scope: .declared)
  try classes.register(RareStamp.self)
  var limits = ArchiveLimits.untrusted
  limits.fileBytes = 1 << 20
  return try Unarchiver(classes: classes, limits: limits).unarchive(Postcard.self, from: bytes)
}

/// Opens valid and crafted files. Returns the printed text.
func runStrangers() throws -> String {
  var lines: [String] = []
  func print(_ item: Any) { lines.append("\(item)") }

  func attempt(_ bytes: [UInt8]) {
    do {
      print(try openPostcard(bytes).stamps.map(\.value))
    } catch let error as ArchiveError {
      print(error.code)
    } catch {
      print(error)
    }
  }

  let card = Postcard()
  card.stamps = [RareStamp()]
  card.stamps[0].value = 80
  var bytes = try Archiver().archive(card)
  attempt(bytes)

  bytes[bytes.count / 2] ^= 1
  attempt(bytes)

  attempt(try Archiver().archive(Command()))

  card.stamps[0].value = 1_000_000
  attempt(try Archiver().archive(card))

  card.text = String(repeating: "long ", count: 1 << 18)
  attempt(try Archiver().archive(card))

  return lines.joined(separator: "\n")
}
