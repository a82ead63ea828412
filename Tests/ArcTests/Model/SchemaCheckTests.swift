import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// The check of a file before reading reports how the program would read it.
final class SchemaCheckTests: XCTestCase {
  private func file(_ root: some ArchivableValue) throws -> ArchiveFile {
    try ArchiveFile(bytes: Archiver().archive(root))
  }

  private func differences(
    _ unarchiver: Unarchiver = Unarchiver(classes: ClassTable(scope: .declared))
  ) throws -> [String: SchemaDifference.Effect] {
    let plan = OldPlan()
    plan.extra = OldGadget()
    let found = try unarchiver.differences(in: file([plan]), readAs: [NewPlan].self)
    return Dictionary(
      uniqueKeysWithValues: found.map { ("\($0.className ?? "root").\($0.key ?? "")", $0.effect) })
  }

  func testFilesOfTheProgramHaveNoDifferences() throws {
    XCTAssertEqual(try Unarchiver().differences(in: file([OldPlan()]), readAs: [OldPlan].self), [])
    XCTAssertEqual(try Unarchiver().differences(in: file(["a": [1]]), readAs: [String: [Int]].self), [])
  }

  func testAllDifferencesAreReportedWithTheirEffects() throws {
    let found = try differences()
    let wanted: [String: SchemaDifference.Effect] = [
      "Plan.title": .compatible,  // stored under an older key
      "Plan.note": .compatible,  // became optional
      "Plan.added": .compatible,
      "Plan.count": .converted,
      "Plan.width": .checked,
      "Plan.label": .checked,
      "Plan.point": .lossy,  // a field was removed
      "Plan.gone": .lossy,
      "Plan.extra": .lossy,
      "Plan.state": .checked,  // a case was removed
      "Plan.mixed": .refused,
      "Plan.needed": .refused,
      "Gadget.": .lossy,  // only removed properties refer to it
    ]
    for (key, effect) in wanted { XCTAssertEqual(found[key], effect, key) }
    XCTAssertEqual(Set(found.keys), Set(wanted.keys))
  }

  func testDifferenceEffectsMatchTheResultOfReading() throws {
    let refusal = try file([OldGadget()])
    XCTAssertEqual(
      try Unarchiver(classes: ClassTable(scope: .declared)).differences(in: refusal, readAs: [NewPlan].self)
        .map(\.effect),
      [.checked, .refused], "objects of a class that the program does not know, where others are declared")
    let narrowed = try Archiver().archive([300])
    XCTAssertEqual(
      try Unarchiver().differences(in: ArchiveFile(bytes: narrowed), readAs: [Int8].self).map(\.effect),
      [.checked])
    XCTAssertThrowsError(try Unarchiver().unarchive([Int8].self, from: narrowed))
    let optional = try Archiver().archive([1, nil] as [Int?])
    XCTAssertEqual(
      try Unarchiver().differences(in: ArchiveFile(bytes: optional), readAs: [Int].self).map(\.effect),
      [.checked])
    XCTAssertThrowsError(try Unarchiver().unarchive([Int].self, from: optional))
    let widened = try Archiver().archive([Int8(3)])
    XCTAssertEqual(
      try Unarchiver().differences(in: ArchiveFile(bytes: widened), readAs: [Int].self).map(\.effect),
      [.converted])
    XCTAssertEqual(try Unarchiver().unarchive([Int].self, from: widened), [3])
  }

  func testValueDependentDifferencesAreReportedAsChecked() throws {
    XCTAssertEqual(
      try Unarchiver().differences(in: file([OldPair(a: 1)]), readAs: [NewPair].self).map(\.effect),
      [.checked])
    XCTAssertEqual(
      try Unarchiver().differences(in: file(["a"]), readAs: [URL].self).map(\.effect), [.checked])
    XCTAssertEqual(
      try Unarchiver().differences(in: file([nil, URL(fileURLWithPath: "/")]), readAs: [URL].self).map(
        \.effect),
      [.checked])
  }

