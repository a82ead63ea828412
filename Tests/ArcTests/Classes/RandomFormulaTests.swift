import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Random values of recursive types, read by an older release that does not have all of their cases and
/// fields. `ARC_MUTATIONS` sets the number of values, `ARC_SEED` repeats a run.
final class RandomFormulaTests: XCTestCase {
  private typealias New = FormulaModels.NewNotebook
  private typealias Old = FormulaModels.OldNotebook

  func testUnknownPartsOfRandomFormulasAreOmitted() throws {
    let seed = RandomTrials.seed()
    for round in 0..<RandomTrials.count(usually: 20, exhaustively: 1_000) {
      var random = RandomFormulas(seed: seed &+ UInt64(round))
      let new = random.notebook()
      let old = try Unarchiver(unknownContent: .leaveOut).unarchive(Old.self, from: Archiver().archive(new))
      guard assertEqual(old, new, "seed \(seed), round \(round)") else { return }
    }
  }

  func testUnknownPartsOfRandomFormulasSurviveSaving() throws {
    let seed = RandomTrials.seed()
    for round in 0..<RandomTrials.count(usually: 5, exhaustively: 300) {
      var random = RandomFormulas(seed: seed &+ UInt64(round))
      let new = random.notebook()
      let content = PreservedContent()
      let bytes = try Archiver().archive(new)
      let old = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(Old.self, from: bytes)
      guard assertEqual(old, new, "seed \(seed), round \(round)") else { return }
      if random.below(2) == 0 {
        old.list.append(.text("added"))
        new.list.append(.text("added"))
        old.byName["added"] = .number(7)
        new.byName["added"] = .number(7)
      }
      let saved = try Archiver(preserving: content).archive(old)
      try ArchiveFile(bytes: saved).verify()
      let back = try Unarchiver().unarchive(New.self, from: saved)
      let isSame =
        back.list == new.list && back.one == new.one && back.first == new.first && back.byName == new.byName
        && back.blocks == new.blocks
      guard isSame else {
        return XCTFail("seed \(seed), round \(round): \(words(back)) instead of \(words(new))")
      }
    }
  }

  func testReorderedPartsAreReadOnlyIfKnown() throws {
    let seed = RandomTrials.seed()
    var count = 0
    let roundCount = RandomTrials.count(usually: 20, exhaustively: 500)
    // Few documents have no unknown part. The test continues until it has read such a document.
    for round in 0..<100 * roundCount where round < roundCount || count == 0 {
      var random = RandomFormulas(seed: seed &+ UInt64(round))
      let new = random.notebook()
      let bytes = try Archiver().archive(new)
      do {
        let old = try Unarchiver().unarchive(Old.self, from: bytes)
        count += 1
        guard assertEqual(old, new, "seed \(seed), round \(round)") else { return }
      } catch let error as ArchiveError where [.unknownCase, .duplicateKey].contains(error.code) {
        let values = new.list + [new.one ?? .pi, new.first] + Array(new.byName.values)
        XCTAssertFalse(values.allSatisfy(\.isKnown) && new.blocks.allSatisfy(\.isKnown), "\(error)")
      }
    }
    XCTAssertGreaterThan(count, 0)
  }

  private func words(_ notebook: New) -> String {
    "\(notebook.list), \(String(describing: notebook.one)), \(notebook.first), \(notebook.byName), "
      + "\(notebook.blocks)"
  }

  /// Asserts that a document of the older release is the rest of a document of the newer release. Returns
  /// whether it is.
  private func assertEqual(_ old: Old, _ new: New, _ what: String) -> Bool {
    let isSame =
      old.list == new.list.compactMap(\.older) && old.one == new.one?.older
      && old.first == new.first.older ?? .number(-1) && old.byName == new.byName.compactMapValues(\.older)
      && old.blocks == new.blocks.compactMap(\.older)
    if !isSame {
      XCTFail("\(what): \(words(new)) is read as \(old.list), \(String(describing: old.one)), \(old.first)")
    }
    return isSame
  }
}
