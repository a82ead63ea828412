import ArcRuntime
import XCTest

final class MethodTypeTests: XCTestCase {
  private func parts(_ text: String) throws -> [String] {
    let method = try MethodType(parsing: text)
    XCTAssertEqual(method.description, text)
    return [method.result.description, method.frameSize?.description ?? "-"]
      + method.arguments.flatMap { [$0.type.description, $0.offset?.description ?? "-"] }
  }

  func testMethodTypesAreParsedIntoTheirParts() throws {
    let method = try MethodType(parsing: #"Vv32@0:8rn*16O@"NSString"24"#)
    XCTAssertEqual(method.result, .qualified(.oneWay, .scalar(.void)))
    XCTAssertEqual(method.frameSize?.value, 32)
    XCTAssertEqual(method.arguments.map { $0.offset?.value }, [0, 8, 16, 24])
    XCTAssertEqual(method.explicitArguments.map(\.type.description), ["rn*", #"O@"NSString""#])
    XCTAssertTrue(method.isMethod)
    XCTAssertFalse(method.isBlock)
    let block = try MethodType(parsing: #"v28@?0i8@"NSString"12@?<v@?@>20"#)
    XCTAssertTrue(block.isBlock)
    XCTAssertEqual(block.explicitArguments.map(\.type.description), ["i", #"@"NSString""#, "@?<v@?@>"])
  }

  func testUnusualArgumentOffsetsAreParsed() throws {
    XCTAssertEqual(try parts("v@:"), ["v", "-", "@", "-", ":", "-"])
    XCTAssertEqual(try parts("v24@+0:+8@-16"), ["v", "24", "@", "+0", ":", "+8", "@", "-16"])
    XCTAssertEqual(try parts("v@0:4+8"), ["v", "-", "@", "0", ":", "4", "+", "8"])
    XCTAssertEqual(try parts("i8+i+0"), ["i", "8", "+i", "+0"])
    let register = try MethodType(parsing: "v8@+8").arguments[0].offset
    XCTAssertEqual(register?.value, 8)
    XCTAssertEqual(register?.isInRegister, true)
    XCTAssertNil(try MethodType(parsing: "v99999999999999999999@0").frameSize?.value)
  }

  func testArgumentsWithoutATypeCodeAreFound() throws {
    XCTAssertEqual(try parts("v36@0:816i32"), ["v", "36", "@", "0", ":", "8", "", "16", "i", "32"])
    XCTAssertEqual(
      try parts("v48@0:8Q1624Q40"), ["v", "48", "@", "0", ":", "8", "Q", "16", "", "24", "Q", "40"])
    XCTAssertEqual(try parts("^q36@0:8C1620"), ["^q", "36", "@", "0", ":", "8", "C", "16", "", "20"])
    XCTAssertEqual(try parts("v28@?04i20"), ["v", "28", "@?", "0", "", "4", "i", "20"])
    XCTAssertEqual(try parts("v24@?08"), ["v", "24", "@?", "0", "", "8"])
    XCTAssertEqual(
      try parts("76@0:8s1620jd36"), ["", "76", "@", "0", ":", "8", "s", "16", "", "20", "jd", "36"])
    XCTAssertEqual(
      try parts("v80@0:8163248@64"),
      ["v", "80", "@", "0", ":", "8", "", "16", "", "32", "", "48", "@", "64"])
    XCTAssertEqual(try parts("16@0:8"), ["", "16", "@", "0", ":", "8"])
    XCTAssertEqual(try parts("Vv20@0:4@812"), ["Vv", "20", "@", "0", ":", "4", "@", "8", "", "12"])
    XCTAssertEqual(try parts("v24@0:99@16"), ["v", "24", "@", "0", ":", "99", "@", "16"], "no place is 99")
  }

  func testArgumentOffsetsAreComputedLikeInClang() throws {
    let types = { (texts: [String]) in try texts.map { try TypeEncoding(parsing: $0) } }
    XCTAssertEqual(
      MethodType(
        result: .scalar(.int),
        arguments: try types([
          "@", ":", "[4i]", "^i", "{Odd=[3c]}", "c", "f", "c", "d", "{Big=Dc}", "s",
        ])
      ).description, "i91@0:8[4i]16^i24{Odd=[3c]}32c35f39c43d47{Big=Dc}55s87")
    XCTAssertEqual(
      MethodType.method(returning: .scalar(.void), try types(["@", "B", "AS"]), target: .appleI386)
        .description,
      "v18@0:4@8B12AS16")
    XCTAssertEqual(MethodType.block(returning: .scalar(.void), try types(["r*"])).description, "v16@?0r*8")
    XCTAssertEqual(
      MethodType.method(returning: .scalar(.void), try types(["{S}", "i"])).description, "v@0:8{S}16i")
    XCTAssertEqual(try MethodType(parsing: "v24@0:8@16").hasComputedOffsets(), true)
    XCTAssertEqual(try MethodType(parsing: "v24@0:8@17").hasComputedOffsets(), false)
    XCTAssertNil(try MethodType(parsing: "v24@0:8{S}16").hasComputedOffsets())
  }

  func testErrorForInvalidMethodTypeNamesItsOffset() {
    for (text, code, index) in [
      ("", .unknownTypeCode, 0), ("v24@0:8x16", .unknownTypeCode, 7), ("v24@0:8{S16", .unclosedBracket, 7),
      ("v24@0:8]16", .unknownTypeCode, 7), ("v-", .missingNumber, 2), ("v8,", .unknownTypeCode, 2),
      ("v24@0:8@\"N16", .unclosedQuote, 8),
    ] as [(String, TypeEncodingError.Code, Int)] {
      XCTAssertThrowsError(try MethodType(parsing: text), text) { error in
        XCTAssertEqual((error as? TypeEncodingError)?.code, code, text)
        XCTAssertEqual((error as? TypeEncodingError)?.byteOffset, index, text)
      }
    }
  }

  func testMethodsAreExplainedInWords() throws {
    for (text, words) in [
      (
        #"v24@0:8@"Person"16"#,
        "method taking reference to Person at 16 and returning void; frame of 24 bytes"
      ),
      ("q8@?0", "block returning 64-bit signed integer; frame of 8 bytes"),
      ("v@:", "method returning void"),
      (
        "v8i0f4",
        "function taking 32-bit signed integer at 0 and "
          + "32-bit floating-point number at 4 and returning void; frame of 8 bytes"
      ),
      ("v8@+8", "function taking object reference in register and returning void; frame of 8 bytes"),
    ] {
      XCTAssertEqual(try MethodType(parsing: text).explanation, words, text)
    }
  }
}
