import ArcTestSupport
import ArgumentParser
import Foundation
import XCTest

@testable import ArcInspection

final class EncodingCommandTests: XCTestCase {
  private func encoding(_ arguments: String..., input: String? = nil) throws -> CommandResult {
    try encoding(arguments, bytes: input.map { Array($0.utf8) })
  }

  private func encoding(_ arguments: [String], bytes: [UInt8]?) throws -> CommandResult {
    let parsed = try Arcdump.parseAsRoot(["encoding"] + arguments)
    let command = try XCTUnwrap(parsed as? EncodingCommand)
    return CommandResult(of: command.explain(with:), files: bytes.map { ["-": $0] } ?? [:])
  }

  private func objects(_ result: CommandResult) throws -> [[String: Any]] {
    try result.output.split(separator: "\n").map {
      try XCTUnwrap(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  func testEncodingsAreShownAsTreesWithOffsets() throws {
    let expected = """
      ^{CGRect="origin"{CGPoint=dd}"flags"b3"next"^{CGRect}}
        type: pointer to structure CGRect, 8 bytes, aligned to 8
          +0 origin structure CGPoint, 16 bytes, aligned to 8
            +0 64-bit floating-point number, 8 bytes, aligned to 8
            +8 64-bit floating-point number, 8 bytes, aligned to 8
          +16 flags 3-bit field
          +24 next pointer to structure CGRect, insides hidden, 8 bytes, aligned to 8

      """
    XCTAssertEqual(
      try encoding(#"^{CGRect="origin"{CGPoint=dd}"flags"b3"next"^{CGRect}}"#),
      CommandResult(output: expected))
  }

  func testPartsOfMethodsAndPropertiesAreShown() throws {
    XCTAssertEqual(
      try encoding(#"v28@0:8@"NSString"16i24"#, #"T@"NSString",R,GisX,Zz"#).output,
      """
      v28@0:8@"NSString"16i24
        method: frame of 28 bytes
          returns void
          +0 self object reference, 8 bytes, aligned to 8
          +8 _cmd selector, 8 bytes, aligned to 8
          +16 string, 8 bytes, aligned to 8
          +24 32-bit signed integer, 4 bytes, aligned to 4
      T@"NSString",R,GisX,Zz
        property: readonly, atomic, string, getter isX, unknown attribute Zz
          type string, 8 bytes, aligned to 8
          R readonly
          GisX getter
          Zz unknown

      """)
  }

  func testEncodingsAreReadFromLinesOfStandardInput() throws {
    let result = try encoding("--json-lines", input: "i\n\nTi,R\r\nv16@0:8")
    XCTAssertEqual(result.status, .ok)
    let objects = try objects(result)
    XCTAssertEqual(objects.map { $0["kind"] as? String }, ["type", "type", "property", "method"])
    XCTAssertEqual(objects.map { $0["normalized"] as? String }, ["i", "", "Ti,R", "v16@0:8"])
    XCTAssertEqual(objects.map { $0["size"] as? Int }, [4, nil, 4, 16])
    XCTAssertEqual(try encoding("--json-lines", input: ""), CommandResult(output: ""))
  }

  func testJSONDocumentContainsTheObjectsOfJSONLines() throws {
    let lines = try objects(encoding("--json-lines", "i", "{S=x}", "Ti,N"))
    let result = try encoding("--json", "i", "{S=x}", "Ti,N")
    let document = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [[String: Any]]])
    XCTAssertEqual(Array(document.keys), ["encodings"])
    XCTAssertEqual(document["encodings"]?.map { $0 as NSDictionary }, lines.map { $0 as NSDictionary })
    XCTAssertEqual(result.status, .dataError)
    XCTAssertThrowsError(try encoding("--json", "--json-lines", "i"))
    let missing = try encoding("--json")
    XCTAssertEqual(missing.status, .noInput)
    XCTAssertTrue(missing.output.contains(#""error":{"code":"fileSystem""#), missing.output)
  }

  func testJSONUsesTheDocumentedKeys() throws {
    let line = #"T{pair<int, double>=id},?,R,C,&,W,N,D,Gg,Ss:,V_v,Zx"#
    let object = try XCTUnwrap(try objects(try encoding("--json-lines", line)).first)
    XCTAssertEqual(object["kind"] as? String, "property")
    XCTAssertEqual(object["normalized"] as? String, line)
    XCTAssertEqual(object["type"] as? String, "{pair<int, double>=id}")
    XCTAssertEqual(object["size"] as? Int, 16)
    XCTAssertEqual(object["alignment"] as? Int, 8)
    for key in ["readonly", "copy", "retain", "weak", "nonatomic", "dynamic", "optional"] {
      XCTAssertEqual(object[key] as? Bool, true, key)
    }
    XCTAssertEqual(object["getter"] as? String, "g")
    XCTAssertEqual(object["setter"] as? String, "s:")
    XCTAssertEqual(object["ivar"] as? String, "_v")
    XCTAssertEqual(object["unknown"] as? [String], ["Zx"])
    let plain = try XCTUnwrap(try objects(try encoding("--json-lines", "Ti,N")).first)
    for key in ["getter", "setter", "ivar"] { XCTAssertTrue(plain[key] is NSNull, key) }
    for key in ["readonly", "copy", "retain", "weak", "dynamic"] {
      XCTAssertEqual(plain[key] as? Bool, false, key)
    }
  }

  func testTypeSizesDependOnTheTargetOption() throws {
    for (target, size) in [
      ("x86_64-apple-macosx11.0", 16), ("arm64-apple-ios", 8), ("i386-apple-macosx", 16),
    ] {
      let object = try XCTUnwrap(try objects(try encoding("--json-lines", "--target", target, "D")).first)
      XCTAssertEqual(object["size"] as? Int, size, target)
    }
    XCTAssertThrowsError(try encoding("--target", "vax", "i"))
  }

  func testKindOptionOverridesTheDetectedKind() throws {
    let kinds = ["type", "method", "property"].map { kind in
      try? objects(encoding("--json-lines", "--kind", kind, "T")).first?["kind"] as? String
    }
    XCTAssertEqual(kinds, ["type", "method", "property"])
    let forced = try encoding("--json-lines", "--kind", "type", "Ti,N")
    XCTAssertEqual(forced.status, .dataError)
    XCTAssertEqual(try objects(forced).first?["byteOffset"] as? Int, 1)
    XCTAssertThrowsError(try encoding("--kind", "nonsense", "i"))
  }

  func testInvalidEncodingsDoNotHideValidEncodings() throws {
    let json = try encoding("--json-lines", input: "{S=x}\ni\n[4i\n")
    XCTAssertEqual(json.status, .dataError)
    let objects = try objects(json)
    XCTAssertEqual(objects.map { $0["byteOffset"] as? Int }, [3, nil, 0])
    XCTAssertEqual(objects[0]["error"] as? String, "unknown type code 'x', expected a type code")
    XCTAssertEqual(objects[1]["kind"] as? String, "type")
    let text = try encoding("{S=x}", "i")
    XCTAssertEqual(text.status, .dataError)
    XCTAssertEqual(
      text.errors,
      "arcdump: unknown type code 'x', expected a type code, at byte 3\n  {S=x}\n     ^\n")
    XCTAssertTrue(text.output.hasPrefix("i\n"), text.output)
  }

  func testInvalidUTF8IsReportedWithItsOffset() throws {
    let result = try encoding(["--json-lines"], bytes: [0x5E, 0xFF, 0x69, 0x0A, 0x69, 0xC3])
    XCTAssertEqual(result.status, .dataError)
    XCTAssertEqual(try objects(result).map { $0["byteOffset"] as? Int }, [1, 1])
  }

  func testMissingInputHasItsOwnExitCode() throws {
    XCTAssertEqual(try encoding([], bytes: nil).status, .noInput)
  }

  func testTerminalEscapesAreNotPrinted() throws {
    for kind in ["type", "property", "method"] {
      let result = try encoding("--kind", kind, "{\u{1B}[31m\u{202E}=i}", "Ti,V\u{1B}[2J")
      XCTAssertFalse((result.output + result.errors).unicodeScalars.contains("\u{1B}"))
      XCTAssertFalse((result.output + result.errors).unicodeScalars.contains("\u{202E}"))
    }
  }

  func testNestedEncodingIsShownInLinearTime() throws {
    let deep = String(repeating: "{A=", count: 120) + "i" + String(repeating: "}", count: 120)
    XCTAssertEqual(try encoding(deep).status, .ok)
    let count = RandomTrials.size(usually: 20_000, exhaustively: 100_000)
    let wide = "{A=" + String(repeating: "i", count: count) + "}"
    XCTAssertEqual(try encoding("--json-lines", wide).status, .ok)
  }
}
