import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Recovery of archives that contain segments of kinds that this version of Arc does not know: each damage
/// that can be recovered, with each kind of additional segment at each position.
final class UnknownSegmentTests: XCTestCase {
  private typealias Segment = HandMadeArchive.Segment

  /// A change of the bytes of a file, which must not damage the additional segments.
  private struct Damage {
    let name: String
    let change: (inout [UInt8], ArchiveFile) -> Void

    /// Changes a bit of the first segment of a kind.
    static func of(_ kind: SegmentInfo.Kind) -> Damage {
      Damage(name: kind.rawValue) { bytes, file in
        guard let info = file.segments.first(where: { $0.kind == kind }) else { return }
        bytes[info.byteOffset + 24] ^= 1
      }
    }
  }

  private let damages: [Damage] = [
    Damage(name: "none") { _, _ in }, .of(.rows), .of(.strings), .of(.metadata), .of(.weakColumns),
    Damage(name: "trailer") { bytes, _ in bytes[bytes.count - 20] ^= 1 },
    Damage(name: "no index") { bytes, file in
      bytes.removeLast(bytes.count - (file.segments.last?.endOffset ?? 0))
    },
  ]

  /// The additional segments: each name, the segments, and whether a copy is permitted.
  private let additions: [(name: String, segment: Segment, isSafe: Bool)] = [
    ("safe", Segment(kind: "xnot", raw: Array("safe".utf8), first: 3, count: 5, flags: 1), true),
    ("safe and assigned", Segment(kind: "NOTe", raw: [], flags: 1), true),
    (
      "safe and compressed",
      Segment(kind: "xABc", raw: [UInt8](repeating: 7, count: 900), flags: 1, isCompressed: true), true
    ),
    ("not safe", Segment(kind: "xABC", raw: Array("rows".utf8), flags: 1), false),
    ("a digit", Segment(kind: "xAB1", raw: [1], flags: 1), false),
    ("not printable", Segment(kind: "x\u{1}\u{2}\u{3}", raw: [1], flags: 1), false),
  ]

  private func archive() throws -> HandMadeArchive {
    let builder = try ArchiveBuilder(roots: [.init("first", type: #"@"Node""#)], metadata: ["by": "test"])
    try builder.addClass(
      "Node",
      properties: [
        .init("name", type: #"@"NSString""#), .init("next", type: #"@"Node""#),
        .init("back", attributes: #"T@"Node",W"#),
      ])
    let ids = try (0..<3).map { _ in try builder.reserveObject(ofClass: "Node") }
    try builder.setRoots(["first": .reference(ids[0])])
    for (position, id) in ids.enumerated() {
      try builder.setValues(
        [
          "name": .string("a name that all nodes share"), "next": .reference(ids[(position + 1) % 3]),
          "back": .reference(ids[0]),
        ], of: id)
    }
    return try HandMadeArchive(takingApart: builder.finish())
  }

  func testEachDamageKeepsSafeSegmentsAndNamesOthers() throws {
    let archive = try archive()
    XCTAssertEqual(Set(archive.segments.map(\.kind)), ["META", "CLSS", "STRS", "ROWS", "LINK"])
    for damage in damages {
      for addition in additions {
        for position in 0...archive.segments.count {
          let what = "\(damage.name), \(addition.name), position \(position)"
          var made = archive
          made.segments.insert(addition.segment, at: position)
          var bytes = try made.bytes()
          damage.change(&bytes, try ArchiveFile(bytes: bytes))
          let recovery: ArchiveRecovery
          do { recovery = try ArchiveRecovery(bytes: bytes) } catch {
            XCTFail("\(what): \(error)")
            continue
          }
          let file = try ArchiveFile(verifying: recovery.archive())
          let copies = file.segments.filter { $0.kind == nil }
          XCTAssertEqual(copies.map(\.codeText), addition.isSafe ? [addition.segment.kind] : [], what)
          XCTAssertEqual(recovery.losses.unknownSegmentCount, addition.isSafe ? 0 : 1, what)
          let name = try XCTUnwrap(ArchiveFile(bytes: made.bytes()).segments[position].codeText)
          XCTAssertEqual(
            recovery.segments.contains { !$0.isIntact && $0.info.codeText == name }, !addition.isSafe, what)
          if damage.name != "none" || !addition.isSafe {
            XCTAssertFalse(recovery.losses.isEmpty && damage.name != "trailer", what)
          } else {
            XCTAssertTrue(recovery.losses.isEmpty, what)
          }
          guard addition.isSafe, let copy = copies.first else { continue }
          let again = try HandMadeArchive(takingApart: recovery.archive()).segments.first {
            $0.kind == addition.segment.kind
          }
          XCTAssertEqual(again?.raw, addition.segment.raw, what)
          // A file without an index does not contain these numbers.
          if damage.name != "no index" {
            XCTAssertEqual(
              [copy.firstIndex, copy.count], [addition.segment.first, addition.segment.count], what)
          }
        }
      }
    }
  }

  func testSegmentsKeepTheirOrder() throws {
    var made = try archive()
    made.segments.insert(Segment(kind: "xtwo", raw: [2], flags: 1), at: 3)
    made.segments.insert(Segment(kind: "xone", raw: [1], flags: 1), at: 0)
    made.segments.append(Segment(kind: "xtwo", raw: [3], flags: 1))
    let file = try ArchiveFile(bytes: ArchiveRecovery(bytes: made.bytes()).archive())
    XCTAssertEqual(file.segments.filter { $0.kind == nil }.map(\.codeText), ["xone", "xtwo", "xtwo"])
  }

  func testDamagedSafeSegmentIsNamed() throws {
    var made = try archive()
    made.segments.append(Segment(kind: "xnot", raw: Array("damaged".utf8), flags: 1))
    var bytes = try made.bytes()
    let info = try XCTUnwrap(ArchiveFile(bytes: bytes).segments.last)
    bytes[info.byteOffset + 24] ^= 1
    let recovery = try ArchiveRecovery(bytes: bytes)
    XCTAssertEqual(recovery.losses.unknownSegmentCount, 1)
    XCTAssertEqual(recovery.losses.byteRanges, [info.byteOffset..<info.endOffset])
    XCTAssertEqual(recovery.segments.filter { !$0.isIntact }.map(\.info.codeText), ["xnot"])
  }
}
