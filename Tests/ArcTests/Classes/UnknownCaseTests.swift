import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Unknown cases and raw values, read by a program that omits unknown content.
final class UnknownCaseTests: XCTestCase {
  // MARK: Values

  func testUnknownCaseIsRefusedByDefault() throws {
    assertThrows(.unknownCase, "case 'misty'") { try reread([OldSky.misty], as: [NewSky].self) }
  }

  func testUnknownElementsAreOmittedFromCollections() throws {
    let skies: [OldSky] = [.clear, .misty, .cloudy(2), .stormy("x", 3), .clear]
    XCTAssertEqual(try read([NewSky].self, skies), [.clear, .cloudy(2), .clear])
    XCTAssertEqual(try read(Set<NewSky>.self, Set(skies)), [.clear, .cloudy(2)])
    XCTAssertEqual(
      try read([[NewSky]].self, [skies, [], [.misty]]), [[.clear, .cloudy(2), .clear], [], []])
    XCTAssertEqual(
      try read([String: NewSky].self, ["a": OldSky.clear, "b": .misty, "c": .cloudy(7)]),
      ["a": .clear, "c": .cloudy(7)])
    XCTAssertEqual(
      try read([NewSky: String].self, [OldSky.clear: "a", .stormy("s", 1): "b", .cloudy(7): "c"]),
      [.clear: "a", .cloudy(7): "c"])
  }

  func testUnknownRawValuesAreOmittedFromCollections() throws {
    XCTAssertEqual(try read([Day].self, ["monday", "someday", "friday"]), [.monday, .friday])
    XCTAssertEqual(try read([Level].self, [1, 9, 2, 9, 9]), [.low, .high])
    XCTAssertEqual(try read([Day: Level].self, ["monday": 1, "friday": 9, "someday": 2]), [.monday: .low])
    XCTAssertEqual(
      try read([Day: [Level]].self, ["monday": [1, 9], "friday": [9]]), [.monday: [.low], .friday: []])
  }

  func testOptionalsWithUnknownCasesBecomeNil() throws {
    XCTAssertEqual(try read([NewSky?].self, [OldSky.misty, nil, .cloudy(1)]), [nil, nil, .cloudy(1)])
    XCTAssertEqual(try read([Day?].self, ["monday", "someday", nil] as [String?]), [.monday, nil, nil])
    XCTAssertNil(try read(NewSky?.self, OldSky.misty))
    // The inner optional is nearer to the unknown value.
    XCTAssertEqual(
      try read([NewSky??].self, [.some(.some(.misty)), .some(nil), nil, .clear] as [OldSky??]),
      [.some(nil), .some(nil), nil, .clear])
  }

  func testUnknownValuesReadAsOptionalsBecomeNil() throws {
    XCTAssertEqual(
      try read([NewSky?].self, [OldSky.clear, .misty, .stormy("a", 1), .cloudy(4)]),
      [.clear, nil, nil, .cloudy(4)])
    XCTAssertEqual(try read([Day?].self, ["monday", "someday"]), [.monday, nil])
    XCTAssertEqual(
      try read([NewReport?].self, [OldReport(sky: .clear, note: "a"), OldReport(sky: .misty, note: "b")]),
      [NewReport(sky: .clear, note: "a"), nil])
  }

  func testElementOrOptionalWithUnknownValueIsOmitted() throws {
    let reports = [
      OldReport(sky: .misty, note: "a"), OldReport(sky: .cloudy(1), note: "b"),
      OldReport(sky: .stormy("long text", 5), note: "c"), OldReport(sky: .clear, note: "d"),
    ]
    XCTAssertEqual(
      try read([NewReport].self, reports),
      [NewReport(sky: .cloudy(1), note: "b"), NewReport(sky: .clear, note: "d")])
    let nested = reports.map { OldNest.report($0, [$0.sky], $0.sky) }
    XCTAssertEqual(
      try read([NewNest].self, nested + [.none]),
      [
        .report(NewReport(sky: .cloudy(1), note: "b"), [.cloudy(1)], .cloudy(1)),
        .report(NewReport(sky: .clear, note: "d"), [.clear], .clear), .none,
      ])
    XCTAssertEqual(
      try read([NewNest].self, [OldNest.report(reports[3], [.misty, .clear], .misty), .none]),
      [.report(NewReport(sky: .clear, note: "d"), [.clear], nil), .none])
  }

