import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// An earlier release adds objects and values to an archive of a later release. The later release reads each
/// value under the key with which it was written.
final class RowChoiceTests: XCTestCase {
  private typealias Later = LaterRelease
  private typealias Earlier = EarlierRelease

  private let content = PreservedContent()

  /// Returns the archive of a later release's value after the earlier release reads, changes and saves it.
  private func passed<Value: ArchivableValue, Half: ArchivableValue>(
    _ value: Value, as half: Half.Type, _ change: (inout Half) -> Void
  ) throws -> [UInt8] {
    try PreservedContent().saved(Archiver().archive(value), as: half, change)
  }

  /// Returns the archive of a sheet with an item of the later release and an item that the earlier release
  /// added.
  private func mixedSheet() throws -> [UInt8] {
    let (first, second) = (Later.Item.made(), Later.Item.made())
    first.peer = second
    return try passed(Later.Sheet([first, second]), as: Earlier.Sheet.self) { sheet in
      let item = Earlier.Item.made()
      item.friend = sheet.items[0]
      sheet.items.append(item)
    }
  }

  private let expected = [
    Later.Item.made().values, Later.Item.made().values, Later.Item.fromEarlier().values,
  ]

  private func check(_ items: [Later.Item], _ what: String, line: UInt = #line) {
    XCTAssertEqual(items.count, 3, what, line: line)
    for (item, values) in zip(items, expected) {
      for (found, wanted) in zip(item.values, values) { XCTAssertEqual(found, wanted, what, line: line) }
    }
    guard items.count == 3 else { return }
    XCTAssertTrue(items[0].peer === items[1], what, line: line)
    XCTAssertTrue(items[2].peer === items[0], what, line: line)
    XCTAssertNil(items[1].peer, what, line: line)
  }

  // MARK: Reading APIs

  func testUnarchiverReadsObjectsSavedByBothReleases() throws {
    let bytes = try mixedSheet()
    check(try Unarchiver().unarchive(Later.Sheet.self, from: bytes).items, "refuse")
    check(
      try Unarchiver(unknownContent: .leaveOut).unarchive(Later.Sheet.self, from: bytes).items, "leave out")
    check(
      try Unarchiver(unknownContent: .preserve(in: content)).unarchive(Later.Sheet.self, from: bytes).items,
      "keep")
  }

  func testLazyArchiveReadsObjectsSavedByBothReleases() throws {
    let bytes = try mixedSheet()
    let session = try LazyArchive(bytes: bytes)
    check(try session.object(Later.Sheet.self).items, "root")
    let parts = try LazyArchive(bytes: bytes)
    let third = try parts.object(Later.Item.self, at: "root.items[2]")
    let first = try parts.object(Later.Item.self, at: "root.items[0]")
    let second = try parts.object(Later.Item.self, at: "root.items[1]")
    check([first, second, third], "parts")
    XCTAssertEqual(try parts.value(Later.Nib.self, at: "root.items[2].nib"), .init(width: 15, angle: 51))
    XCTAssertEqual(try parts.value(Later.Nib.self, at: "root.items[0].nib"), .init(width: 5, angle: 50))
    XCTAssertEqual(try parts.value([Later.Paint].self, at: "root.items[2].paints").first, .color(hex: 11))
    XCTAssertEqual(try parts.value([Later.Paint].self, at: "root.items[0].paints")[1], .color(hex: 1))
  }

  func testPreservingAndPlainSavesAreReadEqually() throws {
    let bytes = try mixedSheet()
    let kept = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(Later.Sheet.self, from: bytes)
    for archiver in [Archiver(), Archiver(preserving: content)] {
      let saved = try archiver.archive(kept)
      try ArchiveFile(bytes: saved).verify()
      check(try Unarchiver().unarchive(Later.Sheet.self, from: saved).items, "saved")
    }
  }

  func testAlternatingSavesOfBothReleasesLoseNoValue() throws {
    var bytes = try mixedSheet()
    for _ in 0..<2 {
      bytes = try PreservedContent().saved(bytes, as: Earlier.Sheet.self)
      bytes = try PreservedContent().saved(bytes, as: Later.Sheet.self) { check($0.items, "round") }
    }
  }

  func testRecoveredArchiveContainsObjectsOfBothReleases() throws {
    let recovery = try ArchiveRecovery(bytes: mixedSheet())
    let sheet = try Unarchiver().unarchive(Later.Sheet.self, from: recovery.archive())
    check(sheet.items, "recovered")
  }

  // MARK: Remaining content

