import Arc
import ArcJSON
import ArcModel
import XCTest

/// A strict reader calls `didRead` after it has read the whole text.
final class HookOrderTests: XCTestCase {
  func testFinishingHookRunsOnlyIfReadingSucceeds() throws {
    let good =
      #"{"number": 1, "inner": {"number": 2}, "list": [{"number": 3}], "box": {"by": {"number": 4}}}"#
    for reader in Self.readers {
      for bad in [
        #"{"number": "x"}"#, #"{"inner": {"number": []}}"#, #"{"list": [{"number": 5}, {"number": null}]}"#,
        #"{"box": {"by": {"number": 6}, "count": "y"}}"#, #"{"number": 7, "chosen": {"kind": 1}}"#, "5",
      ] {
        let log = HookLog()
        XCTAssertThrowsError(
          try reader(log).read([HookedRecord].self, from: "[\(good), \(bad)]"), bad)
        XCTAssertEqual(log.numbers, [], bad)
      }
    }
  }

  func testFinishingHookRunsFromLeavesToRoot() throws {
    let text =
      #"{"number": 1, "inner": {"number": 2}, "list": [{"number": 3}], "box": {"by": {"number": 4}}}"#
    for reader in Self.readers {
      let log = HookLog()
      _ = try reader(log).read(HookedRecord.self, from: text)
      XCTAssertEqual(log.numbers.last, 1)
      XCTAssertEqual(log.numbers.sorted(), [1, 2, 3, 4])
    }
  }

  func testFinishingHookRunsInAFixedOrder() throws {
    let text =
      #"{"number": 1, "box": {"by": {"number": 5}}, "list": [{"number": 2}], "inner": {"number": 7}}"#
    let reader = ModelReader()
    for _ in 0..<5 {
      let log = HookLog()
      var other = reader
      other.userInfo = [HookLog.key: log]
      _ = try other.read(HookedRecord.self, from: text)
      XCTAssertEqual(log.numbers, [5, 2, 7, 1])
    }
  }

  func testUpdateFailsIfANewObjectRefusesItself() throws {
    for reader in Self.readers {
      let (log, record) = (HookLog(), HookedRecord())
      record.number = 10
      XCTAssertThrowsError(
        try reader(log).update(record, from: #"{"number": 11, "list": [{"number": 3}, {"number": -1}]}"#))
      XCTAssertEqual(record.number, 10)
      XCTAssertEqual(record.list.count, 0)
    }
  }

  func testFinishingHookIgnoresObjectsOfFailedReads() throws {
    let (log, reader) = (HookLog(), ModelReader())
    var other = reader
    other.userInfo = [HookLog.key: log]
    for _ in 0..<3 {
      XCTAssertThrowsError(try other.read([HookedRecord].self, from: #"[{"number": 1}, {"number": "x"}]"#))
      _ = try other.read([HookedRecord].self, from: "[]")
    }
    XCTAssertEqual(log.numbers, [])
  }

  private static var readers: [(HookLog) -> ModelReader] {
    [
      { ModelReader(userInfo: [HookLog.key: $0]) },
      { ModelReader(unknownKeys: .reported, userInfo: [HookLog.key: $0]) },
      { ModelReader(references: .marked, userInfo: [HookLog.key: $0]) },
      { ModelReader(references: .identified, userInfo: [HookLog.key: $0]) },
    ]
  }
}

private final class HookLog: @unchecked Sendable {
  static let key = CodingUserInfoKey(rawValue: "log").unsafelyUnwrapped
  var numbers: [Int] = []
}

@Archivable private class HookedRecord: ModelFinishing {
  var number = 0
  var inner: HookedRecord?
  var list: [HookedRecord] = []
  var box: HookedBox?
  var chosen: HookedChoice?

  init() {}

  func didRead(in context: ArchiveContext) throws {
    (context.userInfo[HookLog.key] as? HookLog)?.numbers.append(number)
    if number < 0 { throw HookRefusal() }
  }
}

private struct HookRefusal: Error {}

@Archivable private struct HookedBox {
  var by: HookedRecord?
  var count = 0
}

@Archivable private final class HookedChoice: JSONClassChoosing {
  var kind = ""

  static func modelClass(for json: JSONNode, in context: ArchiveContext) throws -> (any Archivable.Type)? {
    nil
  }
}