  func testTupleWithUnknownFieldIsOmittedFromArray() throws {
    let old = OldPairs()
    old.pairs = [(.clear, "a"), (.misty, "b"), (.cloudy(3), "c")]
    let new = try read(NewPairs.self, old)
    XCTAssertEqual(new.pairs.map(\.0), [.clear, .cloudy(3)])
    XCTAssertEqual(new.pairs.map(\.1), ["a", "c"])
  }

  func testFixedCountCollectionWithUnknownElementIsOmitted() throws {
    XCTAssertEqual(
      try read(
        [CollectionOfOne<NewSky>].self, [CollectionOfOne(OldSky.misty), CollectionOfOne(OldSky.cloudy(2))]
      ).map { $0[0] }, [.cloudy(2)])
    assertThrows(.unknownCase) { try read(CollectionOfOne<NewSky>.self, CollectionOfOne(OldSky.misty)) }
  }

  func testUnknownPartsOfRecursiveValuesAreOmitted() throws {
    let leaf = OldTree(sky: .clear, children: [])
    let bad = OldTree(sky: .misty, children: [OldTree(sky: .cloudy(9), children: [leaf])])
    let tree = OldTree(
      sky: .cloudy(1), children: [leaf, bad, OldTree(sky: .cloudy(2), children: [bad, leaf])])
    let good = NewTree(sky: .clear, children: [])
    XCTAssertEqual(
      try read([NewTree].self, [tree, bad, leaf]),
      [
        NewTree(sky: .cloudy(1), children: [good, NewTree(sky: .cloudy(2), children: [good])]), good,
      ])
  }

  func testDeepRecursiveValueIsReadOnSmallStack() throws {
    var tree = OldTree(sky: .misty, children: [])
    for level in 0..<100 { tree = OldTree(sky: .cloudy(level), children: [tree]) }
    let bytes = try Archiver().archive(tree)
    try onSmallStack {
      var next = try Unarchiver(unknownContent: .leaveOut).unarchive(NewTree.self, from: bytes)
      var depth = 1
      while let child = next.children.first { (next, depth) = (child, depth + 1) }
      XCTAssertEqual(depth, 100)
    }
  }

  func testUnknownRecursiveCaseIsOmitted() throws {
    let expression = OldExpression.sum([.number(1), .negated(.sum([.number(2)])), .number(3)])
    XCTAssertEqual(try read(NewExpression.self, expression), .sum([.number(1), .number(3)]))
    XCTAssertEqual(
      try read([NewExpression?].self, [OldExpression.negated(expression), expression]),
      [nil, .sum([.number(1), .number(3)])])
    assertThrows(.unknownCase, "case 'negated'") {
      try read(NewExpression.self, OldExpression.negated(.number(1)))
    }
    XCTAssertEqual(
      try read(NewExpression.self, .sum([.number(1), .name("x"), .number(3)]) as OldExpression),
      .sum([.number(1), .number(3)]))
  }

  // MARK: Objects

  func testUnknownPropertyValueBecomesInitialValueOrNil() throws {
    let stations = try read([Place].self, Self.stations())
    XCTAssertEqual(stations.map(\.name), (0..<9).map { "s\($0)" })
    XCTAssertEqual(
      stations.map(\.sky),
      [.clear, .cloudy(-1), .cloudy(2), .cloudy(-1), .clear, .cloudy(-1)] + stations.suffix(3).map(\.sky))
    for (index, station) in stations.enumerated() {
      let old = Self.stations()[index]
      XCTAssertEqual(station.sky, NewSky(old.sky) ?? .cloudy(-1))
      XCTAssertEqual(station.last, old.last.flatMap(NewSky.init))
      XCTAssertEqual(station.day, Day(rawValue: old.day) ?? .friday)
      XCTAssertEqual(station.history, old.history.compactMap(NewSky.init))
      XCTAssertEqual(station.number, old.number)
      XCTAssertTrue(station.link.next === stations[(index + 1) % 9] || station.link.sky == .cloudy(-2))
      XCTAssertEqual(station.link.sky, NewSky(old.link.sky) ?? .cloudy(-2))
    }
  }

  func testRequiredPropertyWithUnknownValueIsAnError() throws {
    let old = [OldFixed(.clear), OldFixed(.misty)]
    assertThrows(.unknownCase, "root[1].sky") { try read([NewFixed].self, old) }
    XCTAssertEqual(
      try read([NewFixed].self, [OldFixed(.clear), OldFixed(.cloudy(1))]).map(\.sky), [.clear, .cloudy(1)])
  }

