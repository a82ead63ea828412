import Arc
import Foundation
import Synchronization

// The programs of the article "Identity, cycles and phases".

@Archivable final class Stop: Hashable, UnarchiveFinishing {
  let name: String
  var next: Stop? { didSet { Journal.note("link \(name) to \(next?.name ?? "nil")") } }
  weak var previous: Stop?

  init(_ name: String) { self.name = name }
  func didUnarchive(in context: ArchiveContext) { Journal.note("awake \(name)") }

  static func == (one: Stop, other: Stop) -> Bool { one.name == other.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Archivable final class Line {
  var first: Stop?
  var fares: [Stop: Int] = [:]
}

/// The log of the objects' actions, in order.
enum Journal {
  private static let lines = Mutex<[String]>([])

  static func note(_ line: String) { lines.withLock { $0.append(line) } }
  /// Returns the lines and clears the log.
  static func take() -> String {
    lines.withLock { lines in
      defer { lines = [] }
      return lines.joined(separator: "\n")
    }
  }
}

/// Archives and reads a line whose stops form a cycle. Returns the printed text.
func runIdentity() throws -> String {
  func print(_ items: Any...) { Journal.note(items.map { "\($0)" }.joined(separator: " ")) }
  let line = Line()
  let harbour = Stop("harbour")
  let market = Stop("market")
  line.first = harbour
  line.fares = [harbour: 2, market: 3]
  (harbour.next, market.next) = (market, harbour)
  (harbour.previous, market.previous) = (market, harbour)
  let bytes = try Archiver().archive(line)
  _ = Journal.take()

  let copy = try Unarchiver().unarchive(Line.self, from: bytes)
  let first = copy.first
  print(first?.next?.next === first, first?.previous === first?.next)
  print(first.flatMap { copy.fares[$0] } ?? 0)

  let printed = Journal.take()
  try ObjectGraph.release(line)
  try ObjectGraph.release(copy)
  return printed
}