  func testMissingOrMistypedRootsAreRefused() throws {
    let named = try ArchiveFile(bytes: Archiver().archive(roots: ["one": 1]))
    XCTAssertEqual(try Unarchiver().differences(in: named, readAs: Int.self).map(\.effect), [.refused])
    let text = try Unarchiver().differences(in: file("a"), readAs: Int.self)
    XCTAssertEqual(text.map(\.key), ["root"])
    XCTAssertEqual(
      text.first?.description,
      "refused: root 'root': the file has type 'String' (encoding '@\"NSString\"'), the program has type 'Int' (encoding 'q'); read the root as the type that was archived"
    )
  }

  func testDifferencesReportBothTypesAndARemedy() throws {
    let plan = OldPlan()
    let all = try Unarchiver().differences(in: file([plan]), readAs: [NewPlan].self)
    let mixed = all.first { $0.key == "mixed" }
    XCTAssertEqual(mixed?.fileType?.description, "@\"NSString\"")
    XCTAssertEqual(mixed?.programType?.description, "$<q:q>")
    XCTAssertEqual(mixed?.remedy, "keep the type, or give the property another key with @Key")
    let gone = all.first { $0.key == "gone" }
    XCTAssertEqual(gone?.programType, nil)
    XCTAssertEqual(gone?.remedy, "if the property was renamed, add @Key(\"newName\", \"gone\")")
    XCTAssertEqual(all.first { $0.key == "count" }?.remedy, nil)
  }

  func testOptionalHandWrittenKeyIsReportedAsChecked() throws {
    let found = try Unarchiver().differences(in: file([HandWritten()]), readAs: [Generated].self)
    XCTAssertEqual(found.map(\.effect), [.checked])
    XCTAssertEqual(found.first?.found, "type 'Int' (encoding 'q'), which objects need not have")
  }

  func testSchemaSnapshotReportsTheProgramsDifferences() throws {
    let plan = OldPlan()
    plan.extra = OldGadget()
    let classes = ClassTable(scope: .declared)
    let old = try file([plan])
    let snapshot = try SchemaSnapshot(of: [NewPlan].self, classes: classes)
    let found = try Unarchiver(classes: classes).differences(in: old, readAs: [NewPlan].self)
    XCTAssertEqual(try old.differences(readBy: snapshot), found)
    let snapshotOfOld = try SchemaSnapshot(of: [OldPlan].self, classes: classes)
    // The check for all files of a program assumes that references can reach each class.
    let effects = Set(
      found.map { "\($0.className ?? "").\($0.key ?? "") \($0.className == "Gadget" ? .refused : $0.effect)" }
    )
    XCTAssertEqual(
      Set(
        try snapshot.differences(readingFilesOf: snapshotOfOld).map {
          "\($0.className ?? "").\($0.key ?? "") \($0.effect)"
        }), effects)
  }