  func testObjectsReferencedOnlyByUnknownValuesAreSkipped() throws {
    let old = OldOwner()
    old.parts = [.object(OldFixed(.clear)), .other(OldSpot(.misty))]
    let new = try Unarchiver(classes: ClassTable(scope: .declared), unknownContent: .leaveOut).unarchive(
      NewOwner.self, from: Archiver().archive(old))
    XCTAssertEqual(new.parts.count, 1)
  }

  func testExistentialWithUnknownValueIsOmitted() throws {
    let old = OldBoxes()
    old.things = [OldSky.clear, OldSky.misty, 5, OldSky.cloudy(3), "text"]
    (old.thing, old.byName) = (OldSky.misty, ["a": OldSky.misty, "b": OldSky.clear])
    let classes = try ClassTable(declaring: NewSky.self, Int.self, String.self)
    let new = try Unarchiver(classes: classes, unknownContent: .leaveOut).unarchive(
      NewBoxes.self, from: Archiver().archive(old))
    XCTAssertEqual(new.things.map { "\($0)" }, ["clear", "5", "cloudy(3)", "text"])
    XCTAssertNil(new.thing)
    XCTAssertEqual(new.byName.keys.sorted(), ["b"])
  }

  func testInitialValueReplacesUnknownValueInConstructionChain() throws {
    let old = EarlierChain(.clear, nil)
    let older = EarlierChain(.misty, nil)
    old.next = older
    older.next = EarlierChain(.cloudy(5), nil)
    let new = try read(PresentChain.self, old)
    XCTAssertEqual(new.sky, .clear)
    XCTAssertEqual(new.next?.sky, .cloudy(-1))
    XCTAssertEqual(new.next?.next?.sky, .cloudy(5))
    XCTAssertEqual(new.next?.next?.names, ["end"])
  }

  func testUnknownCasesSurviveAPreservingSave() throws {
    let unknown = PreservedContent()
    let old = Self.stations()
    let unarchiver = Unarchiver(unknownContent: .preserve(in: unknown))
    let new = try unarchiver.unarchive([Place].self, from: Archiver().archive(old))
    for place in new { place.number += 1 }
    let saved = try Unarchiver().unarchive([OldPlace].self, from: Archiver(preserving: unknown).archive(new))
    for (place, earlier) in zip(saved, old) {
      XCTAssertEqual(place.number, earlier.number + 1)
      XCTAssertEqual(place.sky, earlier.sky)
      XCTAssertEqual(place.last, earlier.last)
      XCTAssertEqual(place.day, earlier.day)
      XCTAssertEqual(place.history, earlier.history)
      XCTAssertEqual(place.link.sky, earlier.link.sky)
    }
  }

  func testRawValuesThatAreObjectsAreRead() throws {
    let holder = SpotCodes()
    holder.codes = [1, 2].map { SpotCode(rawValue: PlainSpot($0)) }
    XCTAssertEqual(try read(SpotCodes.self, holder).codes.map(\.rawValue.number), [1, 2])
  }

  func testSubstitutePolicyOmitsUnknownCases() throws {
    XCTAssertEqual(
      try Unarchiver(unknownContent: .substitute(NewSpot.self)).unarchive(
        [NewSky].self, from: Archiver().archive([OldSky.clear, .misty])), [.clear])
  }

  func testInvalidValueAfterUnknownValueIsAnError() throws {
    assertThrows(.valueOutOfRange) {
      try read([NewMeasure].self, [OldMeasure(sky: .misty, size: 1), OldMeasure(sky: .clear, size: 300)])
    }
  }

  func testUnknownValuesAreReplacedInEverySegment() throws {
    let count = RandomTrials.size(usually: 6_000, exhaustively: 150_000)
    let old = (0..<count).map { OldSpot($0 % 7 == 0 ? .misty : .cloudy($0)) }
    let segmentBytes = RandomTrials.size(usually: 1 << 14, exhaustively: 1 << 20)
    let bytes = try Archiver(layout: .compact(segmentBytes: segmentBytes)).archive(old)
    XCTAssertGreaterThan(try ArchiveFile(bytes: bytes).segments.count, 3)
    let new = try Unarchiver(unknownContent: .leaveOut).unarchive([NewSpot].self, from: bytes)
    XCTAssertTrue(new.map(\.sky) == old.map { NewSky($0.sky) ?? .cloudy(-1) })
  }

