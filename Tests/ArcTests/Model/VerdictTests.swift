import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// The verdict on a file before reading agrees with the result of reading, for many changes of types, as
/// roots and in collections, optionals, other values and properties.
final class VerdictTests: XCTestCase {
  func testNumberAndCollectionDifferencesPredictReading() throws {
    try check([1, 300], as: Int8.self, fails: true)
    try check([1, 2], as: Int8.self)
    try check([Int8(1)], as: Int.self)
    try check([1], as: String.self, fails: true)
    try check([1.5], as: Int.self, fails: true)
    try check([1, 2], as: Double.self)
    try check(["a"], as: UUID.self, fails: true)
    try check([UUID()], as: String.self)
    try check([Date()], as: Double.self)
    try check([true], as: Int.self)
    try check([nil, 1] as [Int?], as: Int.self, fails: true)
    try check([1], as: Int?.self)
    try check([1], as: [Int].self)
    try check([[1, 1]], as: Set<Int>.self, fails: true)
    try check([[1]], as: Int.self, fails: true)
    try check([["a": 1]], as: [String: Double].self)
    try check([["a": 300]], as: [String: Int8].self, fails: true)
    try check([Data([1])], as: [UInt8].self)
  }

  func testStructureDifferencesPredictReading() throws {
    try check([Was.Spot(x: 1, y: 2)], as: Now.SpotWithoutX.self)
    try check([Was.Spot(x: 1, y: 2)], as: Now.SpotWithDefault.self)
    try check([Was.Spot(x: 1, y: 2)], as: Now.SpotWithOptional.self)
    try check([Was.Spot(x: 1, y: 2)], as: Now.SpotWithKey.self)
    try check([Was.Spot(x: 1, y: 2)], as: Now.SpotWithMore.self, fails: true)
    try check([Was.Spot(x: 1, y: 2)], as: Now.RenamedSpot.self, fails: true)
    try check([Was.Spot(x: 1, y: 2)], as: Now.RetypedSpot.self, fails: true)
    try check([Was.Frame(spot: Was.Spot(x: 1, y: 2))], as: Now.Frame<Now.RenamedSpot>.self, fails: true)
    try check([Was.Frame(spot: Was.Spot(x: 1, y: 2))], as: Now.Frame<Now.SpotWithDefault>.self)
    try check([nil, Was.Spot(x: 1, y: 2)], as: Now.RenamedSpot?.self, fails: true)
    try check([[], [Was.Spot(x: 1, y: 2)]], as: [Now.RenamedSpot].self, fails: true)
    try check([nil, nil] as [Was.Spot?], as: [Now.RenamedSpot].self)
  }

  func testEnumerationDifferencesPredictReading() throws {
    let values = [Was.Mood.sad, .glad(level: 2), .mixed(1, 2)]
    try check(values, as: Now.SameMood.self)
    try check(values, as: Now.LabelledMood.self, fails: true)
    try check(values, as: Now.UnlabelledMood.self, fails: true)
    try check(values, as: Now.MoodWithMore.self, fails: true)
    try check(values, as: Now.MoodWithDefault.self)
    try check(values, as: Now.MoodWithOptional.self)
    try check(values, as: Now.MoodWithoutValue.self)
    try check(values, as: Now.MoodWithNewValue.self, fails: true)
    try check(values, as: Now.RenamedMood.self, fails: true)
    try check(values, as: Now.MoodWithKey.self)
    try check(values, as: Now.ShortMood.self, fails: true)
    try check(values, as: Now.SwappedMood.self)
    try check(values, as: Now.RetypedMood.self, fails: true)
  }

