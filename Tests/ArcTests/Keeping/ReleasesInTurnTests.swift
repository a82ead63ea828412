import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Three releases edit one file in any order. Each renamed or converted a property of a class.
final class ReleasesInTurnTests: XCTestCase {
  /// Each release reads the last value that was set under one of its keys.
  func testEveryReleaseReadsTheLastSavedValue() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 4, exhaustively: 100) {
      var turns: [Turn] = []
      var (bytes, label, size) = ([UInt8](), ExpectedValue(), ExpectedValue())
      for _ in 0..<8 {
        let turn = Turn(using: &random)
        turns.append(turn)
        (bytes, label, size) = try (
          turn.saved(bytes), label.saved(by: turn, turn.label), size.saved(by: turn, turn.size)
        )
        try ArchiveFile(bytes: bytes).verify()
        for release in Release.allCases {
          let found = try release.read(bytes)
          XCTAssertEqual(found.label, label.value(in: release), "label in \(release) after \(turns)")
          XCTAssertEqual(found.size, size.value(in: release), "size in \(release) after \(turns)")
          guard found == (label.value(in: release), size.value(in: release)) else { return }
        }
      }
    }
  }
}

/// The turn of a release: it opens a file, may set properties, and saves the file.
private struct Turn: CustomStringConvertible {
  let release: Release
  let label: Int?
  let size: Int?
  let preserves: Bool

  init(using random: inout SplitMix64) {
    release = Release.allCases.randomElement(using: &random) ?? .first
    label = Bool.random(using: &random) ? Int.random(in: 2...99, using: &random) : nil
    size = Bool.random(using: &random) ? Int.random(in: 2...99, using: &random) : nil
    preserves = Int.random(in: 0..<8, using: &random) > 0
  }

  var description: String {
    let edits = [label.map { "label = \($0)" }, size.map { "size = \($0)" }].compactMap { $0 }
    return "\(release)\(preserves ? "" : " without preserving"): \(edits.joined(separator: ", "))"
  }

  func saved(_ bytes: [UInt8]) throws -> [UInt8] {
    switch release {
    case .first: try saved(bytes, by: Note1.self)
    case .second: try saved(bytes, by: Note2.self)
    case .third: try saved(bytes, by: Note3.self)
    }
  }

  private func saved<Note: ReleasedNote>(_ bytes: [UInt8], by type: Note.Type) throws -> [UInt8] {
    let content = PreservedContent()
    let unarchiver = Unarchiver(unknownContent: preserves ? .preserve(in: content) : .leaveOut)
    let note = bytes.isEmpty ? Note() : try unarchiver.unarchive(Note.self, from: bytes)
    if let label { note.labelNumber = label }
    if let size { note.sizeNumber = size }
    return try (preserves ? Archiver(preserving: content) : Archiver()).archive(note)
  }
}

/// The values of one property in a file, by the release whose key stores the value.
private struct ExpectedValue {
  private var values: [Release: Int] = [:]
  /// The releases in `values`, in the order of precedence.
  private var order: [Release] = []

  private func source(for release: Release) -> Release? { order.first { $0.rawValue <= release.rawValue } }

  /// Returns the value that a release reads.
  func value(in release: Release) -> Int { source(for: release).flatMap { values[$0] } ?? 1 }

  /// Returns the values after a release saved the file.
  func saved(by turn: Turn, _ newValue: Int?) -> ExpectedValue {
    let (release, source, value) = (turn.release, source(for: turn.release), value(in: turn.release))
    var saved = self
    saved.order = order.filter { turn.preserves && $0.rawValue > release.rawValue }
    let isChanged = newValue.map { $0 != value } ?? false
    let preferred = isChanged ? [] : order.prefix { $0 != source }
    saved.order.insert(release, at: saved.order.filter(preferred.contains).count)
    saved.values[release] = newValue ?? value
    return saved
  }
}

private enum Release: Int, CaseIterable {
  case first, second, third

  /// The properties of a file as the release reads them.
  func read(_ bytes: [UInt8]) throws -> (label: Int, size: Int) {
    switch self {
    case .first: try read(Note1.self, bytes)
    case .second: try read(Note2.self, bytes)
    case .third: try read(Note3.self, bytes)
    }
  }

  private func read<Note: ReleasedNote>(_: Note.Type, _ bytes: [UInt8]) throws -> (label: Int, size: Int) {
    let note = try Unarchiver(unknownContent: .leaveOut).unarchive(Note.self, from: bytes)
    let part = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(unknownContent: .leaveOut)).object(
      Note.self)
    XCTAssertEqual(part.labelNumber, note.labelNumber)
    XCTAssertEqual(part.sizeNumber, note.sizeNumber)
    return (note.labelNumber, note.sizeNumber)
  }
}

private protocol ReleasedNote: Archivable {
  init()
  var labelNumber: Int { get set }
  var sizeNumber: Int { get set }
}

@Archivable("Note") private final class Note1: ReleasedNote {
  var label = "1"
  var width = 1
  var isFolded = false
  init() {}
  var labelNumber: Int {
    get { Int(label) ?? 0 }
    set { label = "\(newValue)" }
  }
  var sizeNumber: Int {
    get { width }
    set { width = newValue }
  }
}

@Archivable("Note") private final class Note2: ReleasedNote {
  @Key("name", "label") var name = "1"
  @Key("points") @Key("width", from: Int.self, { Double($0) }) var points = 1.0
  var color: String? = "red"
  init() {}
  var labelNumber: Int {
    get { Int(name) ?? 0 }
    set { name = "\(newValue)" }
  }
  var sizeNumber: Int {
    get { Int(points) }
    set { points = Double(newValue) }
  }
}

@Archivable("Note") private final class Note3: ReleasedNote {
  @Key("title", "name", "label") var title = "1"
  @Key("size") @Key("points", from: Double.self, { "\(Int($0))" }) @Key("width", from: Int.self, { "\($0)" })
  var size = "1"
  var tags: [String] = ["a"]
  init() {}
  var labelNumber: Int {
    get { Int(title) ?? 0 }
    set { title = "\(newValue)" }
  }
  var sizeNumber: Int {
    get { Int(size) ?? 0 }
    set { size = "\(newValue)" }
  }
}