  func testOptionalDecodingReturnsNilForUnknownCase() throws {
    let classes = ClassTable(scope: .declared)
    let old = [OldByHand("misty", .misty), OldByHand("clear", .clear), OldByHand("monday", .cloudy(3))]
    let new = try Unarchiver(classes: classes, unknownContent: .leaveOut).unarchive(
      [NewByHand].self, from: Archiver().archive(old))
    XCTAssertEqual(new.map(\.sky), [nil, .clear, .cloudy(3)])
    XCTAssertEqual(new.map(\.day), [nil, nil, .monday])
    assertThrows(.unknownCase, "case 'misty'") {
      try Unarchiver(classes: classes, unknownContent: .leaveOut).unarchive(
        [StrictByHand].self, from: Archiver().archive(old))
    }
  }

  func testOlderKeyWithUnknownValueCountsAsMissing() throws {
    let old = [OldFixed(.clear), OldFixed(.misty), OldFixed(.cloudy(2))]
    XCTAssertEqual(try read([Renewed].self, old).map(\.text), ["clear", "none", "cloudy 2"])
  }

  private func read<New: ArchivableValue>(_ type: New.Type, _ old: some ArchivableValue) throws -> New {
    try Unarchiver(unknownContent: .leaveOut).unarchive(type, from: Archiver().archive(old))
  }

  private static func stations() -> [OldPlace] {
    let skies: [OldSky] = [.clear, .misty, .cloudy(2), .stormy("a", 1)]
    let stations = (0..<9).map { index in
      let place = OldPlace(name: "s\(index)", number: index * 1000)
      place.sky = skies[index % 4]
      place.last = index % 3 == 0 ? nil : skies[(index / 2) % 4]
      place.day = ["monday", "someday", "friday"][index % 3]
      place.history = (0..<index).map { skies[$0 % 4] }
      return place
    }
    for (index, station) in stations.enumerated() {
      station.link = OldLink(sky: skies[(index + 1) % 4], next: stations[(index + 1) % 9])
    }
    return stations
  }
}

// MARK: - Types

@Archivable("Sky") private enum OldSky: Hashable {
  case clear
  case cloudy(Int)
  case misty
  case stormy(String, Int)
}
@Archivable("Sky") private enum NewSky: Hashable {
  case cloudy(Int)
  case clear
  init?(_ old: OldSky) {
    switch old {
    case .clear: self = .clear
    case .cloudy(let value): self = .cloudy(value)
    case .misty, .stormy: return nil
    }
  }
  var words: String {
    if case .cloudy(let value) = self { "cloudy \(value)" } else { "clear" }
  }
}
private enum Day: String, ArchivableValue { case monday, friday }
private enum Level: Int, ArchivableValue {
  case low = 1
  case high
}

@Archivable("Report") private struct OldReport: Hashable {
  var sky: OldSky
  var note: String
}
@Archivable("Report") private struct NewReport: Hashable {
  var sky: NewSky
  var note: String
}

@Archivable("Nest") private enum OldNest {
  case report(OldReport, [OldSky], OldSky?)
  case none
}
@Archivable("Nest") private enum NewNest: Equatable {
  case report(NewReport, [NewSky], NewSky?)
  case none
}

@Archivable("Pairs") private final class OldPairs { var pairs: [(OldSky, String)] = [] }
@Archivable("Pairs") private final class NewPairs { var pairs: [(NewSky, String)] = [] }

@Archivable("SkyTree") private struct OldTree {
  var sky: OldSky
  var children: [OldTree]
}
@Archivable("SkyTree") private struct NewTree: Equatable {
  var sky: NewSky
  var children: [NewTree]
}

@Archivable("Expression") private indirect enum OldExpression {
  case number(Int)
  case name(String)
  case sum([OldExpression])
  case negated(OldExpression)
}
@Archivable("Expression") private indirect enum NewExpression: Equatable {
  case number(Int)
  case sum([NewExpression])
}

