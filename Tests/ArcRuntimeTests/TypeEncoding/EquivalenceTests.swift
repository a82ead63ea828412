import ArcRuntime
import XCTest

final class EquivalenceTests: XCTestCase {
  private func areEquivalent(
    _ a: String, _ b: String, _ leniency: TypeEncoding.Leniency = .standard
  ) throws -> Bool {
    let (first, second) = (try TypeEncoding(parsing: a), try TypeEncoding(parsing: b))
    let answer = first.isEquivalent(to: second, ignoring: leniency)
    XCTAssertEqual(second.isEquivalent(to: first, ignoring: leniency), answer, "the relation is symmetric")
    return answer
  }

  func testEachTypeDifferenceIsIgnoredOnlyOnRequest() throws {
    for (a, b, needed) in [
      (#"{P="x"d"y"d}"#, "{P=dd}", .memberNames), (#"{P="x"d}"#, #"{P="y"d}"#, .memberNames),
      ("{P}", "{P=dd}", .hiddenMembers), ("^{P=}", "^{P=i}", .hiddenMembers),
      ("(U)", "(U=i)", .hiddenMembers),
      ("@", #"@"NSString""#, .classNames), (#"@"<P>""#, #"@"NSString""#, .classNames),
      ("[2{S=@}]", #"[2{S=@"N"}]"#, .classNames), ("@?", "@?<v@?>", .blockSignatures),
      ("r^i", "^i", .qualifiers), ("^r@", "^@", .qualifiers), ("b3", "b32i3", .bitFieldForms),
    ] as [(String, String, TypeEncoding.Leniency)] {
      XCTAssertTrue(try areEquivalent(a, b, needed), "\(a) \(b)")
      XCTAssertFalse(try areEquivalent(a, b, TypeEncoding.Leniency.all.subtracting(needed)), "\(a) \(b)")
      XCTAssertFalse(try areEquivalent(a, b, []), "\(a) \(b)")
      XCTAssertNotEqual(try TypeEncoding(parsing: a), try TypeEncoding(parsing: b))
    }
  }

  func testDifferentTypesAreNeverEquivalent() throws {
    for (a, b) in [
      ("i", "I"), (#"@"A""#, #"@"B""#), ("{A=i}", "{B=i}"), ("{A=i}", "(A=i)"), ("{A=i}", "{A=ii}"),
      ("[2i]", "[3i]"), ("^i", "i"), ("Ai", "i"), ("jf", "f"), ("b3", "b4"), ("@", "#"), ("$?i", "i"),
      ("$(E=\"a\")", "$(E=\"b\")"), ("$<i:q>", "$<i:i>"), ("@?<v@?>", "@?<v@?i>"), ("", "i"),
    ] {
      XCTAssertFalse(try areEquivalent(a, b, .all), "\(a) \(b)")
      XCTAssertTrue(try areEquivalent(a, a, []), a)
    }
  }

  func testEqualEncodingsHaveEqualHashes() throws {
    for line in ["{S=\"a\"i}", "@?<v@?@>", "$[@\"Person\"]"] {
      let (a, b) = (try TypeEncoding(parsing: line), try TypeEncoding(parsing: line))
      XCTAssertEqual(a, b)
      XCTAssertEqual(a.hashValue, b.hashValue)
    }
  }
}
