import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcForeign
@testable import ArcInspection

/// The samples in `Fixtures/keyed`, as their manifest lists them.
enum KeyedSamples {
  struct Sample: Decodable {
    let file: String
    let about: String
    let by: String
    /// The code of the error for a broken sample. Nil for a valid sample.
    let code: String?
  }

  static let folder = Repository.fixtures.appendingPathComponent("keyed")

  static func all() throws -> [Sample] {
    try String(contentsOf: folder.appendingPathComponent("manifest.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { try JSONDecoder().decode(Sample.self, from: Data($0.utf8)) }
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// Imports a property list. Returns the archive and the report.
  static func imported(
    _ bytes: [UInt8], limits: ArchiveLimits = .untrusted
  ) throws -> (archive: [UInt8], report: ImportReport) {
    var job = PropertyListImport(limits: limits)
    try job.add(bytes)
    return try job.finish()
  }

  /// Returns a binary property list of Foundation values, in which ``KeyedUID`` represents UIDs.
  static func archive(_ objects: [Any], top: [String: Any] = ["root": KeyedUID(1)]) -> [UInt8] {
    KeyedListWriter.bytes([
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$objects": objects, "$top": top,
    ])
  }

  static func classDescription(_ names: String...) -> [String: Any] {
    ["$classname": names[0], "$classes": names + ["NSObject"]]
  }
}

/// A UID in a sample that a test creates.
struct KeyedUID {
  let value: Int
  init(_ value: Int) { self.value = value }
}

/// A writer of binary property lists with UIDs, which Foundation cannot write.
enum KeyedListWriter {
  static func bytes(_ root: Any) -> [UInt8] {
    var objects: [[UInt8]] = []
    var places: [String: Int] = [:]
    _ = add(root, &objects, &places)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += big(offset, 4) }
    return bytes + [0, 0, 0, 0, 0, 0, 4, 4] + big(objects.count, 8) + big(0, 8) + big(table, 8)
  }

  private static func big(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x12] + big(count, 4)
  }

  private static func add(_ value: Any, _ objects: inout [[UInt8]], _ places: inout [String: Int]) -> Int {
    if let text = value as? String, let known = places[text] { return known }
    let index = objects.count
    objects.append([])
    switch value {
    case let uid as KeyedUID: objects[index] = [0x83] + big(uid.value, 4)
    case let flag as Bool: objects[index] = [flag ? 9 : 8]
    case let number as Int: objects[index] = [0x13] + big(number, 8)
    case let number as Double: objects[index] = [0x23] + big(Int(bitPattern: UInt(number.bitPattern)), 8)
    case let text as String:
      places[text] = index
      objects[index] = head(7, text.utf8.count) + Array(text.utf8)
    // An empty array also matches `[UInt8]`.
    case let data as [UInt8] where !data.isEmpty: objects[index] = head(4, data.count) + data
    case let list as [Any]:
      objects[index] = head(10, list.count) + list.flatMap { big(add($0, &objects, &places), 4) }
    case let dictionary as [String: Any]:
      let entries = dictionary.sorted { $0.key < $1.key }
      let keys = entries.flatMap { big(add($0.key, &objects, &places), 4) }
      let values = entries.flatMap { big(add($0.value, &objects, &places), 4) }
      objects[index] = head(13, entries.count) + keys + values
    default: XCTFail("\(type(of: value)) in a sample")
    }
    return index
  }
}
