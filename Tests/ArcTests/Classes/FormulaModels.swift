import Arc
import ArcTestSupport

/// Recursive types of a newer release, and of an older release with fewer cases and fields in another order.
/// `older` computes in plain Swift the value that remains under the policy. Nil if nothing remains.
enum FormulaModels {
  @Archivable("Formula") indirect enum New: Hashable {
    case number(Int)
    case pi
    case add(New, New)
    case mul(New, New)
    case list([New])
    case maybe(New?)
    case byName([String: New])
    case group(Set<New>)
    case counts([New: Int])
    case block(NewBlock)
    case every([New], NewBlock, String)
    case both(left: New, right: New)
    case note(New)
    case text(String)

    var older: Old? {
      switch self {
      case .number(let number): .number(number)
      case .pi, .mul, .every: nil
      case .add(let left, let right): left.older.flatMap { left in right.older.map { .add(left, $0) } }
      case .list(let elements): .list(elements.compactMap(\.older))
      case .maybe(let value): .maybe(value?.older)
      case .byName(let values): .byName(values.compactMapValues(\.older))
      case .group(let elements): .group(Set(elements.compactMap(\.older)))
      case .counts(let counts):
        .counts(
          Dictionary(counts.compactMap { key, value in key.older.map { ($0, value) } }) { first, _ in first })
      case .block(let block): block.older.map(Old.block)
      case .both(_, let right): right.older.map { .both(right: $0) }
      case .note: .note
      case .text(let text): .text(text)
      }
    }

    /// Whether the older release has all cases of the parts that it reads, and can distinguish all keys.
    var isKnown: Bool {
      switch self {
      case .number, .text, .note: true
      case .pi, .mul, .every: false
      case .add(let left, let right): left.isKnown && right.isKnown
      case .list(let elements): elements.allSatisfy(\.isKnown)
      case .maybe(let value): value?.isKnown ?? true
      case .byName(let values): values.values.allSatisfy(\.isKnown)
      case .group(let elements):
        elements.allSatisfy(\.isKnown) && Set(elements.map(\.older)).count == elements.count
      case .counts(let counts): New.group(Set(counts.keys)).isKnown
      case .block(let block): block.isKnown
      case .both(_, let right): right.isKnown
      }
    }
  }

  @Archivable("Formula") indirect enum Old: Hashable {
    case note
    case block(OldBlock)
    case number(Int)
    case text(String)
    case counts([Old: Int])
    case group(Set<Old>)
    case byName([String: Old])
    case maybe(Old?)
    case list([Old])
    case both(right: Old)
    case add(Old, Old)
  }

  /// Refers back to the enumeration that contains it.
  @Archivable("Block") struct NewBlock: Hashable {
    var name: String
    var dropped: [New]
    var kind: NewKind
    var body: [New]
    var last: New?
    var first: New

    var older: OldBlock? {
      first.older.flatMap { first in
        kind.older.map {
          OldBlock(last: last?.older, first: first, kind: $0, body: body.compactMap(\.older), name: name)
        }
      }
    }

    var isKnown: Bool {
      first.isKnown && kind != .tall && last?.isKnown ?? true && body.allSatisfy(\.isKnown)
    }
  }

  @Archivable("Block") struct OldBlock: Hashable {
    var last: Old?
    var first: Old
    var kind: OldKind
    var body: [Old]
    var name: String
  }

  enum NewKind: String, ArchivableValue, CaseIterable {
    case plain, bold, tall
    var older: OldKind? { OldKind(rawValue: rawValue) }
  }
  enum OldKind: String, ArchivableValue { case plain, bold }

  @Archivable("Notebook") final class NewNotebook {
    var list: [New] = []
    var one: New?
    var first = New.number(-1)
    var byName: [String: New] = [:]
    var blocks: [NewBlock] = []
  }

  @Archivable("Notebook") final class OldNotebook {
    var blocks: [OldBlock] = []
    var list: [Old] = []
    var one: Old?
    var first = Old.number(-1)
    var byName: [String: Old] = [:]
  }
}

/// A generator of random values of the newer release.
struct RandomFormulas {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func notebook() -> FormulaModels.NewNotebook {
    let notebook = FormulaModels.NewNotebook()
    notebook.list = some { $0.formula() }
    notebook.one = below(3) == 0 ? nil : formula()
    notebook.first = formula()
    for name in names() { notebook.byName[name] = formula() }
    notebook.blocks = some { $0.block(1) }
    return notebook
  }

  private mutating func some<Value>(_ make: (inout Self) -> Value) -> [Value] {
    (0..<below(4)).map { _ in make(&self) }
  }

  private mutating func names() -> [String] { some { "n\($0.below(5))" } }

  mutating func formula(_ depth: Int = 0) -> FormulaModels.New {
    let next = depth + 1
    switch below(depth > 3 ? 4 : 16) {
    case 0, 1: return .number(below(3))
    case 2: return below(3) == 0 ? .pi : .number(9)
    case 3: return .text("text \(below(3))")
    case 4, 5: return .add(formula(next), formula(next))
    case 6: return .mul(formula(next), formula(next))
    case 7, 8: return .list(some { $0.formula(next) })
    case 9: return .maybe(below(3) == 0 ? nil : formula(next))
    case 10: return .byName(Dictionary(names().map { ($0, formula(next)) }) { first, _ in first })
    case 11: return .group(Set(some { $0.formula(next) }))
    case 12: return .counts(Dictionary(some { ($0.formula(next), 1) }) { first, _ in first })
    case 13: return .block(block(next))
    case 14: return below(2) == 0 ? .every(some { $0.formula(next) }, block(next), "x") : .note(formula(next))
    default: return .both(left: formula(next), right: formula(next))
    }
  }

  private mutating func block(_ depth: Int) -> FormulaModels.NewBlock {
    FormulaModels.NewBlock(
      name: "block \(below(3))", dropped: some { $0.formula(depth + 1) },
      kind: FormulaModels.NewKind.allCases[below(9) == 0 ? 2 : below(2)],
      body: some { $0.formula(depth + 1) }, last: below(2) == 0 ? nil : formula(depth + 1),
      first: formula(depth + 2))
  }
}
