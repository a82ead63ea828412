import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Three releases edit one file in any order. Each converted a field of a structure from the field of the
/// release before it, and none knows the fields of newer releases.
final class ConvertedFieldTurnTests: XCTestCase {
  /// Each release reads the last value that was set, in every position where the structure can be.
  func testLastValueWinsInEachPosition() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 6, exhaustively: 60) {
      var turns: [StyleTurn] = []
      var bytes: [UInt8] = []
      var expected = [FieldValues](repeating: FieldValues(), count: StyleSheet<Style1>.count)
      for _ in 0..<6 {
        let turn = StyleTurn(using: &random)
        turns.append(turn)
        bytes = try turn.saved(bytes)
        for index in expected.indices { expected[index].save(by: turn, turn.numbers[index]) }
        try ArchiveFile(bytes: bytes).verify()
        for release in StyleRelease.allCases {
          let found = try release.numbers(in: bytes)
          let numbers = expected.map { $0.value(in: release) }
          XCTAssertEqual(found, numbers, "\(release) after \(turns)")
          guard found == numbers else { return }
        }
      }
    }
  }

  /// A release that preserves unknown fields also preserves the values that it converted.
  func testConvertedValueIsSavedWithUnknownField() throws {
    let mixed = try Archiver().archive([MixedPin(x: 3, note: "n")])
    let content = PreservedContent()
    let read = try Unarchiver(unknownContent: .preserve(in: content)).unarchive([ScaledPin].self, from: mixed)
    XCTAssertEqual(read.map(\.scaled), [30])
    let saved = try Archiver(preserving: content).archive(read)
    XCTAssertEqual(try Unarchiver().unarchive([ScaledPin].self, from: saved).map(\.scaled), [30])
    XCTAssertEqual(try LazyArchive(bytes: saved).value(String.self, at: "root[0].note"), "n")
  }

  // MARK: Conversions of several fields

  private func moved(by change: (inout Pin) -> Void) throws -> [UInt8] {
    let bytes = try Archiver().archive([StrictPin(position: "7, 8", name: "n")])
    return try PreservedContent().saved(bytes, as: [Pin].self) { change(&$0[0]) }
  }

  func testChangeOfOneFieldIsConvertedWithOptionals() throws {
    func read(_ change: (inout Pin) -> Void) throws -> LenientPin {
      try Unarchiver().unarchive([LenientPin].self, from: moved(by: change))[0]
    }
    XCTAssertEqual(try read { $0.y = 5 }.position, "-, 5")
    XCTAssertEqual(try read { $0.x = 5 }.position, "5, -")
    XCTAssertEqual(try read { ($0.x, $0.y) = (5, 6) }.position, "5, 6")
    XCTAssertEqual(try read { $0.name = "new" }.position, "7, 8")
    XCTAssertEqual(try read { $0.name = "new" }.name, "new")
  }

  func testChangeOfOneFieldIsReportedWithoutOptionals() throws {
    let whole = try moved { ($0.x, $0.y) = (5, 6) }
    XCTAssertEqual(try Unarchiver().unarchive([StrictPin].self, from: whole).map(\.position), ["5, 6"])
    let unchanged = try moved { $0.name = "new" }
    XCTAssertEqual(try Unarchiver().unarchive([StrictPin].self, from: unchanged).map(\.position), ["7, 8"])
    for (field, bytes) in [("x", try moved { $0.y = 5 }), ("y", try moved { $0.x = 5 })] {
      assertThrows(.missingKey, "the older field '\(field)'") {
        try Unarchiver().unarchive([StrictPin].self, from: bytes)
      }
    }
  }

  func testOptionalFieldSetByOlderReleaseIsConverted() throws {
    let bytes = try Archiver().archive([NewTag(text: "9")])
    for number in [4, nil] {
      let saved = try PreservedContent().saved(bytes, as: [OldTag].self) { $0[0].number = number ?? 4 }
      let cleared = try PreservedContent().saved(saved, as: [OldTag].self) { $0[0].number = number }
      let found = try Unarchiver().unarchive([NewTag].self, from: cleared)
      XCTAssertEqual(found.map(\.text), [number.map { "\($0)" } ?? "none"])
    }
  }
}

