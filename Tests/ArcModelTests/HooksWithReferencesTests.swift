import Arc
import ArcJSON
import ArcModel
import XCTest

/// Hooks, unknown members and custom formats with each option for references.
final class HooksWithReferencesTests: XCTestCase {
  private static let kinds: [ModelReferences] = [[], .marked, .identified, [.marked, .identified]]

  func testHooksRunInEachReferenceMode() throws {
    let key = try XCTUnwrap(CodingUserInfoKey(rawValue: "factor"))
    for kind in Self.kinds {
      let reader = ModelReader(references: kind, userInfo: [key: 10])
      let text = #"{"plain": {"count": 1}, "hooked": {"id": 7, "count": 2}}"#
      let box = try reader.read(HookedBox.self, from: text)
      XCTAssertEqual(box.plain.count, 10, "\(kind)")
      XCTAssertEqual(box.hooked.count, 20, "\(kind)")
      let writer = ModelWriter(references: kind, userInfo: [key: 3])
      for _ in 1...2 {
        let members = try writer.value(of: box)
        XCTAssertEqual(members["hooked"]?["seen"], .number(JSONNumber(3)), "\(kind)")
        XCTAssertEqual(members["plain"]?["seen"], .number(JSONNumber(3)), "\(kind)")
      }
    }
  }

  func testUnknownMembersAndFormatsSurviveEachReferenceMode() throws {
    let text = #"{"id":1,"size":"<4>","note":"kept","more":[1,2]}"#
    for kind in Self.kinds {
      let reader = ModelReader(references: kind, unknownKeys: .preserved)
      let card = try reader.read(PreservingCard.self, from: text)
      XCTAssertEqual(card.size, 4, "\(kind)")
      XCTAssertEqual(try ModelWriter(references: kind).text(of: card), text, "\(kind)")
      XCTAssertEqual(
        try ModelWriter(references: kind).text(of: [card, PreservingCard()]),
        "[\(text),{\"id\":0,\"size\":\"<0>\"}]", "\(kind)")
    }
  }
}

@Archivable private final class HookedBox {
  var plain = HookedValue()
  var hooked = HookedEntity()
}

@Archivable private class HookedValue: ModelFinishing, JSONPostprocessing {
  var count = 0

  func didRead(in context: ArchiveContext) throws { count *= factor(context) }
  func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws {
    object["seen"] = .number(JSONNumber(factor(context)))
  }

  private func factor(_ context: ArchiveContext) -> Int {
    CodingUserInfoKey(rawValue: "factor").flatMap { context.userInfo[$0] as? Int } ?? 0
  }
}

@Archivable private final class HookedEntity: HookedValue, ModelIdentifiable {
  var id = 0
  static var identifyingProperties: [String] { ["id"] }
}

@Archivable private final class PreservingCard: UnknownMemberPreserving, ModelIdentifiable {
  var id = 0
  @JSONFormat(.custom(read: Brackets.read, write: Brackets.write))
  var size = 0
  @Transient var unknownMembers = JSONObject()
  static var identifyingProperties: [String] { ["id"] }
}

/// A number as text in brackets: `"<4>"`.
private enum Brackets {
  static func read(_ value: JSONValue) -> JSONValue {
    guard case .string(let text) = value else { return value }
    return .number(JSONNumber(Int(text.dropFirst().dropLast()) ?? 0))
  }

  static func write(_ value: JSONValue) -> JSONValue {
    guard case .number(let number) = value else { return value }
    return .string("<\(number)>")
  }
}
