import ArcRuntime
import XCTest

final class ObjectiveCEncodingTests: XCTestCase {
  func testFirstMatchingEncodingKindIsUsed() throws {
    for (text, kind) in [
      ("", .type), ("i", .type), ("T", .type), ("{S=i}", .type), ("^?", .type),
      ("Ti", .property), ("T,N", .property), ("Ti,R,V_x", .property), ("N,Ti", .property),
      ("T@\"NSString\",C,N,V_name", .property), ("TT,N", .property), ("T{pair<int, double>=id},N", .property),
      ("v16@0:8", .method), ("T16@0:8", .method), ("16@0:8", .method), ("v@:", .method), ("v@?", .method),
      ("q8@?0", .method), ("@\"NSString\"16@0:8", .method),
    ] as [(String, ObjectiveCEncoding.Kind)] {
      let parsed = try ObjectiveCEncoding(parsing: text)
      XCTAssertEqual(parsed.kind, kind, text)
      XCTAssertEqual(parsed.description, text)
      XCTAssertEqual(try ObjectiveCEncoding(parsing: text, as: kind), parsed)
    }
  }

  func testErrorForInvalidTextHasTheFurthestOffset() {
    for (text, index) in [
      ("{S=x}", 3), ("ii", 1), ("v24@0:8x16", 7), ("T{S=i,N", 5), ("R,C", 1), ("hello", 0), ("[4i", 0),
      ("T@\"NSString,C", 2), ("foo,bar", 3),
    ] {
      XCTAssertThrowsError(try ObjectiveCEncoding(parsing: text), text) { error in
        XCTAssertEqual((error as? TypeEncodingError)?.byteOffset, index, "\(error)")
      }
    }
  }

  func testFlagsAreAvailableForAllThreeEncodingKinds() throws {
    XCTAssertEqual(try ObjectiveCEncoding(parsing: "r^v").flags, [.init(kind: .pointer), .const])
    XCTAssertEqual(try ObjectiveCEncoding(parsing: "Vv16@0:8").flags, [.init(kind: .void), .oneWay])
    XCTAssertEqual(
      try ObjectiveCEncoding(parsing: "T@,R,N").flags.intersection([.kindMask, .readOnly]), .readOnlyObject)
  }
}