  /// The search for the substitute of a class follows its superclasses. A crafted table can contain thousands
  /// of them.
  func testLongUnknownSuperclassChainIsReportedQuickly() throws {
    let count = RandomTrials.size(usually: 600, exhaustively: 4_000)
    let builder = try ArchiveBuilder(roots: [.init("root", type: #"$[@"Line.Base"]"#)])
    try builder.addClass("Line.Base", properties: [])
    var objects: [ArchiveValue] = []
    for index in 0..<count {
      try builder.addClass(
        "C\(index)", superclass: index == 0 ? "Line.Base" : "C\(index - 1)", properties: [])
      let none: [ArchiveBuilder.Key: ArchiveValue] = [:]
      objects.append(.reference(try builder.addObject(ofClass: "C\(index)", none)))
    }
    try builder.setRoots(["root": ArchiveValue.array(objects)])
    let bytes = try builder.finish()
    let classes = try ClassTable(declaring: LineBase.self)
    try classes.register(LineEnd.self)
    let unarchiver = Unarchiver(classes: classes, unknownContent: .substitute(LineEnd.self))
    let found = try unarchiver.differences(in: ArchiveFile(bytes: bytes), readAs: [LineBase].self)
    XCTAssertEqual(found.map(\.effect), Array(repeating: .lossy, count: count))
    XCTAssertEqual(found.last?.className, "C\(count - 1)")
    XCTAssertEqual(try unarchiver.unarchive([LineBase].self, from: bytes).count { $0 is LineEnd }, count)
    let leaving = Unarchiver(classes: classes, unknownContent: .leaveOut)
    XCTAssertEqual(
      try leaving.differences(in: ArchiveFile(bytes: bytes), readAs: [LineBase].self).map(\.effect),
      Array(repeating: .lossy, count: count))
    XCTAssertEqual(try leaving.unarchive([LineBase].self, from: bytes).count, 0)
  }

  func testAddedOptionalReferencesInStructuresAreNotRefused() throws {
    let bytes = try Archiver().archive([OldLodge.room(OldBed(size: 1))])
    let effects = try Unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: [NewLodge].self)
      .map(\.effect)
    XCTAssertEqual(effects, [.checked])
    guard case .room(let bed, nil)? = try Unarchiver().unarchive([NewLodge].self, from: bytes).first else {
      return XCTFail("another case")
    }
    XCTAssertEqual(bed.size, 1)
    XCTAssertTrue(bed.sleeper == nil && bed.owner == nil)
    let lists = try Archiver().archive(OldBed(size: 1))
    XCTAssertEqual(
      try Unarchiver().differences(in: ArchiveFile(bytes: lists), readAs: [StrictBed].self).map(\.effect),
      [.refused], "no optional")
  }

  func testErrorNamesTheUnreadableFile() throws {
    let url = URL(fileURLWithPath: "/no/such/file.arc")
    XCTAssertThrowsError(try Unarchiver().differences(inContentsOf: url, readAs: Int.self)) {
      XCTAssertEqual(($0 as? ArchiveError)?.filePath, url.path)
    }
  }
}

@Archivable("Plan") private final class OldPlan {
  var name = "a"
  var note = "b"
  var count: Int32 = 1
  var width = 2
  var label = 1.5
  var point = OldSpot()
  var gone = true
  var state = OldPhase.open
  var mixed = "text"
  var extra: OldGadget?
}
@Archivable("Plan") private final class NewPlan {
  @Key("title", "name") var title: String = ""
  var note: String?
  var added = 7
  var count = 0
  var width = 0.0
  var label: Float = 0
  var point = NewSpot()
  var state = NewPhase.open
  var mixed = [1: 2]
  let needed: Int
  init(needed: Int) { self.needed = needed }
}
@Archivable("Pair") private struct OldPair { var a: Int }
@Archivable("Pair") private struct NewPair { var a: Int, b: Int }
@Archivable("Lodge") private enum OldLodge { case room(OldBed) }
@Archivable("Lodge") private enum NewLodge { case room(NewBed, Generated?) }
@Archivable("Bed") private struct OldBed { var size: Int }
@Archivable("Bed") private struct NewBed {
  var size: Int
  var sleeper: Generated?
  weak var owner: Generated?
}
@Archivable("Bed") private struct StrictBed {
  var size: Int
  var sleeper: Generated
}
@Archivable("Spot") private struct OldSpot {
  var x = 1
  var y = 2
}
@Archivable("Spot") private struct NewSpot { var x = 1 }
@Archivable("Phase") private enum OldPhase { case open, closed }
@Archivable("Phase") private enum NewPhase { case open }
@Archivable("Gadget") private final class OldGadget { var size = 1 }

@Archivable("Line.Base") private class LineBase { init() {} }
@Archivable("Line.End") private final class LineEnd: LineBase {}
private final class HandWritten: HandWrittenClass {
  static var archiveSchema: ClassSchema { ClassSchema(HandWritten.self, name: "Written") }
  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(1, forKey: "size") }
}
@Archivable("Written") private final class Generated { var size = 1 }
