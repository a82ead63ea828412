import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcForeign

/// The import of a crafted file takes time and memory in proportion to its size, or throws an error that
/// names a limit.
final class ImportCostTests: XCTestCase {
  private func chain(_ count: Int) -> [UInt8] {
    let links = (0..<count).map { index -> [String: Any] in
      ["$class": KeyedUID(count + 1), "next": KeyedUID(index < count - 1 ? index + 2 : 0), "value": index]
    }
    return KeyedSamples.archive(["$null"] + links + [KeyedSamples.classDescription("Link")])
  }

  func testChainNeedsNoStack() throws {
    let count = RandomTrials.size(usually: 5_000, exhaustively: 15_000)
    let bytes = chain(count)
    try onSmallStack {
      let archive = try KeyedSamples.imported(bytes).archive
      let file = try ArchiveFile(verifying: archive)
      XCTAssertEqual(file.rowCount, count + 1)
      // A child has a lower row number than the object that refers to it.
      let (last, next) = (ObjectID(rawValue: UInt32(count)), ObjectID(rawValue: UInt32(count - 1)))
      XCTAssertEqual(try file.object(last)["next"], .reference(next))
    }
  }

  func testNestingOfPropertyListsNeedsNoStack() throws {
    let depth = 30_000
    let xml =
      "<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    try onSmallStack {
      let archive = try KeyedSamples.imported(Array((xml + "</plist>").utf8)).archive
      XCTAssertEqual(try ArchiveFile(bytes: archive).rowCount, depth + 1)
    }
  }

  func testTimeGrowsLinearly() throws {
    let clock = ContinuousClock()
    func duration(_ bytes: [UInt8]) throws -> Duration {
      try (0..<4).map { _ in try clock.measure { _ = try KeyedSamples.imported(bytes) } }.min() ?? .zero
    }
    let (small, large) = (chain(500), chain(4_000))
    // There are eight times as many objects. Quadratic time would be 64 times as long.
    XCTAssertLessThan(try duration(large), try duration(small) * 30)
  }

  func testPathsOfASharingBombAreNotFollowed() throws {
    let (archive, report) = try KeyedSamples.imported(KeyedSamples.bytes("sharing.plist"))
    XCTAssertEqual(report.files[0].objectCount, 40)
    XCTAssertLessThan(archive.count, 1000)
  }

  func testRepeatedlyReferencedValueIsChargedPerCopy() throws {
    let text = String(repeating: "x", count: RandomTrials.size(usually: 10_000, exhaustively: 100_000))
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = RandomTrials.size(usually: 20 << 20, exhaustively: limits.rawBytes)
    let bytes = KeyedSamples.archive([
      "$null", ["$class": KeyedUID(3), "NS.objects": [KeyedUID](repeating: KeyedUID(2), count: 3_000)], text,
      KeyedSamples.classDescription("NSArray"),
    ])
    XCTAssertThrowsError(try KeyedSamples.imported(bytes, limits: limits)) { error in
      XCTAssertEqual((error as? ImportError)?.code, .limitExceeded)
      XCTAssertTrue("\(error)".contains("rawBytes"), "\(error)")
    }
    XCTAssertNoThrow(try KeyedSamples.imported(bytes, limits: .default))
  }

  func testSharedBaseIsChargedForEachLink() throws {
    let base: [String: Any] = [
      "$class": KeyedUID(4), "NS.base": KeyedUID(0), "NS.relative": String(repeating: "x", count: 500_000),
    ]
    let url: [String: Any] = ["$class": KeyedUID(4), "NS.base": KeyedUID(2), "NS.relative": "a"]
    let list: [String: Any] = ["$class": KeyedUID(3), "NS.objects": (0..<2000).map { KeyedUID($0 + 5) }]
    let bytes = KeyedSamples.archive(
      ["$null", list, base, KeyedSamples.classDescription("NSArray"), KeyedSamples.classDescription("NSURL")]
        + [Any](repeating: url, count: 2000))
    XCTAssertEqual(assertThrows(ImportError.self) { try KeyedSamples.imported(bytes) }?.code, .limitExceeded)
  }

  func testLargeObjectAsSharedBaseIsReadOnce() throws {
    var base: [String: Any] = ["$class": KeyedUID(4)]
    for index in 0..<1500 { base["key\(index)"] = index }
    let url: [String: Any] = ["$class": KeyedUID(4), "NS.base": KeyedUID(2), "NS.relative": "a"]
    let count = RandomTrials.size(usually: 600, exhaustively: 3_000)
    let list: [String: Any] = ["$class": KeyedUID(3), "NS.objects": (0..<count).map { KeyedUID($0 + 5) }]
    let bytes = KeyedSamples.archive(
      ["$null", list, base, KeyedSamples.classDescription("NSArray"), KeyedSamples.classDescription("NSURL")]
        + [Any](repeating: url, count: count))
    let clock = ContinuousClock()
    let duration = try clock.measure { _ = try KeyedSamples.imported(bytes, limits: .default) }
    XCTAssertLessThan(duration, Duration.seconds(20) * count / 3_000)
  }

  private func refusal(_ body: () throws -> Any) -> ImportError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? ImportError
    }
  }

  func testNamesOfInnerObjectsAreChargedBeforehand() throws {
    let key = String(repeating: "k", count: 10_000)
    let members = (0..<2000).map { "\"\($0)\": {}" }.joined(separator: ", ")
    let text = Array("{\"\(key)\": {\(members)}}".utf8)
    let error = refusal {
      try TableImport.archive(of: TableSource(text, .jsonLines, className: "Row"), limits: .untrusted)
    }
    XCTAssertEqual(error?.code, .limitExceeded)
    XCTAssertTrue(error?.remedy?.contains("classTableBytes") ?? false, "\(String(describing: error))")
    // The same class in each row has one name.
    let rows = Array(repeating: "{\"\(key)\": {\"a\": {}}}", count: 500).joined(separator: "\n")
    XCTAssertNil(
      refusal {
        try TableImport.archive(
          of: TableSource(Array(rows.utf8), .jsonLines, className: "Row"), limits: .untrusted)
      })
  }

  /// Each source charges names, classes and rows before it creates them.
  func testLimitsOfNamesHoldForEachTableFormat() throws {
    let names = (0..<1500).map { "column\($0)" }
    let csv = names.joined(separator: ",") + "\n"
    let members = names.map { "\"\($0)\":0" }.joined(separator: ",")
    let objects = names.map { "\"\($0)\":{\"a\":{}}" }.joined(separator: ",")
    let files: [(text: String, format: TableFormat)] = [
      (csv, .csv), ("{\(members)}", .jsonLines), ("[{\(members)}]", .json), ("{\(objects)}", .jsonLines),
      ("{\(objects)}", .json),
    ]
    for (text, format) in files {
      func code(_ change: (inout ArchiveLimits) -> Void) -> ImportError? {
        var limits = ArchiveLimits.untrusted
        change(&limits)
        return refusal {
          try TableImport.archive(of: TableSource(Array(text.utf8), format, className: "Row"), limits: limits)
        }
      }
      XCTAssertTrue("\(code { $0.classTableBytes = 9_000 } as Any)".contains("classTableBytes"), "\(format)")
      XCTAssertTrue("\(code { $0.columnsPerClass = 1_000 } as Any)".contains("columnsPerClass"), "\(format)")
      XCTAssertEqual(code { $0.fileBytes = 5_000 }?.code, .limitExceeded)
      if text.contains(":{") {
        XCTAssertTrue("\(code { $0.classes = 1_000 } as Any)".contains("classes"), "\(format)")
        XCTAssertTrue("\(code { $0.rows = 1_000 } as Any)".contains("rows"), "\(format)")
      }
    }
    // A field takes more memory than its separator.
    let wide = Array(String(repeating: ",", count: 1_000_000).utf8)
    XCTAssertTrue(
      "\(refusal { try TableImport.archive(of: TableSource(wide, .csv, className: "A"), limits: .untrusted) } as Any)"
        .contains("columnsPerClass"))
    // All tables of an import share the limits.
    var limits = ArchiveLimits.untrusted
    limits.rows = 100
    let table = Array(("a\n" + String(repeating: "1\n", count: 60)).utf8)
    XCTAssertNil(
      refusal { try TableImport.archive(of: TableSource(table, .csv, className: "A"), limits: limits) })
    let error = refusal {
      try TableImport.archive(
        of: ["A", "B"].map { TableSource(table, .csv, className: $0) }, limits: limits)
    }
    XCTAssertTrue("\(error as Any)".contains("rows"), "\(error as Any)")
  }

  /// A key of 500 KB that encloses 20,000 objects.
  func testLongKeyIsNotCopiedPerObject() throws {
    let key = String(repeating: "k", count: 500_000)
    let inner = (0..<20_000).map { "\"\($0)\": {}" }.joined(separator: ", ")
    for (text, format) in [
      ("{\"\(key)\": {\(inner)}}", TableFormat.jsonLines), ("[{\"\(key)\": {\(inner)}}]", .json),
    ] {
      let error = refusal {
        try TableImport.archive(
          of: TableSource(Array(text.utf8), format, className: "Row"), limits: .untrusted)
      }
      XCTAssertEqual(error?.code, .limitExceeded)
    }
  }

  func testStringsAndElementsOfTablesAreCharged() throws {
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = 1000
    let long = String(repeating: "x", count: 2000)
    let error = refusal {
      try TableImport.archive(
        of: TableSource(Array("a\n\(long)\n".utf8), .csv, className: "Row"), limits: limits)
    }
    XCTAssertTrue(error?.remedy?.contains("rawBytes") ?? false, "\(String(describing: error))")
    XCTAssertEqual(
      refusal {
        try TableImport.archive(
          of: TableSource(Array("{\"a\": \"\(long)\"}".utf8), .jsonLines, className: "Row"), limits: limits)
      }?
      .code, .limitExceeded)
    limits = .untrusted
    limits.elements = 100
    let empty = "a,b\n" + String(repeating: ",\n", count: 200)
    XCTAssertEqual(
      refusal {
        try TableImport.archive(of: TableSource(Array(empty.utf8), .csv, className: "Row"), limits: limits)
      }?.code,
      .limitExceeded)
    let lists = "{\"a\": [" + Array(repeating: "[]", count: 200).joined(separator: ",") + "]}"
    XCTAssertEqual(
      refusal {
        try TableImport.archive(
          of: TableSource(Array(lists.utf8), .jsonLines, className: "Row"), limits: limits)
      }?.code,
      .limitExceeded)
    limits = .untrusted
    limits.rows = 10
    XCTAssertEqual(
      refusal {
        try TableImport.archive(of: TableSource(Array(empty.utf8), .csv, className: "Row"), limits: limits)
      }?.code,
      .limitExceeded)
  }

  func testNameSharedByClassDescriptionsCountsForEach() throws {
    let name = String(repeating: "N", count: 200_000)
    let list: [String: Any] = ["$class": KeyedUID(2), "NS.objects": (0..<2000).map { KeyedUID(2 * $0 + 3) }]
    let objects = (0..<2000).flatMap { index -> [Any] in
      [
        ["$class": KeyedUID(2 * index + 4)],
        ["$classname": name, "$classes": ["S\(index)"]] as [String: Any],
      ]
    }
    let bytes = KeyedSamples.archive(["$null", list, KeyedSamples.classDescription("NSArray")] + objects)
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = 16 << 20
    XCTAssertEqual(refusal { try KeyedSamples.imported(bytes, limits: limits) }?.code, .limitExceeded)
  }

  func testLongLineageOfClassesTakesProportionalMemory() throws {
    let count = 4000
    let names = (0..<count).map { "C\($0)" } + ["NSObject"]
    let description: [String: Any] = ["$classname": names[0], "$classes": names]
    let bytes = KeyedSamples.archive(["$null", ["$class": KeyedUID(2)], description])
    let file = try ArchiveFile(bytes: KeyedSamples.imported(bytes, limits: .default).archive)
    XCTAssertEqual(file.classes.count, count + 1)
  }

  func testDuplicateMembersOfALineAreRefused() throws {
    for text in ["{\"a\": 1, \"a\": 2}", "{\"o\": {\"b\": 1, \"c\": 0, \"b\": 2}}"] {
      let error = refusal {
        try TableImport.archive(
          of: TableSource(Array(text.utf8), .jsonLines, className: "Row"), limits: .untrusted)
      }
      XCTAssertNotNil(error, text)
      XCTAssertEqual(error?.code, .malformedTable)
    }
  }

  func testExceededLimitsAreNamed() throws {
    let bytes = chain(100)
    func refusal(_ change: (inout ArchiveLimits) -> Void) -> String? {
      var limits = ArchiveLimits.untrusted
      change(&limits)
      do {
        _ = try KeyedSamples.imported(bytes, limits: limits)
        return nil
      } catch let error as ImportError where error.code == .limitExceeded {
        return "\(error)"
      } catch {
        return nil
      }
    }
    XCTAssertTrue(refusal { $0.fileBytes = 1000 }?.contains("ArchiveLimits.fileBytes") ?? false)
    XCTAssertTrue(refusal { $0.rows = 100 }?.contains("ArchiveLimits.rows") ?? false)
    XCTAssertTrue(refusal { $0.classes = 1 }?.contains("ArchiveLimits.classes") ?? false)
    XCTAssertTrue(refusal { $0.columnsPerClass = 1 }?.contains("ArchiveLimits.columnsPerClass") ?? false)
    XCTAssertTrue(refusal { $0.elements = 100 }?.contains("ArchiveLimits.elements") ?? false)
    XCTAssertNil(refusal { $0.rows = 101 })
  }

  func testNumberOfRarelyUsedKeysIsLimited() throws {
    var limits = ArchiveLimits.untrusted
    limits.rawBytes = 100_000
    let objects = (0..<1000).map { index -> [String: Any] in
      ["$class": KeyedUID(2), "key\(index % 500)": index]
    }
    let list: [String: Any] = ["$class": KeyedUID(3), "NS.objects": (0..<1000).map { KeyedUID($0 + 4) }]
    let bytes = KeyedSamples.archive(
      ["$null", list, KeyedSamples.classDescription("Sparse"), KeyedSamples.classDescription("NSArray")]
        + objects)
    XCTAssertThrowsError(try KeyedSamples.imported(bytes, limits: limits)) { error in
      XCTAssertEqual((error as? ImportError)?.code, .limitExceeded)
    }
    XCTAssertNoThrow(try KeyedSamples.imported(bytes))
  }
}
