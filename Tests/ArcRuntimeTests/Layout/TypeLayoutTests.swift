import ArcRuntime
import XCTest

final class TypeLayoutTests: XCTestCase {
  private func layout(_ text: String, _ target: TargetABI = .lp64) throws -> TypeLayout? {
    try TypeEncoding(parsing: text).layout(for: target)
  }

  func testScalarSizesMatchTheTarget() throws {
    for (text, sizes) in [
      // x86_64, arm64, i386, armv7, arm64_32, i686 Linux
      ("c", [1, 1, 1, 1, 1, 1]), ("B", [1, 1, 1, 1, 1, 1]), ("s", [2, 2, 2, 2, 2, 2]),
      ("i", [4, 4, 4, 4, 4, 4]), ("l", [4, 4, 4, 4, 4, 4]), ("q", [8, 8, 8, 8, 8, 8]),
      ("d", [8, 8, 8, 8, 8, 8]), ("D", [16, 8, 16, 8, 8, 12]), ("T", [16, 16, 16, 16, 16, 16]),
      ("@", [8, 8, 4, 4, 4, 4]), ("#", [8, 8, 4, 4, 4, 4]), (":", [8, 8, 4, 4, 4, 4]),
      ("*", [8, 8, 4, 4, 4, 4]), ("^v", [8, 8, 4, 4, 4, 4]), ("@?", [8, 8, 4, 4, 4, 4]),
      ("jf", [8, 8, 8, 8, 8, 8]), ("jD", [32, 16, 32, 16, 16, 24]), ("r^i", [8, 8, 4, 4, 4, 4]),
    ] as [(String, [UInt64])] {
      let targets: [TargetABI] = [
        .appleX86_64, .appleARM64, .appleI386, .appleARMv7, .appleARM64_32, .linuxI686,
      ]
      XCTAssertEqual(try targets.map { try layout(text, $0)?.size }, sizes, text)
    }
  }

  func testSomeTargetsAlignLongNumbersToFourBytes() throws {
    XCTAssertEqual(try layout("{S=cq}", .appleI386)?.size, 12)
    XCTAssertEqual(try layout("{S=cq}", .appleARMv7)?.size, 12)
    XCTAssertEqual(try layout("{S=cq}", .appleARMv7k)?.size, 16)
    XCTAssertEqual(try layout("q", .appleI386)?.alignment, 4)
    XCTAssertEqual(try layout("q", .appleI386)?.preferredAlignment, 8)
    XCTAssertEqual(try layout("[2jd]", .appleI386)?.preferredAlignment, 8)
    XCTAssertEqual(try layout("{S=q}", .appleI386)?.preferredAlignment, 4)
  }

  func testAtomicTypesRoundUpToPowersOfTwo() throws {
    XCTAssertEqual(try layout("Ajf").map { [$0.size, $0.alignment] }, [8, 8])
    XCTAssertEqual(try layout("A[3c]").map { [$0.size, $0.alignment] }, [4, 4])
    XCTAssertEqual(try layout("Ajd").map { [$0.size, $0.alignment] }, [16, 16])
    XCTAssertEqual(try layout("Ajd", .appleI386).map { [$0.size, $0.alignment] }, [16, 4])
    XCTAssertEqual(try layout("Aq", .appleI386).map { [$0.size, $0.alignment] }, [8, 8])
  }

  func testIncompleteTypesHaveNoLayout() throws {
    for text in [
      "", "[2]", "{S}", "(S)", "?", "{S=i{T}}", "[i]", "A{S}", "$[i]", "$?q", "$~@", "{S=[4]}", "^^",
    ]
    .dropLast() {
      XCTAssertNil(try layout(text), text)
    }
    XCTAssertEqual(try layout("^")?.size, 8, "what a pointer points to does not matter")
  }

  func testInexactLayoutsAreMarkedAsInexact() throws {
    for text in [" ", "v", "{S=}", "{S=b3}", "{S=i }", "b3", "[2{S=}]"] {
      XCTAssertEqual(try layout(text)?.isExact, false, text)
    }
    for text in ["{S=ci}", #"{S="a"b0i3"b"b3i5}"#, "{S=^{T}}", "b0i3"] {
      XCTAssertEqual(try layout(text)?.isExact, true, text)
    }
  }

  func testBitFieldsStayWithinUnitsOfTheirType() throws {
    let members = { (text: String) in
      try TypeEncoding(parsing: text).memberLayouts()?.map { [$0.bitOffset, $0.bitCount] }
    }
    XCTAssertEqual(try members("{S=b20b20}"), [[0, 20], [32, 20]])
    XCTAssertEqual(try members("{S=cb20b4}"), [[0, 8], [8, 20], [28, 4]])
    XCTAssertEqual(try members("{S=b3b0b3}"), [[0, 3], [32, 0], [32, 3]])
    XCTAssertEqual(try members(#"{S="a"b0c3"b"b8c6}"#), [[0, 3], [8, 6]])
    XCTAssertEqual(try layout(#"{S="a"b0c3"b"b8c6}"#)?.size, 2)
    XCTAssertEqual(try members("(U=b3d)"), [[0, 3], [0, 64]])
    XCTAssertEqual(try layout("(U=b3d)")?.size, 8)
  }

  func testHugeSizesDoNotOverflow() throws {
    XCTAssertEqual(try layout("[18446744073709551615c]")?.size, .max)
    for text in [
      "[18446744073709551615s]", "[4294967296[4294967296c]]", "j[18446744073709551615c]", "b65",
      "{S=i[18446744073709551615c]}", "{S=[4611686018427387904c]}", "b18446744073709551615",
      "{S=b0i18446744073709551615b4i18446744073709551615}", "{S=b18446744073709551615i3b0i3}",
    ] {
      _ = try layout(text)
      _ = try TypeEncoding(parsing: text).memberLayouts()
    }
    XCTAssertNil(try layout("[18446744073709551615s]"))
    XCTAssertNil(try layout("{S=[18446744073709551615c]c}"))
  }

  func testTypesNestedBeyondTheLimitHaveNoLayout() {
    let deep = (0..<1_000).reduce(TypeEncoding.scalar(.int)) { inner, _ in .array(count: 1, of: inner) }
    XCTAssertNil(deep.layout())
  }

  func testTargetIsFoundByItsTriple() {
    for (triple, target) in [
      ("x86_64-apple-macosx11.0", .appleX86_64), ("arm64-apple-ios17", .appleARM64),
      ("arm64e-apple-macosx", .appleARM64), ("arm64_32-apple-watchos6.0", .appleARM64_32),
      ("armv7k-apple-watchos5.0", .appleARMv7k), ("armv7-apple-ios9.0", .appleARMv7),
      ("i386-apple-macosx10.14", .appleI386), ("i686-unknown-linux-gnu", .linuxI686),
      ("x86_64-unknown-linux-gnu", .linuxX86_64), ("aarch64-unknown-linux-gnu", .linuxARM64),
    ] as [(String, TargetABI)] {
      XCTAssertEqual(TargetABI(triple: triple), target, triple)
    }
    XCTAssertNil(TargetABI(triple: "pdp11-unknown-none"))
    XCTAssertNil(TargetABI(triple: ""))
  }
}
