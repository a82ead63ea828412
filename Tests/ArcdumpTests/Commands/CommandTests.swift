import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class CommandTests: XCTestCase {
  func testFileWithWrongDirectoryIsShownWithAWarning() throws {
    let archives = try Repository.allArchives().filter { $0.name.hasPrefix("directory/") }
    let right = try XCTUnwrap(archives.first { $0.name == "directory/right.arc" }).bytes
    for arguments in [
      ["tree"], ["tree", "--json"], ["stats"], ["holders"], ["export", "--format", "jsonl"],
    ] {
      let command = try command(arguments)
      let expected = command.result { _, _ in right }
      XCTAssertEqual(expected.errors, "")
      for (name, bytes) in archives where name.firstMatch(of: /^directory\/Y[1-5]-/) != nil {
        let result = command.result { _, _ in bytes }
        XCTAssertEqual(result.status, .ok, name)
        if arguments != ["stats"] { XCTAssertEqual(result.output, expected.output, name) }
        XCTAssertTrue(
          result.errors.hasPrefix("arcdump: test.arc: warning: the chunk directory is wrong"), name)
        XCTAssertEqual(result.errors.split(separator: "\n").count, 1, name)
        XCTAssertEqual(try arcdump("verify", on: bytes).status, .dataError, name)
      }
    }
  }

  func testInfoCommandShowsTheSizeOfEachSegment() throws {
    let expected = """
      Arc archive, version 1.0, written by Arc 1.0, 569 bytes: 3 objects of 2 classes, 4 segments

      roots
        root    reference to Person
        scores  dictionary from strings to 64-bit signed integers

      classes
        class    objects
        Biology        0
        Person         3

      segments
        kind   offset  raw  stored    ratio  codec  what
        CLSS       32  297     297  100.0 %  none   3 new classes
        STRS      360   47      47  100.0 %  none   7 strings
        ROWS      440   89      89  100.0 %  none   rows 0 to 3
        LINK      560    6       6  100.0 %  none   weak references of rows 0 to 3
        total          439     439  100.0 %         and 273 bytes of header, index and trailer

      """
    let bytes = try SampleArchives.family()
    XCTAssertEqual(
      try arcdump("info", on: bytes),
      CommandResult(output: expected.replacingOccurrences(of: "569", with: "\(bytes.count)")))
  }

  func testInfoCommandNamesTheCompressionCodec() throws {
    let output = try arcdump("info", on: SampleArchives.circle(2000)).output
    XCTAssertTrue(output.contains(" zlib   rows 0 to 2,000\n"), output)
  }

  func testInfoCommandListsTheChunkDirectory() throws {
    let bytes = try XCTUnwrap(Repository.allArchives().first { $0.name == "directory/right.arc" }).bytes
    let output = try arcdump("info", on: bytes).output
    let line = try XCTUnwrap(output.split(separator: "\n").first { $0.contains("CDIR") }, output)
    XCTAssertTrue(
      line.hasSuffix("308     308  100.0 %  none   directory of the chunks of 3 segments"), "\(line)")
  }

  func testInfoNamesPointsForDecompression() throws {
    let bytes = try XCTUnwrap(Repository.allArchives().first { $0.name == "directory/points.arc" }).bytes
    let output = try arcdump("info", on: bytes).output
    let line = try XCTUnwrap(output.split(separator: "\n").first { $0.contains("ZPTS") }, output)
    XCTAssertTrue(
      line.hasSuffix("24      24  100.0 %  none   points for decompression of 4 segments"), "\(line)")
  }

  func testClassesCommandShowsHierarchyAttributesAndTypes() throws {
    let expected = """
      Biology (0 objects)
        age    Td,N,V_age                64-bit floating-point number, ivar _age
        intro  T$?@"NSString",N,V_intro  optional string, ivar _intro
        Person: Biology (3 objects)
          name     T@"NSString",N,R,V_name    readonly, string, ivar _name
          age      Tq,N,V_age                 64-bit signed integer, ivar _age
          mother   T@"Person",N,W,V_mother    weak reference to Person, ivar _mother
          friends  T$[@"Person"],N,V_friends  array of Person references, ivar _friends

      """
    XCTAssertEqual(try arcdump("classes", on: SampleArchives.family()), CommandResult(output: expected))
  }

  func testClassesCommandDescribesFlagsInWords() throws {
    let builder = try RowWiseArchive(roots: [])
    try builder.addClass("Bag", properties: [("k", "Tq,N")], flags: .keyed)
    try builder.addClass("Leaf", properties: [("owner", #"T@"Bag",N,R"#)], flags: .construction)
    try builder.row(0)
    XCTAssertEqual(
      try arcdump("classes", on: builder.finish()).output,
      """
      Bag (0 objects)
        k  Tq,N  64-bit signed integer; hand-written coder, may be absent
      Leaf (0 objects)
        owner  T@"Bag",N,R  readonly, reference to Bag; needed to construct the object

      """)
  }

  func testClassesCommandCanWriteJSON() throws {
    let builder = try RowWiseArchive(roots: [])
    let base = try builder.addClass("Base", properties: [("k", "Tq,N")], flags: .keyed)
    try builder.addClass("Leaf", superclass: base, properties: [])
    try builder.row(0)
    XCTAssertEqual(
      try arcdump("classes", "--json", on: builder.finish()).output,
      #"""
      {
        "format":"arc",
        "version":"1.0",
        "classes":[
          {"name":"Base","version":0,"objects":0,"properties":[{"key":"k","attributes":"Tq,N",\#
      "meaning":"64-bit signed integer","construction":false,"keyed":true}]},
          {"name":"Leaf","superclass":"Base","version":0,"objects":0,"properties":[]}
        ]
      }

      """#)
  }

  func testVerifyCommandReportsAnIntactFile() throws {
    let bytes = try SampleArchives.family()
    XCTAssertEqual(
      try arcdump("verify", on: bytes),
      CommandResult(output: "ok: 3 objects, 2 classes, 4 segments, \(bytes.count) bytes\n"))
    XCTAssertEqual(
      try arcdump("verify", "--json", on: bytes).output,
      """
      {
        "ok":true,
        "objects":3,
        "classes":2,
        "segments":4,
        "bytes":\(bytes.count)
      }

      """)
  }

  func testVerifyCommandFindsEveryFlippedBitAndTruncation() throws {
    let bytes = try SampleArchives.family(compression: .zlib)
    let verify = try command(["verify"])
    for bit in RandomTrials.sample(of: 0..<bytes.count * 8, oneIn: 8) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let result = verify.result { _, _ in damaged }
      XCTAssertEqual(result.status, .dataError, "bit \(bit)")
      XCTAssertEqual(result.output, "", "bit \(bit)")
    }
    for count in bytes.indices {
      let result = verify.result { _, _ in Array(bytes[..<count]) }
      XCTAssertEqual(result.status, .dataError, "\(count) bytes")
    }
  }

  func testCommandsReportDamageWithoutCrashing() throws {
    let bytes = try SampleArchives.family()
    let commands = try [["tree"], ["tree", "--json"], ["info"], ["classes"], ["classes", "--json"]]
      .map(command)
    for byte in RandomTrials.sample(of: bytes.indices, oneIn: 8) {
      var damaged = bytes
      damaged[byte] ^= 0x55
      for command in commands {
        let result = command.result { _, _ in damaged }
        if command.options.json {
          XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(result.output.utf8)), "byte \(byte)")
        } else {
          XCTAssertEqual(result.status == .ok, result.errors.isEmpty, "byte \(byte)")
        }
      }
    }
  }

  func testFileWithManyRowsNeedsTheTrustOption() throws {
    let builder = try RowWiseArchive(roots: [])
    let empty = try builder.addClass("Empty", properties: [])
    try builder.row(0)
    for _ in 0..<ArchiveLimits.untrusted.rows { try builder.row(empty) }
    let bytes = try builder.finish()
    let result = try arcdump("info", on: bytes)
    XCTAssertEqual(result.status, .dataError)
    XCTAssertTrue(result.errors.contains("ArchiveLimits.rows"), result.errors)
    XCTAssertTrue(result.errors.hasSuffix("(in arcdump: pass --trust)\n"), result.errors)
    XCTAssertEqual(try arcdump("info", "--trust", on: bytes).status, .ok)
  }

  func testUnreadableFileGivesAnInputErrorExitCode() throws {
    let failure = InputFailure(number: 2)
    XCTAssertEqual(
      try command(["tree"]).result { _, _ in throw failure },
      CommandResult(output: "", errors: "arcdump: test.arc: No such file or directory\n", status: .noInput))
    XCTAssertEqual(
      try command(["tree", "--json"]).result { _, _ in throw failure },
      CommandResult(
        output: #"{"error":{"code":"fileSystem","message":"No such file or directory"}}"# + "\n",
        status: .noInput))
  }
}
