import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Mutated payloads with correct checksums: an error, or a readable archive.
final class MutationTests: XCTestCase {
  private var fixture: HandMadeArchive {
    get throws {
      var writer = ArchiveWriter(compression: .none)
      func columns(_ index: Int, _ types: [String]) throws -> [ColumnDescription] {
        try types.enumerated().map { position, text in
          ColumnDescription(
            declaringClassIndex: index, key: "k\(position)",
            attributes: try PropertyAttributes(parsing: text),
            flags: text.hasSuffix("R") ? .construction : [])
        }
      }
      _ = try writer.addClass(
        ClassDescription(
          name: "$roots", superclassIndex: nil, columns: columns(0, ["T@\"A\"", "T$<i:$[q]>"])))
      let types = [
        "T@\"A\",R", "T@\"A\",W", "T@\"NSString\"", "T@\"NSURL\"", "T$?{P=\"x\"d\"t\"t}",
        "T$[$(E=\"n\"\"p\"{?=$(E)})]",
        "T@\"NSData\"", "TB",
      ]
      _ = try writer.addClass(ClassDescription(name: "A", superclassIndex: nil, columns: columns(1, types)))
      _ = try writer.addClass(ClassDescription(name: "B", superclassIndex: 1, columns: columns(1, types)))
      try writer.addRow(classIndex: 0)
      let roots = writer.columnSet(ofClass: 0)
      roots.column(0).append(1 as UInt32)
      roots.column(1).append(1 as UInt64)
      roots.column(1).child(0).append(5 as Int32)
      roots.column(1).child(1).append(2 as UInt64)
      for number in [70_000, -1] as [Int64] { roots.column(1).child(1).child(0).append(number) }
      for row in 1...3 {
        try writer.addRow(classIndex: row == 3 ? 2 : 1)
        append(row, to: writer.columnSet(ofClass: row == 3 ? 2 : 1))
      }
      return try HandMadeArchive(takingApart: writer.finish { UInt32($0) })
    }
  }

  private func append(_ row: Int, to set: ColumnWriterSet) {
    set.column(0).append(UInt32(row - 1))
    set.column(1).append(UInt32(4 - row))
    set.column(2).append(text: "text \(row / 2)")
    set.column(3).child(0).append(text: "a/b")
    set.column(3).child(1).append(bit: row == 2)
    if row == 2 { set.column(3).child(1).child(0).append(text: "http://x/") }
    set.column(4).append(bit: row != 2)
    if row != 2 {
      set.column(4).child(0).child(0).append(Double(row))
      set.column(4).child(0).child(1).append(Int128(row) << 100)
    }
    set.column(5).append(UInt64(row))
    for _ in 0..<row {
      for tag in [1, 1, 0] as [UInt32] { set.column(5).child(0).append(tag) }
    }
    [1 as UInt8, 2, 3].withByteView { set.column(6).append(bytes: $0) }
    set.column(7).append(bit: row == 1)
  }

  func testUnchangedFixtureIsValid() throws {
    let file = try ArchiveFile(verifying: fixture.bytes())
    XCTAssertEqual(file.rowCount, 4)
  }

  func testEachFlippedPayloadBitGivesErrorOrArchive() throws {
    let fixture = try fixture
    for position in fixture.segments.indices {
      let bitCount = fixture.segments[position].raw.count * 8
      for bit in RandomTrials.sample(of: 0..<bitCount, oneIn: 8) {
        var archive = fixture
        archive.segments[position].raw = archive.segments[position].raw.flipping(bit: bit)
        assertErrorOrReadable(try archive.bytes(), "segment \(position), bit \(bit)")
      }
    }
  }

  func testChangesWithValidChecksumsGiveErrorOrArchive() throws {
    let seed = RandomTrials.seed()
    var mutator = ArchiveMutator(seed: seed)
    let bytes = try fixture.bytes()
    for round in 0..<RandomTrials.count(usually: 200, exhaustively: 4_000) {
      assertErrorOrReadable(mutator.changed(bytes), "seed \(seed), round \(round)")
    }
  }

  private func assertErrorOrReadable(_ bytes: [UInt8], _ what: String) {
    if let claim = ArchiveClaims.violation(by: bytes) { XCTFail("\(what): \(claim)") }
  }
}