/// A turn of a release: it opens a file, may set the field in each position, and saves the file.
private struct StyleTurn: CustomStringConvertible {
  let release: StyleRelease
  let numbers: [Int?]
  let preserves: Bool

  init(using random: inout SplitMix64) {
    release = StyleRelease.allCases.randomElement(using: &random) ?? .first
    var numbers: [Int?] = []
    for _ in 0..<StyleSheet<Style1>.count {
      numbers.append(
        Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 1...99, using: &random) : nil)
    }
    self.numbers = numbers
    preserves = Int.random(in: 0..<8, using: &random) > 0
  }

  var description: String {
    "\(release)\(preserves ? "" : " without preserving"): \(numbers.map { $0.map { "\($0)" } ?? "-" })"
  }

  func saved(_ bytes: [UInt8]) throws -> [UInt8] {
    switch release {
    case .first: try saved(bytes, Style1.self)
    case .second: try saved(bytes, Style2.self)
    case .third: try saved(bytes, Style3.self)
    }
  }

  private func saved<Style: TurnStyle>(_ bytes: [UInt8], _: Style.Type) throws -> [UInt8] {
    let content = PreservedContent()
    let unarchiver = Unarchiver(
      classes: try ClassTable(declaring: Style.self),
      unknownContent: preserves ? .preserve(in: content) : .leaveOut)
    let sheet =
      bytes.isEmpty ? StyleSheet<Style>() : try unarchiver.unarchive(StyleSheet<Style>.self, from: bytes)
    for (index, number) in numbers.enumerated() {
      if let number { sheet.change(index) { $0.number = number } }
    }
    return try (preserves ? Archiver(preserving: content) : Archiver()).archive(sheet)
  }
}

private enum StyleRelease: Int, CaseIterable {
  case first, second, third

  func numbers(in bytes: [UInt8]) throws -> [Int] {
    switch self {
    case .first: try numbers(in: bytes, Style1.self)
    case .second: try numbers(in: bytes, Style2.self)
    case .third: try numbers(in: bytes, Style3.self)
    }
  }

  /// Returns the numbers that the release reads. Asserts that it reads the same numbers in parts.
  private func numbers<Style: TurnStyle>(in bytes: [UInt8], _: Style.Type) throws -> [Int] {
    let unarchiver = Unarchiver(classes: try ClassTable(declaring: Style.self), unknownContent: .leaveOut)
    let numbers = try unarchiver.unarchive(StyleSheet<Style>.self, from: bytes).numbers
    let archive = try LazyArchive(bytes: bytes, unarchiver: unarchiver)
    XCTAssertEqual(try archive.object(StyleSheet<Style>.self).numbers, numbers)
    XCTAssertEqual(try archive.value(Style.self, at: "root.styles[1]").number, numbers[3])
    return numbers
  }
}

/// The values of the field in a file, by the release whose key stores the value.
private struct FieldValues {
  private var values: [StyleRelease: Int] = [:]

  /// Returns the value that a release reads: the value that the oldest release has set.
  func value(in release: StyleRelease) -> Int { source(for: release).flatMap { values[$0] } ?? 1 }

  private func source(for release: StyleRelease) -> StyleRelease? {
    values.keys.filter { $0.rawValue <= release.rawValue }.min { $0.rawValue < $1.rawValue }
  }

  /// Updates the values for a release that saves the file.
  mutating func save(by turn: StyleTurn, _ newValue: Int?) {
    let (source, value) = (source(for: turn.release), value(in: turn.release))
    values = values.filter { turn.preserves && $0.key.rawValue > turn.release.rawValue }
    // A field that the file lacks is written only if the release sets it.
    if source != nil || values.isEmpty || newValue ?? value != value {
      values[turn.release] = newValue ?? value
    }
  }
}

private protocol TurnPart {}

private protocol TurnStyle: ArchivableValue, TurnPart {
  init()
  var id: Int { get set }
  var number: Int { get set }
}

@Archivable("ConvertedFieldTurn.Style") private struct Style1: TurnStyle {
  var id = 0
  var width = 1
  var number: Int {
    get { width }
    set { width = newValue }
  }
}