  func testObsoleteNamesDisappearWithTheNextSave() throws {
    let bytes = try mixedSheet()
    let sheet = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(
      Later.Sheet.self, from: bytes)
    for archiver in [Archiver(), Archiver(preserving: content)] {
      let text = try ArchiveFile(bytes: archiver.archive(sheet)).classes.flatMap(\.columns).map {
        "\($0.key) \($0.attributes)"
      }.joined(separator: "\n")
      for name in ["name", "tenths", "first", "last", "note", "friend", "breadth", "slope", "solid", "flat"] {
        XCTAssertFalse(text.contains("\"\(name)\"") || text.contains("\n\(name) "), "\(name) in \(text)")
      }
    }
  }

  func testObjectsFromBothReleasesCauseNoLossyDifferences() throws {
    let file = try ArchiveFile(bytes: mixedSheet())
    for difference in try Unarchiver().differences(in: file, readAs: Later.Sheet.self) {
      XCTAssertLessThan(difference.effect, .lossy, "\(difference)")
    }
  }

  func testUnchangedSaveByEarlierReleaseIsNotLossy() throws {
    let bytes = try passed(Later.Sheet([.made()]), as: Earlier.Sheet.self) { _ in }
    let sheet = try Unarchiver().unarchive(Later.Sheet.self, from: bytes)
    XCTAssertEqual(sheet.items[0].values, Later.Item.made().values)
    for difference in try Unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: Later.Sheet.self) {
      XCTAssertLessThan(difference.effect, .lossy, "\(difference)")
    }
  }

  func testUnknownFieldsSurviveIfAllKnownFieldsChange() throws {
    let bytes = try passed(Later.Sheet([.made()]), as: Earlier.Sheet.self) { sheet in
      sheet.items[0].nib = .init(breadth: 80)
      sheet.items[0].paint = .solid(hex: 81)
      sheet.items[0].paints.append(.solid(hex: 82))
      sheet.items[0].nibs.append(.init(breadth: 83))
    }
    let item = try Unarchiver().unarchive(Later.Sheet.self, from: bytes).items[0]
    XCTAssertEqual(item.nib, .init(width: 80, angle: Later.Item.made().nib.angle))
    XCTAssertEqual(item.paint, .color(hex: 81))
    XCTAssertEqual(item.paints, Later.Item.made().paints + [.color(hex: 82)])
    XCTAssertEqual(item.nibs, Later.Item.made().nibs + [.init(width: 83)])
  }

  func testLaterReleaseReadsPropertyChangedByEarlierRelease() throws {
    func change(_ sheet: Earlier.Sheet) {
      (sheet.items[0].name, sheet.items[0].tenths, sheet.items[0].last) = ("set", 70, "Z")
      sheet.items[0].note = "noted"
      sheet.items[0].friend = sheet.items[1]
    }
    // At the second time, the earlier release changes an archive that it saved itself.
    for isUntouchedFirst in [false, true] { try check(isUntouchedFirst) }

    func check(_ isUntouchedFirst: Bool) throws {
      var bytes = try passed(Later.Sheet([.made(), .made()]), as: Earlier.Sheet.self) {
        if !isUntouchedFirst { change($0) }
      }
      if isUntouchedFirst {
        bytes = try PreservedContent().saved(bytes, as: Earlier.Sheet.self) { change($0) }
      }
      try checkChanges(bytes)
    }
  }

  private func checkChanges(_ archive: [UInt8]) throws {
    var bytes = archive
    for round in ["set", "kept"] {
      let items = try Unarchiver().unarchive(Later.Sheet.self, from: bytes).items
      XCTAssertEqual(items[0].title, "set", round)
      XCTAssertEqual(items[0].points, 7, round)
      XCTAssertEqual(items[0].full, "F Z", round)
      XCTAssertEqual(items[0].remark, "noted", round)
      XCTAssertTrue(items[0].peer === items[1], round)
      XCTAssertEqual(items[0].sum, 60, round)
      XCTAssertEqual(items[1].values, Later.Item.made().values, round)
      // The earlier release saves once more, without a change.
      bytes = try PreservedContent().saved(bytes, as: Earlier.Sheet.self)
    }
    let saved = try content.saved(bytes, as: Later.Sheet.self)
    let item = try Unarchiver().unarchive(Later.Sheet.self, from: saved).items[0]
    XCTAssertEqual([item.title, item.full], ["set", "F Z"])
    XCTAssertFalse(try ArchiveFile(bytes: saved).classes.flatMap(\.columns).contains { $0.key == "$changed" })
  }

  // MARK: Roots

  func testRootElementsSavedByBothReleasesAreRead() throws {
    let nibs = try passed([Later.Nib(width: 5), Later.Nib(width: 6)], as: [Earlier.Nib].self) {
      $0.append(.init(breadth: 9))
    }
    let wantedNibs: [Later.Nib] = [.init(width: 5), .init(width: 6), .init(width: 9)]
    XCTAssertEqual(try Unarchiver().unarchive([Later.Nib].self, from: nibs), wantedNibs)
    XCTAssertEqual(try LazyArchive(bytes: nibs).value([Later.Nib].self, at: "root"), wantedNibs)
    let paints = try passed(["a": Later.Paint.color(hex: 1)], as: [String: Earlier.Paint].self) {
      $0["b"] = .solid(hex: 2)
    }
    let wantedPaints: [String: Later.Paint] = ["a": .color(hex: 1), "b": .color(hex: 2)]
    XCTAssertEqual(try Unarchiver().unarchive([String: Later.Paint].self, from: paints), wantedPaints)
    XCTAssertEqual(try LazyArchive(bytes: paints).value([String: Later.Paint].self, at: "root"), wantedPaints)
    for (bytes, type) in [(nibs, [Later.Nib].self as any ArchivableValue.Type)] {
      let file = try ArchiveFile(bytes: bytes)
      let found = try Unarchiver().differences(in: file, readAs: [Later.Nib].self)
      XCTAssertLessThan(found.map(\.effect).max() ?? .compatible, .lossy, "\(type) \(found)")
    }
  }

  func testRootWithRenamedCasesSurvivesPreservingSave() throws {
    let bytes = try passed([Later.Paint.color(hex: 1)], as: [Earlier.Paint].self) {
      $0.append(.solid(hex: 2))
    }
    let saved = try content.saved(bytes, as: [Later.Paint].self)
    XCTAssertEqual(
      try Unarchiver().unarchive([Later.Paint].self, from: saved), [.color(hex: 1), .color(hex: 2)])
  }

  // MARK: Versions

  func testNewerClassVersionIsRefusedUnlessAllowed() throws {
    let arrow = NewerVersion.Arrow()
    arrow.points = 30
    for bytes in [try Archiver().archive(NewerVersion.Line()), try Archiver().archive(arrow)] {
      let text =
        "found objects of version 2 of class 'Rows.Line', expected at most version 1, the version in this program"
      for policy in [.refuse, .leaveOut, .preserve(in: content)] as [UnknownContentPolicy] {
        assertThrows(.newerVersion, text) {
          try Unarchiver(unknownContent: policy).unarchive(OlderVersion.Line.self, from: bytes)
        }
      }
      assertThrows(.newerVersion, text) { try LazyArchive(bytes: bytes).object(OlderVersion.Line.self) }
      let allowing = Unarchiver(newerVersions: .allow)
      XCTAssertEqual(try allowing.unarchive(OlderVersion.Line.self, from: bytes).tenths, 10)
      XCTAssertEqual(
        try LazyArchive(bytes: bytes, unarchiver: allowing).object(OlderVersion.Line.self).tenths, 10)
      // Earlier readings have no effect.
      assertThrows(.newerVersion, text) { try Unarchiver().unarchive(OlderVersion.Line.self, from: bytes) }
    }
  }

  func testDifferencesReportTheNewerClassVersion() throws {
    let file = try ArchiveFile(bytes: Archiver().archive(NewerVersion.Arrow()))
    for (unarchiver, effect) in [
      (Unarchiver(), SchemaDifference.Effect.refused), (Unarchiver(newerVersions: .allow), .checked),
    ] {
      let found = try unarchiver.differences(in: file, readAs: OlderVersion.Line.self).filter {
        $0.found.contains("version 2")
      }
      XCTAssertEqual(found.map(\.effect), [effect])
      XCTAssertTrue(found.allSatisfy { "\($0)".contains("version 1") }, "\(found)")
    }
  }

  func testObjectsAddedByAnOlderVersionAreMigrated() throws {
    let lines = [NewerVersion.Line(), NewerVersion.Arrow()]
    (lines[0].points, lines[1].points) = (7, 8)
    let allowing = Unarchiver(newerVersions: .allow)
    let bytes = try PreservedContent().saved(
      Archiver().archive(lines), as: [OlderVersion.Line].self, with: allowing
    ) { older in
      older += [OlderVersion.Line(), OlderVersion.Arrow()]
      (older[2].tenths, older[3].tenths) = (50, 60)
    }
    XCTAssertEqual(try ArchiveFile(bytes: bytes).classes.first { $0.name == "Rows.Line" }?.version, 2)
    let points = try Unarchiver().unarchive([NewerVersion.Line].self, from: bytes).map(\.points)
    XCTAssertEqual(points, [7, 8, 5, 6])
    XCTAssertEqual(try LazyArchive(bytes: bytes).object(NewerVersion.Line.self, at: "root[2]").points, 5)
    let saved = try content.saved(bytes, as: [NewerVersion.Line].self)
    XCTAssertEqual(try Unarchiver().unarchive([NewerVersion.Line].self, from: saved).map(\.points), points)
    // The older version saves the archive again without a change.
    let last = try PreservedContent().saved(bytes, as: [OlderVersion.Line].self, with: allowing)
    XCTAssertEqual(try Unarchiver().unarchive([NewerVersion.Line].self, from: last).map(\.points), points)
  }
}