  func testClassDifferencesPredictReading() throws {
    let lines = [Was.Line(width: 25), Was.Line(width: 5)]
    XCTAssertFalse(try readFails(lines, as: [Now.ConvertedLine].self, "converted", #line))
    XCTAssertFalse(try readFails(lines, as: [Now.ConstantLine].self, "converted constant", #line))
    XCTAssertFalse(try readFails(lines, as: [Now.RenamedLine].self, "renamed", #line))
    XCTAssertFalse(try readFails(lines, as: [Now.ShortLine].self, "removed", #line))
    XCTAssertFalse(try readFails(lines, as: [Now.LongLine].self, "added", #line))
    XCTAssertTrue(try readFails(lines, as: [Now.NeedyLine].self, "added, required", #line))
    XCTAssertTrue(try readFails(lines, as: [Now.RetypedLine].self, "another type", #line))
    XCTAssertTrue(try readFails(lines, as: [Now.MisreadLine].self, "conversion of another type", #line))
  }

  /// Values without the changed case are read. The verdict warns anyway, because it is based only on types.
  func testValuesWithoutChangedCaseAreReadDespiteWarning() throws {
    let bytes = try Archiver().archive([Was.Mood.sad])
    let file = try ArchiveFile(bytes: bytes)
    XCTAssertEqual(
      try Unarchiver().differences(in: file, readAs: [Now.MoodWithMore].self).map(\.description),
      [
        "checked: root 'root': the file has type '[Verdict.Mood]' (encoding "
          + "'$[$(Verdict.Mood=\"sad\"\"glad\"{?=\"level\"q}\"mixed\"{?=\"\"q\"\"q})]'), without 'glad.reason', "
          + "the program has type '[Verdict.Mood]' (encoding "
          + "'$[$(Verdict.Mood=\"sad\"\"glad\"{?=\"level\"q\"reason\"q}\"mixed\"{?=\"\"q\"\"q})]'), where the missing "
          + "field must have an initial value; give each new field an initial value, or make the field optional; add "
          + "the old name of a renamed field with @Key(\"new\", \"old\")"
      ])
    XCTAssertNoThrow(try Unarchiver().unarchive([Now.MoodWithMore].self, from: bytes))
    let one = try ArchiveFile(bytes: Archiver().archive(Was.Spot(x: 1, y: 2)))
    XCTAssertEqual(
      try Unarchiver().differences(in: one, readAs: Now.RenamedSpot.self).map(\.effect), [.refused, .lossy])
  }

  /// A keyed column without values is not a reason to refuse a file, whatever its type. A keyed column with a
  /// value can be.
  func testKeyedColumnWithoutValuesMayHaveAnyType() throws {
    for hasValue in [false, true] {
      let builder = try ArchiveBuilder(roots: [.init("root", type: "$[@\"Verdict.Line\"]")])
      try builder.addClass("Verdict.Line", properties: [])
      try builder.addProperty(
        .init("spot", type: #"{Verdict.Spot="x"q"y"q}"#, isKeyed: true), toClass: "Verdict.Line")
      let spot = ArchiveValue.structure(
        name: "Verdict.Spot", fields: [.init(name: "x", value: 1), .init(name: "y", value: 2)])
      let line = try builder.addObject(ofClass: "Verdict.Line", hasValue ? ["spot": spot] : [:])
      try builder.setRoots(["root": .array([.reference(line)])])
      let bytes = try builder.finish()
      let classes = try ClassTable(declaring: Now.SpottedLine.self)
      var failure = ""
      do {
        let read = try Unarchiver(classes: classes).unarchive([Now.SpottedLine].self, from: bytes)
        XCTAssertEqual(read.map(\.spot.z), [7])
      } catch {
        failure = "\(error)"
      }
      XCTAssertEqual(failure.isEmpty, !hasValue, failure)
      let file = try ArchiveFile(bytes: bytes)
      let verdict = try Unarchiver(classes: classes).differences(in: file, readAs: [Now.SpottedLine].self)
      assertAgree(verdict, failure, isOfValues: true, "check: \(failure)", #line)
      let program = try SchemaSnapshot(of: [Now.SpottedLine].self, classes: classes)
      assertAgree(
        try file.differences(readBy: program), failure, isOfValues: true, "snapshot: \(failure)", #line)
    }
  }

  /// Two types of the program have one coded name. One of them has initial values that the other type lacks.
  func testTypesWithOneCodedNameAreCheckedSeparately() throws {
    let bytes = try Archiver().archive([Was.Pair(one: Was.Spot(x: 1, y: 2))])
    let file = try ArchiveFile(bytes: bytes)
    func check<Class: Archivable & HasSpot>(_ type: Class.Type, reads added: Int) throws {
      let classes = ClassTable(scope: .declared)
      try classes.register(type, as: "Verdict.Pair")
      let found = try Unarchiver(classes: classes).unarchive([Class].self, from: bytes)
      XCTAssertEqual(found.map(\.added), [added])
      let verdict = try Unarchiver(classes: classes).differences(in: file, readAs: [Class].self)
      assertAgree(verdict, "", isOfValues: true, "\(type)", #line)
      let program = try SchemaSnapshot(of: [Class].self, classes: classes)
      assertAgree(try file.differences(readBy: program), "", isOfValues: true, "\(type)", #line)
    }
    try check(Now.Pair<Now.SpotWithMore, Now.SpotWithDefault>.self, reads: 3)
    try check(Now.Pair<Now.SpotWithMore, Now.SpotWithOther>.self, reads: 4)
    // The verdict still reports the field that each row lacks.
    let classes = ClassTable(scope: .declared)
    try classes.register(Now.Pair<Now.SpotWithDefault, Now.SpotWithMany>.self, as: "Verdict.Pair")
    XCTAssertTrue(
      try Unarchiver(classes: classes).differences(
        in: file, readAs: [Now.Pair<Now.SpotWithDefault, Now.SpotWithMany>].self
      ).contains { $0.effect == .refused })
  }

  // MARK: Comparing

  /// Archives values in several containers, and compares the verdicts on these files with the results of
  /// reading.
  private func check<Old: ArchivableValue, New: ArchivableValue>(
    _ old: [Old], as type: New.Type, fails: Bool = false, line: UInt = #line
  ) throws {
    // The array is always tried. It contains all values, so it shows whether reading fails.
    var hasFailed = try readFails(old, as: [New].self, "array", line)
    func sample<Content: ArchivableValue, Reading: ArchivableValue>(
      _ content: Content, as type: Reading.Type, _ place: String
    ) throws {
      if trials.includesNext(), try readFails(content, as: type, place, line) { hasFailed = true }
    }
    for value in old { try sample(value, as: New.self, "value") }
    try sample(old.map { Optional($0) }, as: [New?].self, "optionals")
    try sample(["k": old], as: [String: [New]].self, "dictionary")
    try sample(old.map { Was.Holder($0) }, as: [Now.Holder<New>].self, "property")
    try sample(old.map { Was.Box(value: $0) }, as: [Now.Box<New>].self, "field")
    try sample(old.map { Was.Choice.one($0) }, as: [Now.Choice<New>].self, "case")
    XCTAssertEqual(hasFailed, fails, "whether reading as \(New.self) fails", line: line)
  }

  /// The sample of containers.
  private lazy var trials = TrialSample(oneIn: 4)

  private func readFails<Old: ArchivableValue, New: ArchivableValue>(
    _ old: Old, as type: New.Type, _ place: String, _ line: UInt
  ) throws -> Bool {
    let bytes = try Archiver().archive(old)
    let file = try ArchiveFile(bytes: bytes)
    let (oldClasses, newClasses) = (ClassTable(scope: .declared), ClassTable(scope: .declared))
    for name in file.classes.dropFirst().map(\.name) {
      let holder = TypeEncodingOfHolder<New>.self
      if let type = holder.type { try register(type, as: name, in: newClasses) }
    }
    var failure = ""
    do { _ = try Unarchiver(classes: newClasses).unarchive(New.self, from: bytes) } catch {
      failure = "\(error)"
    }
    let words = "\(Old.self) as \(New.self), \(place): \(failure)"
    let verdict = try Unarchiver(classes: newClasses).differences(in: file, readAs: New.self)
    assertAgree(verdict, failure, isOfValues: true, "check: \(words)", line)
    let program = try SchemaSnapshot(of: New.self, classes: newClasses)
    assertAgree(try file.differences(readBy: program), failure, isOfValues: true, "snapshot: \(words)", line)
    let parsed = try SchemaSnapshot(parsing: Array(program.description.utf8))
    assertAgree(try file.differences(readBy: parsed), failure, isOfValues: true, "text: \(words)", line)
    let older = try SchemaSnapshot(of: Old.self, classes: oldClasses)
    assertAgree(
      try program.differences(readingFilesOf: older), failure, isOfValues: false, "schema: \(words)", line)
    return !failure.isEmpty
  }

  private func register(_ type: any Archivable.Type, as name: String, in classes: ClassTable) throws {
    func register<Class: Archivable>(_ type: Class.Type) throws { try classes.register(type, as: name) }
    try register(type)
  }

  /// Compares a verdict with the failure of reading, which is empty if reading succeeds. Reading must fail if
  /// the verdict is `refused`, unless the verdict is for all files of a program. If reading fails, the
  /// verdict must be `refused` or `checked`.
  private func assertAgree(
    _ verdict: [SchemaDifference], _ failure: String, isOfValues: Bool, _ words: String, _ line: UInt
  ) {
    let effects = Set(verdict.map(\.effect))
    if failure.isEmpty {
      if isOfValues { XCTAssertFalse(effects.contains(.refused), "\(words)\n\(verdict)", line: line) }
    } else {
      XCTAssertTrue(
        effects.contains(.refused) || effects.contains(.checked), "\(words)\n\(verdict)", line: line)
    }
    if failure.contains("missingKey"), !isOfValues {
      XCTAssertTrue(effects.contains(.refused), "\(words)\n\(verdict)", line: line)
    }
  }
}

/// The type of the holder as which an array of holders is read. Nil for other types.
private enum TypeEncodingOfHolder<Root> {
  static var type: (any Archivable.Type)? { (Root.self as? any HolderArray.Type)?.holder }
}
private protocol HolderArray { static var holder: any Archivable.Type { get } }
extension Array: HolderArray where Element: Archivable {
  fileprivate static var holder: any Archivable.Type { Element.self }
}

private protocol HasSpot { var added: Int { get } }
private protocol SpotWithAdded { var added: Int { get } }
extension Now.Pair: HasSpot where One: SpotWithAdded { var added: Int { one.added } }
extension Now.SpotWithDefault: SpotWithAdded { var added: Int { z } }
extension Now.SpotWithOther: SpotWithAdded { var added: Int { w } }

private enum Was {
  @Archivable("Verdict.Pair") final class Pair {
    var many: [Spot] = []
    var one: Spot
    init(one: Spot) { self.one = one }
  }
  @Archivable final class Holder<Value: ArchivableValue> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  @Archivable("Verdict.Box") struct Box<Value: ArchivableValue> { var value: Value }
  @Archivable("Verdict.Choice") enum Choice<Value: ArchivableValue> { case one(Value) }

  @Archivable("Verdict.Line") final class Line {
    var width: Int
    var label = "a"
    init(width: Int) { self.width = width }
  }
  @Archivable("Verdict.Spot") struct Spot { var x: Int, y: Int }
  @Archivable("Verdict.Frame") struct Frame { var spot: Spot }
  @Archivable("Verdict.Mood") enum Mood {
    case sad
    case glad(level: Int)
    case mixed(Int, Int)
  }
}

private enum Now {
  @Archivable final class Holder<Value: ArchivableValue> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  @Archivable("Verdict.Box") struct Box<Value: ArchivableValue> { var value: Value }
  @Archivable("Verdict.Choice") enum Choice<Value: ArchivableValue> { case one(Value) }

  @Archivable("Verdict.Line") final class ConvertedLine {
    @Key("points") @Key("width", from: Int.self, { Double($0) / 10 }) var width = 1.0
    var label = ""
  }
  @Archivable("Verdict.Line") final class ConstantLine {
    @Key("width", "label", from: (Int, String).self, { "\($0)\($1)" }) let text: String
    init() { text = "" }
  }
  @Archivable("Verdict.Line") final class RenamedLine {
    @Key("thickness", "width") var thickness: Int
    var label = ""
    init() { thickness = 0 }
  }
  @Archivable("Verdict.Line") final class ShortLine { var label = "" }
  @Archivable("Verdict.Line") final class LongLine {
    var width = 0
    var label = ""
    var color: String?
    var dashes: [Double] = []
  }
  @Archivable("Verdict.Line") final class NeedyLine {
    var color: String
    init() { color = "" }
  }
  @Archivable("Verdict.Line") final class RetypedLine { var width = "" }
  @Archivable("Verdict.Line") final class MisreadLine {
    @Key("label", from: Int.self, { $0 }) var number = 1
  }

  @Archivable final class Pair<Many: ArchivableValue, One: ArchivableValue> {
    var many: [Many] = []
    var one: One
    init(one: One) { self.one = one }
  }
  @Archivable("Verdict.Line") final class SpottedLine { var spot = NewSpot(z: 7) }
  @Archivable("Verdict.Spot") struct NewSpot { var z: Int }
  @Archivable("Verdict.Spot") struct SpotWithOther { var x: Int, y: Int, w = 4 }
  @Archivable("Verdict.Spot") struct SpotWithMany { var x: Int, y: Int, a: Int, b: Int }
  @Archivable("Verdict.Spot") struct SpotWithoutX { var y: Int }
  @Archivable("Verdict.Spot") struct SpotWithDefault { var x: Int, y: Int, z = 3 }
  @Archivable("Verdict.Spot") struct SpotWithOptional { var x: Int, y: Int, z: Int? }
  @Archivable("Verdict.Spot") struct SpotWithMore { var x: Int, y: Int, z: Int }
  @Archivable("Verdict.Spot") struct RenamedSpot { var left: Int, y: Int }
  @Archivable("Verdict.Spot") struct RetypedSpot { var x: String, y: Int }
  @Archivable("Verdict.Spot") struct SpotWithKey {
    @Key("left", "x") var left: Int
    var y: Int
  }
  @Archivable("Verdict.Frame") struct Frame<Spot: ArchivableValue> { var spot: Spot }

  @Archivable("Verdict.Mood") enum SameMood {
    case sad
    case glad(level: Int)
    case mixed(Int, Int)
    case new(String)
  }
  @Archivable("Verdict.Mood") enum LabelledMood {
    case sad
    case glad(degree: Int)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum UnlabelledMood {
    case sad
    case glad(Int)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum MoodWithMore {
    case sad
    case glad(level: Int, reason: Int)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum MoodWithDefault {
    case sad
    case glad(level: Int, reason: String = "none")
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum MoodWithOptional {
    case sad
    case glad(level: Int, reason: String?)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum MoodWithoutValue {
    case sad
    case glad
    case mixed(Int)
  }
  @Archivable("Verdict.Mood") enum MoodWithNewValue {
    case sad(Int)
    case glad(level: Int)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum RenamedMood {
    case sad
    case happy(level: Int)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum MoodWithKey {
    case sad
    @Key("happy", "glad") case happy(level: Int)
    case mixed(Int, Int)
  }
  @Archivable("Verdict.Mood") enum ShortMood {
    case sad
    case glad(level: Int)
  }
  @Archivable("Verdict.Mood") enum SwappedMood {
    case mixed(Int, Int)
    case glad(level: Int)
    case sad
  }
  @Archivable("Verdict.Mood") enum RetypedMood {
    case sad
    case glad(level: String)
    case mixed(Int, Int)
  }
}
