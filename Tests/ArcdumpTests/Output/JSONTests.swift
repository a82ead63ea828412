import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class JSONTests: XCTestCase {
  func testJSONTreeListsObjectsWithoutNesting() throws {
    let expected = #"""
      {
        "format":"arc",
        "version":"1.0",
        "roots":{"root":{"$ref":1},"scores":{"$dictionary":[["math",1],["art",-2]]}},
        "objects":[
          {"id":1,"class":"Person","properties":{"name":"Ada","age":36,"mother":{"$ref":3},
      "friends":[{"$ref":2},{"$ref":3}],"Biology.age":0.5,"intro":"first"}},
          {"id":2,"class":"Person","properties":{"name":"Bob","age":40,"mother":null,"friends":[{"$ref":1},
      {"$ref":3}],"Biology.age":{"$float":"nan"},"intro":null}},
          {"id":3,"class":"Person","properties":{"name":"Cleo","age":70,"mother":null,"friends":[],
      "Biology.age":-0.0,"intro":"a \"quoted\"\n\u001b[31m"}}
        ]
      }

      """#.replacingOccurrences(of: ",\n\"", with: ",\"").replacingOccurrences(of: ",\n{\"$", with: ",{\"$")
    XCTAssertEqual(try arcdump("--json", on: SampleArchives.family()), CommandResult(output: expected))
  }

  func testJSONContainsEveryKindOfValue() throws {
    let expected = #"""
      {"bool":true,"int32":-7,"uint64":{"$integer":"18446744073709551615"},
      "uint128":{"$integer":"340282366920938463463374607431768211455"},"float":0.1,"double":{"$float":"-inf"},
      "data":{"$data":"Aas="},"date":{"$date":"2026-11-22T00:26:40.25Z","seconds":817000000.25},
      "uuid":{"$uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"},"decimal":{"$decimal":"1.50"},
      "url":{"$url":"a/b","base":"https://example.org"},"none":null,"noObject":null,"set":{"$set":[1,2]},
      "empty":[],
      "point":{"$struct":"Point","fields":{"x":1.0,"y":2.5}},
      "shape":{"$enum":"Shape","case":"circle","payload":{"$struct":"?","fields":{"radius":3.0}}},
      "plain":{"$enum":"Shape","case":"none"},"nested":[[1],[]],
      "long":["word word word word word word word word ","word word word word word word word word "],
      "keys":{"$dictionary":[[{"$ref":2},5]]},
      "pair":{"$struct":"Pair","fields":{"owner":{"$ref":1},"link":{"$ref":2}}}}
      """#.replacingOccurrences(of: "\n", with: "")
    let lines = try arcdump("--json", on: SampleArchives.kinds()).output.split(separator: "\n")
    XCTAssertEqual(String(lines[5]), #"    {"id":1,"class":"Any","properties":"# + expected + "},")
  }

  func testJSONReportsObjectsOmittedByTheLimit() throws {
    XCTAssertEqual(
      try arcdump("--json", "--limit", "1", on: SampleArchives.chain(3)).output,
      #"""
      {
        "format":"arc",
        "version":"1.0",
        "roots":{"first":{"$ref":1}},
        "objects":[
          {"id":1,"class":"Node","properties":{"next":{"$ref":2}}}
        ],
        "leftOut":2
      }

      """#)
  }

  func testIntegersBeyondDoublePrecisionAreStrings() throws {
    XCTAssertEqual(try json(.integer(9_007_199_254_740_991)), "9007199254740991\n")
    XCTAssertEqual(try json(.integer(-9_007_199_254_740_991)), "-9007199254740991\n")
    XCTAssertEqual(try json(.integer(9_007_199_254_740_992)), "{\"$integer\":\"9007199254740992\"}\n")
    XCTAssertEqual(
      try json(.integer(.min)), "{\"$integer\":\"-170141183460469231731687303715884105728\"}\n")
  }

  func testFloatsAreWrittenExactly() throws {
    XCTAssertEqual(try json(.double(-0.0)), "-0.0\n")
    XCTAssertEqual(try json(.double(.leastNonzeroMagnitude)), "5e-324\n")
    XCTAssertEqual(try json(.float(16_777_216)), "16777216.0\n")
    XCTAssertEqual(
      try json(.double(Double(nan: 1, signaling: false))),
      "{\"$float\":\"nan\",\"bits\":\"7ff8000000000001\"}\n")
    XCTAssertEqual(try json(.float(-.nan)), "{\"$float\":\"nan\",\"bits\":\"ffc00000\"}\n")
    XCTAssertEqual(try json(.float(.nan)), "{\"$float\":\"nan\"}\n")
    XCTAssertEqual(try json(.date(.infinity)), "{\"$date\":null,\"seconds\":{\"$float\":\"inf\"}}\n")
  }

  func testBase64TextIsPadded() {
    XCTAssertEqual(
      (0...6).map { base64(Array("foobar".utf8.prefix($0))) },
      ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"])
  }

  func testJSONOutputOfEveryCommandIsValid() throws {
    let archives = try [SampleArchives.family(), SampleArchives.kinds(), SampleArchives.text("\u{9B}é😀")]
    for bytes in archives {
      for command in ["tree", "info", "classes", "verify"] {
        let output = try arcdump(command, "--json", on: bytes).output
        XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(output.utf8)), output)
      }
    }
  }

  func testEarlyErrorReplacesTheJSONDocument() throws {
    let result = try arcdump("info", "--json", on: Array("not an archive, but long enough to be one".utf8))
    XCTAssertEqual(result.status, .dataError)
    XCTAssertEqual(result.errors, "")
    XCTAssertEqual(
      result.output,
      #"{"error":{"code":"notAnArchive","byteOffset":0,"message":"notAnArchive: found a file that begins with the bytes "#
        + #"6E 6F 74 20 61 6E 20 61, expected the signature of an archive, 8A 41 52 43 0D 0A 1A 0A (byte 0); "#
        + #"open an .arc file; if an .arc file was transferred in text mode, transfer the file in binary mode"}}"#
        + "\n")
  }

  func testInvalidFixtureGivesAnErrorDocument() throws {
    let folder = Repository.fixtures.appendingPathComponent("invalid")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".arc")
    }
    XCTAssertGreaterThan(names.count, 80)
    for name in RandomTrials.sample(of: names, oneIn: 8) {
      let bytes = try Array(Data(contentsOf: folder.appendingPathComponent(name)))
      let result = try arcdump("--json", on: bytes)
      XCTAssertEqual(result.status, .dataError, name)
      let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      XCTAssertNotNil((parsed as? [String: Any])?["error"], name)
    }
  }

  func testLateErrorStillGivesAValidJSONDocument() throws {
    // The second segment of rows is damaged. The command writes the objects of the first segment before it
    // reads the second.
    let segmentByteCount = RandomTrials.size(usually: 1 << 17, exhaustively: 1 << 20)
    let dataByteCount = RandomTrials.size(usually: 1000, exhaustively: 8000)
    let builder = try RowWiseArchive(
      roots: [("one", #"@"Note""#)], segmentByteCount: segmentByteCount)
    let note = try builder.addClass("Note", properties: [("text", #"T@"NSData""#)])
    try builder.row(0, .reference(1))
    for _ in 0..<600 { try builder.row(note, .bytes(Array(repeating: 7, count: dataByteCount))) }
    var bytes = try builder.finish()
    let file = try ArchiveFile(bytes: bytes)
    let last = try XCTUnwrap(file.segments.last)
    XCTAssertGreaterThan(last.firstIndex, 1)
    bytes[last.byteOffset + 100] ^= 1
    let result = try arcdump("--json", on: bytes)
    XCTAssertEqual(result.status, .dataError)
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let document = try XCTUnwrap(parsed as? [String: Any])
    XCTAssertEqual((document["objects"] as? [Any])?.count, last.firstIndex - 1)
    let error = try XCTUnwrap(document["error"] as? [String: Any])
    XCTAssertEqual(error["code"] as? String, "damagedSegment")
    XCTAssertEqual(error["byteOffset"] as? Int, last.byteOffset)
  }

  func testJSONBeyondTheByteLimitThrows() throws {
    var output: [UInt8] = []
    let json = JSONOutput(output: Output { output += $0 }, byteLimit: 10)
    XCTAssertThrowsError(
      try json.array { for _ in 0..<9 { try json.value(.array([.string("long enough")])) } }
    ) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .limitExceeded)
    }
  }

  private func json(_ value: ArchiveValue) throws -> String {
    var bytes: [UInt8] = []
    let output = Output { bytes += $0 }
    let json = JSONOutput(output: output, byteLimit: .max)
    try json.array { try json.value(value) }
    try output.flush()
    let text = String(decoding: bytes, as: UTF8.self)
    return String(text.dropFirst().dropLast(2)) + "\n"
  }
}
