import ArcRuntime
import XCTest

final class EncodingFlagsTests: XCTestCase {
  func testOneMaskTestsKindAndAttributeTogether() throws {
    let question: EncodingFlags = [.kindMask, .readOnly]
    let answer = EncodingFlags.readOnlyObject
    let flags = { (text: String) in try PropertyAttributes(parsing: text).flags }
    XCTAssertEqual(try flags(#"T@"N",N,R"#).intersection(question), answer)
    XCTAssertNotEqual(try flags(#"T@"N",N"#).intersection(question), answer)
    XCTAssertNotEqual(try flags("Tq,N,R").intersection(question), answer)
  }

  func testFlagsContainKindAndQualifiersOfEachType() throws {
    for (text, expected) in [
      ("v", [.init(kind: .void)]), ("c", [.init(kind: .int8)]), ("Q", [.init(kind: .uint64)]),
      ("L", [.init(kind: .unsignedLong)]), (" ", [.init(kind: .half)]), ("*", [.init(kind: .cString)]),
      ("@?", [.init(kind: .block)]), ("r*", [.init(kind: .cString), .const]),
      ("nNoORVA^i", [.init(kind: .pointer), .in, .inout, .out, .byCopy, .byReference, .oneWay, .atomic]),
      ("Ajf", [.init(kind: .float), .atomic, .complex]), ("r", [.const]),
      ("+i", [.init(kind: .int32), .register]),
      ("b3", [.init(kind: .bitField)]), ("$?q", [.init(kind: .optional)]), ("$[q]", [.init(kind: .list)]),
      ("$<q>", [.init(kind: .set)]), ("$<q:q>", [.init(kind: .dictionary)]),
      ("$(E)", [.init(kind: .enumeration)]),
      ("$~@", [.init(kind: .weak)]), ("{S}", [.init(kind: .structure)]), ("(S)", [.init(kind: .union)]),
    ] as [(String, EncodingFlags)] {
      XCTAssertEqual(EncodingFlags(describing: try TypeEncoding(parsing: text)), expected, text)
    }
    XCTAssertEqual(EncodingFlags(describing: .uncoded), [])
  }

  func testFlagBitsAreAtTheirDocumentedPositions() {
    XCTAssertEqual(EncodingFlags.kindMask.rawValue, 0x0000_0000_0000_00FF)
    XCTAssertEqual(EncodingFlags.qualifierMask.rawValue, 0x0000_0000_0007_FF00)
    XCTAssertEqual(EncodingFlags.propertyMask.rawValue, 0x0000_0FFF_0000_0000)
    let qualifiers: [EncodingFlags] = [
      .const, .in, .inout, .out, .byCopy, .byReference, .oneWay, .atomic, .complex, .register,
      .invisibleToCollector,
    ]
    XCTAssertEqual(qualifiers.map(\.rawValue), (8..<19).map { 1 << $0 })
    XCTAssertEqual(EncodingFlags(qualifiers), .qualifierMask)
    let attributes: [EncodingFlags] = [
      .readOnly, .copy, .retain, .nonatomic, .weak, .customGetter, .customSetter, .dynamic, .optional,
      .collectable, .oldStyleType, .stored,
    ]
    XCTAssertEqual(attributes.map(\.rawValue), (32..<44).map { 1 << $0 })
    XCTAssertEqual(EncodingFlags(attributes), .propertyMask)
    XCTAssertEqual(EncodingFlags.Kind.allCases.map(\.rawValue), Array(0...36))
  }

  func testUnknownKindIsReadAsNone() {
    XCTAssertEqual(EncodingFlags(rawValue: 0xFE).kind, .none)
    XCTAssertEqual(EncodingFlags(rawValue: 0xFFFF_FFFF_FFFF_FF12).kind, .object)
  }
}