@Archivable("ConvertedFieldTurn.Style") private struct Style2: TurnStyle {
  var color = "red"
  var id = 0
  @Key("points") @Key("width", from: Int.self, { Double($0) }) var points = 1.0
  var number: Int {
    get { Int(points) }
    set { points = Double(newValue) }
  }
}

@Archivable("ConvertedFieldTurn.Style") private struct Style3: TurnStyle {
  @Key("size") @Key("points", from: Double.self, { ["\(Int($0))"] })
  @Key("width", from: Int.self, { ["\($0)"] })
  var size = ["1"]
  var tags: [String]? = ["a"]
  var id = 0
  var number: Int {
    get { Int(size.first ?? "") ?? 0 }
    set { size = ["\(newValue)"] }
  }
}

@Archivable private struct StyleFrame<Style: TurnStyle> {
  var title = "t"
  var style = Style()
}

@Archivable private enum StyleContent<Style: TurnStyle> {
  case empty
  case style(Style, name: String)
}

@Archivable private struct StyleBranch<Style: TurnStyle> {
  var style = Style()
  var branches: [StyleBranch] = []
}

/// The structure in each position where a value can be.
@Archivable("ConvertedFieldTurn.Sheet") private final class StyleSheet<Style: TurnStyle> {
  var style = Style()
  var maybe: Style? = Style()
  var styles = [Style(), Style()]
  var byName = ["a": Style()]
  var frame = StyleFrame<Style>()
  var content = StyleContent.style(Style(), name: "n")
  var tree = StyleBranch<Style>()
  var pair: (Int, Style) = (1, Style())
  var part: any TurnPart = Style()
  var parts: [any TurnPart] = [Style()]

  init() {
    for index in 0..<Self.count { change(index) { $0.id = index } }
    tree.branches = [StyleBranch(style: tree.style)]
    change(8) { $0.id = 8 }
  }

  static var count: Int { 12 }

  var numbers: [Int] {
    var numbers: [Int] = []
    for index in 0..<Self.count { change(index) { numbers.append($0.number) } }
    return numbers
  }

  func change(_ index: Int, _ change: (inout Style) -> Void) {
    switch index {
    case 0: change(&style)
    case 1: maybe = maybe.map { changed($0, change) }
    case 2, 3: change(&styles[index - 2])
    case 4: byName = byName.mapValues { changed($0, change) }
    case 5: change(&frame.style)
    case 6:
      if case .style(let style, let name) = content { content = .style(changed(style, change), name: name) }
    case 7: change(&tree.style)
    case 8: if !tree.branches.isEmpty { change(&tree.branches[0].style) }
    case 9: change(&pair.1)
    case 10: part = (part as? Style).map { changed($0, change) } ?? part
    default:
      parts = parts.map { part in (part as? Style).map { changed($0, change) } ?? part }
    }
  }

  private func changed(_ style: Style, _ change: (inout Style) -> Void) -> Style {
    var style = style
    change(&style)
    return style
  }
}

@Archivable("ConvertedFieldTurn.Pin") private struct Pin {
  var name = "initial"
  var x = 0
  var y = 0
}

@Archivable("ConvertedFieldTurn.Pin") private struct StrictPin {
  @Key("position") @Key("x", "y", from: (Int, Int).self, { "\($0), \($1)" }) var position: String
  var name = ""
}

@Archivable("ConvertedFieldTurn.Pin") private struct LenientPin {
  @Key("position")
  @Key("x", "y", from: (Int?, Int?).self, { "\($0.map { "\($0)" } ?? "-"), \($1.map { "\($0)" } ?? "-")" })
  var position: String
  var name = ""
}

@Archivable("ConvertedFieldTurn.Mixed") private struct MixedPin {
  var x = 0
  var note = ""
}

@Archivable("ConvertedFieldTurn.Mixed") private struct ScaledPin {
  @Key("scaled") @Key("x", from: Int.self, { $0 * 10 }) var scaled = 0
}

@Archivable("ConvertedFieldTurn.Tag") private struct OldTag { var number: Int? }

@Archivable("ConvertedFieldTurn.Tag") private struct NewTag {
  @Key("text") @Key("number", from: Int?.self, { $0.map { "\($0)" } ?? "none" }) var text: String
}
