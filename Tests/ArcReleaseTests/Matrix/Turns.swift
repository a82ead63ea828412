import Arc
import ArcArchive

/// The values of a type in three releases, and a value that only the third release has.
struct Turns<A: ArchivableValue, B: ArchivableValue, C: ArchivableValue> {
  let name: String
  /// A value of the first release, and the value that the third release reads for it.
  let old: (A, C)
  /// A value of the third release.
  let newest: C
  var types: [any ArchivableValue.Type] = []
}

extension Matrix {
  /// Checks that the third release finds the value of the first release after three releases have opened and
  /// saved a file, in each order.
  func addTurns<A: ArchivableValue, B: ArchivableValue, C: ArchivableValue>(_ turns: Turns<A, B, C>) {
    typealias F = First<A, B, C>
    typealias S = Second<A, B, C>
    typealias T = Third<A, B, C>
    run(turns, InVariable<F>.self, InVariable<S>.self, InVariable<T>.self)
    run(turns, InOptional<F>.self, InOptional<S>.self, InOptional<T>.self)
    run(turns, InField<F>.self, InField<S>.self, InField<T>.self)
    run(turns, InPayload<F>.self, InPayload<S>.self, InPayload<T>.self)
    run(turns, InElements<F>.self, InElements<S>.self, InElements<T>.self)
    run(turns, InLists<F>.self, InLists<S>.self, InLists<T>.self)
    run(turns, InTree<F>.self, InTree<S>.self, InTree<T>.self)
    run(turns, InExistential<F>.self, InExistential<S>.self, InExistential<T>.self)
  }

  private func run<
    A: ArchivableValue, B: ArchivableValue, C: ArchivableValue, F: Holding, S: Holding, T: Holding
  >(_ turns: Turns<A, B, C>, _ first: F.Type, _ second: S.Type, _ third: T.Type)
  where F.S.Value == A, S.S.Value == B, T.S.Value == C {
    guard pairs.includesNext() else { return }
    let release = Release(types: turns.types)
    let starts: [(name: String, bytes: [UInt8]?, expected: T.Root?)] = [
      ("first writes", F.root([turns.old.0]).flatMap { try? release.archive($0) }, T.root([turns.old.1])),
      ("third writes", T.root([turns.newest]).flatMap { try? release.archive($0) }, T.root([turns.newest])),
    ]
    let orders = [[0, 1], [1, 0], [0, 2, 1], [2, 1, 0], [1, 2, 0, 2], [2, 0, 1, 0]]
    for start in starts {
      guard let bytes = start.bytes, let expected = start.expected else { continue }
      for order in orders where turnOrders.includesNext() {
        var bytes = bytes
        let found = Outcome {
          for opener in order {
            switch opener {
            case 0: bytes = try release.saved(F.Root.self, F.types, bytes)
            case 1: bytes = try release.saved(S.Root.self, S.types, bytes)
            default: bytes = try release.saved(T.Root.self, T.types, bytes)
            }
          }
          return try release.unarchiver(T.types, .refuse).unarchive(T.Root.self, from: bytes)
        }
        let names = order.map { ["first", "second", "third"][$0] }.joined(separator: ", ")
        note(
          turns.name, T.name, "\(start.name); open and save: \(names)", "all", found: found,
          expected: .graph(GraphText.of(expected)))
      }
    }
  }
}

/// One release, which opens and saves files.
private struct Release {
  let types: [any ArchivableValue.Type]

  func archive(_ root: some ArchivableValue, preserving unknown: PreservedContent? = nil) throws -> [UInt8] {
    var archiver = Archiver()
    archiver.preservedContent = unknown
    return try archiver.archive(root)
  }

  func unarchiver(
    _ more: [any ArchivableValue.Type], _ policy: UnknownContentPolicy
  ) throws -> Unarchiver {
    let classes = ClassTable(scope: .declared)
    for type in types + more { try classes.register(all: type) }
    return Unarchiver(classes: classes, unknownContent: policy)
  }

  /// Opens and saves a file, with all content that the release does not know.
  func saved<Root: ArchivableValue>(
    _ type: Root.Type, _ more: [any ArchivableValue.Type], _ bytes: [UInt8]
  ) throws -> [UInt8] {
    let unknown = PreservedContent()
    let root = try unarchiver(more, .preserve(in: unknown)).unarchive(type, from: bytes)
    let saved = try archive(root, preserving: unknown)
    try ArchiveFile(bytes: saved).verify()
    return saved
  }
}