@Archivable("SkyPlace") private final class OldPlace {
  var name: String
  var number: Int
  var sky = OldSky.clear
  var last: OldSky?
  var day = "monday"
  var history: [OldSky] = []
  var link = OldLink(sky: .clear, next: nil)
  init(name: String, number: Int) { (self.name, self.number) = (name, number) }
}
@Archivable("SkyPlace") private final class Place {
  var name = ""
  var sky = NewSky.cloudy(-1)
  var last: NewSky?
  var day = Day.friday
  var history: [NewSky] = []
  var link = NewLink(sky: .cloudy(-2), next: nil)
  var number = 0
}

@Archivable("SkyLink") private struct OldLink {
  var sky: OldSky
  var next: OldPlace?
}
@Archivable("SkyLink") private struct NewLink {
  var sky: NewSky
  var next: Place?
}

@Archivable("SkyFixed") private final class OldFixed {
  let sky: OldSky
  init(_ sky: OldSky) { self.sky = sky }
}
@Archivable("SkyFixed") private final class NewFixed {
  let sky: NewSky
  init(_ sky: NewSky) { self.sky = sky }
}

@Archivable("SkyPart") private enum OldPart {
  case object(OldFixed)
  case other(OldSpot)
}
@Archivable("SkyPart") private enum NewPart { case object(NewFixed) }
@Archivable("SkyHolder") private final class OldOwner { var parts: [OldPart] = [] }
@Archivable("SkyHolder") private final class NewOwner { var parts: [NewPart] = [] }

@Archivable("SkySpot") private final class OldSpot {
  var sky: OldSky
  init(_ sky: OldSky) { self.sky = sky }
}
@Archivable("SkySpot") private final class NewSpot { var sky = NewSky.cloudy(-1) }

private final class OldByHand: HandWrittenClass {
  static var archiveSchema: ClassSchema { ClassSchema(OldByHand.self, name: "SkyByHand") }
  let day: String
  let sky: OldSky
  init(_ day: String, _ sky: OldSky) { (self.day, self.sky) = (day, sky) }
  init(from decoder: borrowing ObjectDecoder) throws {
    day = try decoder.decode(String.self, forKey: "day")
    sky = try decoder.decode(OldSky.self, forKey: "sky")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(day, forKey: "day")
    try encoder.encode(sky, forKey: "sky")
  }
}
private final class NewByHand: HandWrittenClass {
  static var archiveSchema: ClassSchema { ClassSchema(NewByHand.self, name: "SkyByHand") }
  let day: Day?
  let sky: NewSky?
  init(from decoder: borrowing ObjectDecoder) throws {
    sky = try decoder.decodeIfPresent(NewSky.self, forKey: "sky")
    day = try decoder.decode(Day?.self, forKey: "day")
  }
}
private final class StrictByHand: HandWrittenClass {
  static var archiveSchema: ClassSchema { ClassSchema(StrictByHand.self, name: "SkyByHand") }
  init(from decoder: borrowing ObjectDecoder) throws {
    _ = try decoder.decode(NewSky.self, forKey: "sky")
  }
}

@Archivable("SkyFixed") private final class Renewed {
  @Key("sky", from: NewSky.self, { $0.words }) var text = "none"
}

@Archivable("SkyBoxes") private final class OldBoxes {
  @Boxed var things: [Any] = []
  @Boxed var thing: Any?
  @Boxed var byName: [String: Any] = [:]
}
@Archivable("SkyBoxes") private final class NewBoxes {
  @Boxed var things: [Any] = []
  @Boxed var thing: Any?
  @Boxed var byName: [String: Any] = [:]
}

@Archivable("SkyChain") private final class EarlierChain {
  var sky: OldSky
  var next: EarlierChain?
  var names: [String]
  init(_ sky: OldSky, _ next: EarlierChain?) { (self.sky, self.next, names) = (sky, next, ["end"]) }
}
@Archivable("SkyChain") private final class PresentChain {
  var sky = NewSky.cloudy(-1)
  let next: PresentChain?
  let names: [String]
  init(_ next: PresentChain?) { (self.next, names) = (next, []) }
}

@Archivable("SkyMeasure") private struct OldMeasure {
  var sky: OldSky
  var size: Int
}
@Archivable("SkyMeasure") private struct NewMeasure {
  var sky: NewSky
  var size: Int8
}

@Archivable private final class PlainSpot {
  var number: Int
  init(_ number: Int) { self.number = number }
}
private struct SpotCode: RawRepresentable, ArchivableValue { let rawValue: PlainSpot }
@Archivable private final class SpotCodes { var codes: [SpotCode] = [] }
