import XCTest

@testable import DebianPackageGraph

final class RelationFieldTests: XCTestCase {
  func testGroupsAlternativesAndEveryPartAreRead() throws {
    let field = try RelationField(parsing: "a (>= 1.2) | b, c:any [amd64 !i386] <!nocheck cross> <stage1>")
    XCTAssertEqual(
      field.groups,
      [
        [
          PackageRelation(name: "a", constraint: VersionConstraint(.laterOrEqual, "1.2")),
          PackageRelation(name: "b"),
        ],
        [
          PackageRelation(
            name: "c", qualifier: "any", architectures: ["amd64", "!i386"],
            profiles: ["!nocheck cross", "stage1"])
        ],
      ])
  }

  func testPrintedFieldParsesToAnEqualField() throws {
    for text in [
      "libc6 (>= 2.36)", "a | b | c", "perl:any, dpkg (<< 1.15~)",
      "x (= 1:2.0+dfsg-1~bpo1), y (>> 3) [amd64]",
    ] {
      let field = try RelationField(parsing: text)
      XCTAssertEqual(field.description, text)
      XCTAssertEqual(try RelationField(parsing: field.description), field)
    }
  }

  func testWhitespaceIsOptionalAndMayContainNewlines() throws {
    XCTAssertEqual(
      try RelationField(parsing: " a(>=1)|b ,\n c ( << 2 ) ").description, "a (>= 1) | b, c (<< 2)")
  }

  func testObsoleteOperatorsMeanInclusiveOperators() throws {
    XCTAssertEqual(try RelationField(parsing: "a (< 1), b (> 2)").description, "a (<= 1), b (>= 2)")
  }

  func testEmptyGroupsAreOmitted() throws {
    XCTAssertEqual(try RelationField(parsing: "").groups, [])
    XCTAssertEqual(try RelationField(parsing: ",a,, b,").description, "a, b")
  }

  func testBrokenFieldsAreTypedErrorsWithTheirOffset() {
    let table: [(text: String, code: RelationError.Code, index: Int)] = [
      ("a | ", .missingName, 4), ("| a", .missingName, 0), ("a:", .missingQualifier, 2),
      ("a (1.2)", .unknownOperator, 3), ("a (=> 1)", .unknownOperator, 3), ("a (>= )", .missingVersion, 6),
      ("a (>= 1", .unclosedBracket, 7), ("a (>= 1 2)", .unexpectedByte, 8), ("a [amd64", .unclosedBracket, 8),
      ("a b", .unexpectedByte, 2), ("\u{E9}", .missingName, 0), ("a ${misc:Depends}", .unexpectedByte, 2),
    ]
    for row in table {
      XCTAssertThrowsError(try RelationField(parsing: row.text), row.text) { error in
        XCTAssertEqual(
          error as? RelationError, RelationError(code: row.code, text: row.text, index: row.index))
      }
    }
  }
}
