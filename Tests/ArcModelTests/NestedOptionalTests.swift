import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// Optionals of optionals: a missing member is nil, and `null` is `.some(nil)`.
final class NestedOptionalTests: XCTestCase {
  func testNullInNestedOptionalBecomesTheInnermostNil() throws {
    for reader in Self.readers {
      let patch = try reader.read(
        Patch.self, from: #"{"name": null, "age": 5, "list": [null, 1], "point": null, "link": null}"#)
      XCTAssertEqual(patch.name, .some(nil))
      XCTAssertEqual(patch.age, .some(.some(5)))
      XCTAssertEqual(patch.list, [.some(nil), .some(.some(1))])
      XCTAssertEqual(patch.point, .some(nil))
      XCTAssertEqual(patch.link, .some(nil))
      XCTAssertEqual(patch.deep, nil)
      XCTAssertEqual(patch.plain, nil)
    }
  }

  func testMissingNestedOptionalBecomesTheOutermostNil() throws {
    for reader in Self.readers {
      let patch = try reader.read(Patch.self, from: #"{"plain": null, "box": {}, "deep": null}"#)
      XCTAssertEqual(patch.name, nil)
      XCTAssertEqual(patch.age, nil)
      XCTAssertEqual(patch.point, nil)
      XCTAssertEqual(patch.box.note, nil)
      XCTAssertEqual(patch.deep, .some(.some(nil)))
      let other = try reader.read(Patch.self, from: #"{"box": {"note": null}}"#)
      XCTAssertEqual(other.box.note, .some(nil))
    }
  }

  func testNullInNestedOptionalObjectBecomesInnermostNil() throws {
    for reader in Self.readers {
      let null = try reader.read(Patch.self, from: #"{"next": null}"#).next
      XCTAssertTrue(null.map { $0 == nil } ?? false)
      XCTAssertNil(try reader.read(Patch.self, from: "{}").next.map { $0 === nil })
      XCTAssertEqual(try reader.read(Patch.self, from: #"{"next": {"age": 4}}"#).next??.age, 4)
    }
    let patch = Patch()
    XCTAssertFalse(try ModelWriter(nulls: .written).text(of: patch).contains("next"))
    patch.next = .some(nil)
    XCTAssertTrue(try patch.json().contains(#""next":null"#))
  }

  func testUpdateDistinguishesNullFromAMissingMember() throws {
    for reader in Self.readers {
      let patch = Patch()
      (patch.name, patch.age) = ("x", 4)
      try reader.update(patch, from: #"{"name": null}"#)
      XCTAssertEqual(patch.name, .some(nil))
      XCTAssertEqual(patch.age, 4)
    }
  }

  func testWrittenNestedOptionalsAreReadBackEqual() throws {
    let names: [String??] = [nil, .some(nil), "x"]
    let writers = [ModelWriter(), ModelWriter(nulls: .written), ModelWriter(nulls: .omitted)]
    for (number, writer) in writers.enumerated() {
      for name in names {
        let patch = Patch()
        patch.name = name
        patch.box.note = name
        let text = try writer.text(of: patch)
        let read = try Patch(json: text)
        XCTAssertEqual(read.name, name, "\(number): \(text)")
        XCTAssertEqual(read.box.note, name, "\(number): \(text)")
      }
    }
  }

  func testNilOfAFormattedNestedOptionalIsWritten() throws {
    let writers = [
      ModelWriter(), ModelWriter(nulls: .written), ModelWriter(sortsKeys: true),
      ModelWriter(references: .marked),
    ]
    for (number, writer) in writers.enumerated() {
      for code in [nil, .some(nil), .some(.some(5))] as [Int??] {
        let patch = FormattedPatch()
        (patch.code, patch.box.code, patch.boxes) = (code, code, [FormattedBox(code: code)])
        let text = try writer.text(of: patch)
        XCTAssertEqual(try JSONValue(parsing: text), try writer.value(of: patch), "\(number)")
        for reader in Self.readers {
          let read = try reader.read(FormattedPatch.self, from: text)
          XCTAssertEqual(read.code, code, "\(number): \(text)")
          XCTAssertEqual(read.box.code, code, "\(number): \(text)")
          XCTAssertEqual(read.boxes.map(\.code), [code], "\(number): \(text)")
        }
      }
    }
    let patch = FormattedPatch()
    (patch.code, patch.plain) = (.some(nil), nil)
    XCTAssertEqual(try patch.json(), #"{"code":null,"box":{},"boxes":[]}"#)
    patch.code = .some(.some(5))
    XCTAssertEqual(try patch.json(), ##"{"code":"#5","box":{},"boxes":[]}"##)
    XCTAssertEqual(try ModelWriter(nulls: .omitted).text(of: patch), ##"{"code":"#5","box":{},"boxes":[]}"##)
  }

  private static let readers = [
    ModelReader(), ModelReader(.lenient), ModelReader(references: .marked),
    ModelReader(references: .identified),
    ModelReader(unknownKeys: .reported),
  ]
}

@Archivable private final class Patch {
  var name: String??
  var age: Int??
  var list: [Int??] = []
  var point: PatchPoint??
  var link: URL??
  var deep: Int???
  var plain: Int?
  var box = PatchBox()
  var next: Patch??

  init() {}
}

@Archivable private struct PatchPoint: Equatable { var x = 0 }

@Archivable private struct PatchBox { var note: String?? }

@Archivable private final class FormattedPatch {
  @JSONFormat(.custom(read: { try codeMember($0) }, write: { codeText($0) })) var code: Int??
  @JSONFormat(.custom(read: { try codeMember($0) }, write: { codeText($0) })) var plain: Int?
  var box = FormattedBox()
  var boxes: [FormattedBox] = []

  init() {}
}

@Archivable private struct FormattedBox {
  @JSONFormat(.custom(read: { try codeMember($0) }, write: { codeText($0) })) var code: Int??
}

private func codeMember(_ value: JSONValue) throws -> JSONValue {
  guard case .string(let text) = value else { return value }
  return try JSONValue(parsing: String(text.dropFirst()))
}

private func codeText(_ value: JSONValue) -> JSONValue { value == .null ? .null : .string("#\(value)") }
