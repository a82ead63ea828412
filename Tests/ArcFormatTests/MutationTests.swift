import ArcRuntime
import XCTest

@testable import ArcFormat

/// Payloads changed at random and sealed again: what no checksum catches is an error or a readable archive.
final class MutationTests: XCTestCase {
  private var fixture: HandMadeArchive {
    get throws {
      var writer = ArchiveWriter(compression: .none)
      func columns(_ index: Int, _ types: [String]) throws -> [ColumnDescription] {
        try types.enumerated().map { position, text in
          ColumnDescription(
            declaringClass: index, key: "k\(position)", attributes: try PropertyAttributes(parsing: text),
            flags: text.hasSuffix("R") ? .construction : [])
        }
      }
      _ = try writer.addClass(
        ClassDescription(name: "$roots", superclass: nil, columns: columns(0, ["T@\"A\"", "T$<i:$[q]>"])))
      let types = [
        "T@\"A\",R", "T@\"A\",W", "T@\"NSString\"", "T@\"NSURL\"", "T$?{P=\"x\"d\"t\"t}",
        "T$[$(E=\"n\"\"p\"{?=$(E)})]",
        "T@\"NSData\"", "TB",
      ]
      _ = try writer.addClass(ClassDescription(name: "A", superclass: nil, columns: columns(1, types)))
      _ = try writer.addClass(ClassDescription(name: "B", superclass: 1, columns: columns(1, types)))
      try writer.addRow(classIndex: 0)
      let roots = writer.columnSet(ofClass: 0)
      roots.column(0).__append(1 as UInt32)
      roots.column(1).__append(1 as UInt64)
      roots.column(1).__child(0).__append(5 as Int32)
      roots.column(1).__child(1).__append(2 as UInt64)
      for number in [70_000, -1] as [Int64] { roots.column(1).__child(1).__child(0).__append(number) }
      for row in 1...3 {
        try writer.addRow(classIndex: row == 3 ? 2 : 1)
        append(row, to: writer.columnSet(ofClass: row == 3 ? 2 : 1))
      }
      return try HandMadeArchive(takingApart: writer.finish { UInt32($0) })
    }
  }

  private func append(_ row: Int, to set: ColumnWriterSet) {
    set.column(0).__append(UInt32(row - 1))
    set.column(1).__append(UInt32(4 - row))
    set.column(2).__append(text: "text \(row / 2)")
    set.column(3).__child(0).__append(text: "a/b")
    set.column(3).__child(1).__append(bit: row == 2)
    if row == 2 { set.column(3).__child(1).__child(0).__append(text: "http://x/") }
    set.column(4).__append(bit: row != 2)
    if row != 2 {
      set.column(4).__child(0).__child(0).__append(Double(row))
      set.column(4).__child(0).__child(1).__append(Int128(row) << 100)
    }
    set.column(5).__append(UInt64(row))
    for _ in 0..<row {
      for tag in [1, 1, 0] as [UInt32] { set.column(5).__child(0).__append(tag) }
    }
    unsafe [1 as UInt8, 2, 3].withUnsafeBytes { unsafe set.column(6).__append(bytes: $0) }
    set.column(7).__append(bit: row == 1)
  }

  func testFixtureIsValid() throws {
    let file = try ArchiveFile(bytes: fixture.bytes())
    try file.verify()
    XCTAssertEqual(file.rowCount, 4)
  }

  func testEverySingleBitOfEveryPayload() throws {
    let fixture = try fixture
    for position in fixture.segments.indices {
      for bit in 0..<fixture.segments[position].raw.count * 8 {
        var archive = fixture
        archive.segments[position].raw[bit / 8] ^= 1 << UInt8(bit % 8)
        try assertErrorOrReadable(archive, "segment \(position), bit \(bit)")
      }
    }
  }

  func testRandomChangesOfPayloads() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("MutationTests: SplitMix64(seed: \(seed))")
    var random = SplitMix64(seed: seed)
    let fixture = try fixture
    let rounds = Int(ProcessInfo.processInfo.environment["ARC_MUTATIONS"] ?? "") ?? 4_000
    for round in 0..<rounds {
      var archive = fixture
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&archive, &random) }
      try assertErrorOrReadable(archive, "seed \(seed), round \(round)")
    }
  }

  private func mutate(_ archive: inout HandMadeArchive, _ random: inout SplitMix64) {
    let interesting: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF]
    guard let segment = archive.segments.indices.randomElement(using: &random) else { return }
    var raw = archive.segments[segment].raw
    let place = Int.random(in: 0...raw.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2 where place < raw.count: raw[place] = .random(in: 0...255, using: &random)
    case 3 where place < raw.count: raw[place] = interesting.randomElement(using: &random) ?? 0
    case 4 where place < raw.count: raw.remove(at: place)
    case 5: raw.insert(interesting.randomElement(using: &random) ?? 0, at: place)
    case 6: raw.insert(contentsOf: raw[place...].prefix(Int.random(in: 1...8, using: &random)), at: place)
    default:
      archive.segments[segment].count = max(
        0, archive.segments[segment].count + .random(in: -1...1, using: &random))
      if archive.segments[segment].kind == "ROWS" { archive.rowCount = archive.segments[segment].count }
    }
    archive.segments[segment].raw = raw
  }

  private func assertErrorOrReadable(_ archive: HandMadeArchive, _ what: String) throws {
    if let claim = ArchiveClaims.violation(by: try archive.bytes()) { XCTFail("\(what): \(claim)") }
  }
}
