import ArcRuntime
import XCTest

final class PropertyAttributesTests: XCTestCase {
  func testSwiftPropertyAttributesAreParsed() throws {
    let attributes = try PropertyAttributes(parsing: #"T@"NSString",N,C,V_name"#)
    XCTAssertEqual(attributes.type, .object(named: "NSString"))
    XCTAssertEqual(attributes.flags, [.init(kind: .object), .nonatomic, .copy, .stored])
    XCTAssertEqual(attributes.ivar, "_name")
    XCTAssertNil(attributes.getter)
    XCTAssertNil(attributes.setter)
    XCTAssertEqual(attributes.unknownAttributes, [])
  }

  func testArticleExamplesOfAttributesAreParsed() throws {
    let block = try PropertyAttributes(parsing: "T@?,C,N,V_block")
    XCTAssertEqual(block.type?.description, "@?")
    XCTAssertTrue(block.flags.isSuperset(of: [.copy, .nonatomic]))
    XCTAssertEqual(block.ivar, "_block")
    let structure = try PropertyAttributes(parsing: "T{YorkshireTeaStruct=ic},V_structDefault")
    XCTAssertEqual(structure.type?.description, "{YorkshireTeaStruct=ic}")
    XCTAssertTrue(structure.flags.isDisjoint(with: [.copy, .retain, .nonatomic, .readOnly, .weak, .dynamic]))
    XCTAssertEqual(structure.ivar, "_structDefault")
    let object = try PropertyAttributes(parsing: "T@,R,&,N,V_idReadonlyRetainNonatomic")
    XCTAssertEqual(object.type, .object(className: nil, protocols: []))
    XCTAssertTrue(object.flags.isSuperset(of: [.readOnly, .retain, .nonatomic]))
    XCTAssertEqual(object.ivar, "_idReadonlyRetainNonatomic")
    for text in ["Ti,R,GisIntReadOnlyGetter,V_intReadonlyGetter", "Ti,R,GisIntReadOnlyGetter"] {
      let number = try PropertyAttributes(parsing: text)
      XCTAssertEqual(number.type?.description, "i")
      XCTAssertTrue(number.flags.isSuperset(of: [.readOnly, .customGetter]))
      XCTAssertEqual(number.getter, "isIntReadOnlyGetter")
      XCTAssertEqual(number.description, text)
    }
  }

  func testBuiltAttributesAreWrittenInSwiftOrder() throws {
    for (type, flags, ivar, text) in [
      (#"@"NSString""#, [.nonatomic, .copy], "_name", #"T@"NSString",N,C,V_name"#),
      ("q", [.readOnly, .nonatomic], "id", "Tq,N,R,Vid"),
      (#"@"Person""#, [.weak, .nonatomic], "mother", #"T@"Person",N,W,Vmother"#),
      (
        "$[{pair<int, double>=id}]", [.nonatomic, .retain, .dynamic], nil, "T$[{pair<int, double>=id}],N,&,D"
      ),
      ("i", [.customGetter, .const, .init(kind: .union)], nil, "Ti"),
    ] as [(String, EncodingFlags, String?, String)] {
      let made = PropertyAttributes(type: try TypeEncoding(parsing: type), flags: flags, ivar: ivar)
      XCTAssertEqual(made.description, text)
      XCTAssertEqual(try PropertyAttributes(parsing: text), made)
    }
  }

  func testCompilerAttributesArePrintedByteForByte() throws {
    for text in Self.writtenByCompilers {
      XCTAssertEqual(Array(try PropertyAttributes(parsing: text).description.utf8), Array(text.utf8), text)
    }
  }

  func testUnusualAttributeStringsArePreserved() throws {
    for text in [
      "", ",", ",,,", "Ti,", ",Ti", "Ti,,N", "N", "V", "T", "T,V_v", #"Ti,"longname"value"#, #"Ti,"open"#,
      #"Ti,"""#,
      #"Ti,"T"x"#, "Ti,Zunknown", "Ti,é1", "Ti,e\u{301}", "Ti,Tq", "Ti,T{a,b", "Ti,P,toldStyle",
      #"TAi,V"quoted""#,
    ] {
      XCTAssertEqual(Array(try PropertyAttributes(parsing: text).description.utf8), Array(text.utf8), text)
    }
  }

  func testLettersInsideValuesAreNotReadAsAttributes() throws {
    let attributes = try PropertyAttributes(parsing: "Ti,GR,SC:,V_N")
    XCTAssertEqual(attributes.getter, "R")
    XCTAssertEqual(attributes.setter, "C:")
    XCTAssertEqual(attributes.ivar, "_N")
    XCTAssertEqual(attributes.flags, [.init(kind: .int32), .customGetter, .customSetter, .stored])
  }

  func testCommasInsideTheTypeAreNotSeparators() throws {
    let attributes = try PropertyAttributes(parsing: "T{pair<int, double>=id},N,V_p")
    XCTAssertEqual(attributes.type?.description, "{pair<int, double>=id}")
    XCTAssertEqual(attributes.ivar, "_p")
    // The `<` matches the `>` of a later value, so the type of the grammar contains the comma.
    let cut = try PropertyAttributes(parsing: "T{A<},V_p>")
    XCTAssertEqual(cut.type, .structure(name: "A<", fields: nil))
    XCTAssertEqual(cut.ivar, "_p>")
  }

  func testFirstOfRepeatedAttributesIsUsed() throws {
    let attributes = try PropertyAttributes(parsing: "Ti,Va,Vb,Tq")
    XCTAssertEqual(attributes.type, .scalar(.int))
    XCTAssertEqual(attributes.ivar, "a")
    XCTAssertEqual(try PropertyAttributes(parsing: "T,Ti").type, .uncoded)
    XCTAssertNil(try PropertyAttributes(parsing: "N,V_v").type)
  }

  func testUnknownAttributesAreListedInOrder() throws {
    let attributes = try PropertyAttributes(parsing: #"Ti,Zx,N,"long"y,,"open,V_v"#)
    XCTAssertEqual(attributes.unknownAttributes.map(\.name), ["Z", "long", "open"])
    XCTAssertEqual(attributes.unknownAttributes.map(\.value), ["x", "y", ""])
    XCTAssertEqual(attributes.unknownAttributes.map(\.description), ["Zx", #""long"y"#, #""open"#])
  }

  func testErrorForInvalidPropertyTypeNamesItsOffset() {
    for (text, code, index) in [
      ("N,Tx", .unknownTypeCode, 3), ("Tix,N", .trailingText, 2), ("T{S=i,N", .unexpectedCharacter, 5),
      ("T@\"N,N", .unclosedQuote, 2),
    ] as [(String, TypeEncodingError.Code, Int)] {
      XCTAssertThrowsError(try PropertyAttributes(parsing: text), text) { error in
        guard let error = error as? TypeEncodingError else { return XCTFail("\(error)") }
        XCTAssertEqual(error.code, code, text)
        XCTAssertEqual(error.byteOffset, index, text)
        XCTAssertEqual(error.text, text)
      }
    }
  }

  func testAttributesAreExplainedInWords() throws {
    for (text, words) in [
      (#"T@"Person",N,R,W,V_mother"#, "readonly, weak reference to Person, ivar _mother"),
      (#"T@"NSString",N,C,V_name"#, "copied string, ivar _name"),
      ("T$[@\"Person\"],N,Vfriends", "array of Person references, ivar friends"),
      ("Ti,R,GisX,V_x", "readonly, atomic, 32-bit signed integer, getter isX, ivar _x"),
      ("T@?,?,&,D,N,Sput:", "strong block, dynamic, optional in its protocol, setter put:"),
      ("T,N,Zx", "no type code, unknown attribute Zx"),
    ] {
      XCTAssertEqual(try PropertyAttributes(parsing: text).explanation, words, text)
    }
  }

  func testEffectiveSelectorsFollowObjectiveCRules() throws {
    for (text, name, getter, setter) in [
      ("Ti,N", "age", "age", "setAge:"), ("TB,GisOpen", "open", "isOpen", "setOpen:"),
      ("Ti,Sput:", "x", "x", "put:"), ("Ti,R", "x", "x", nil), ("Ti,R,Sput:", "x", "x", nil),
      ("Ti", "URL", "URL", "setURL:"), ("Ti", "_x", "_x", "set_x:"), ("Ti", "größe", "größe", "setGröße:"),
      ("Ti", "öl", "öl", "setöl:"), ("Ti,GR,SC:", "x", "R", "C:"),
    ] as [(String, String, String, String?)] {
      let attributes = try PropertyAttributes(parsing: text)
      XCTAssertEqual(attributes.getterSelector(forProperty: name), getter, text)
      XCTAssertEqual(attributes.setterSelector(forProperty: name), setter, text)
    }
  }

  func testEveryAttributeLetterRoundTripsInClangOrder() throws {
    let text = "Ti,?,R,C,&,W,D,N,P,Gg,Ss:,V_v"
    let attributes = try PropertyAttributes(parsing: text)
    XCTAssertEqual(
      [
        attributes.isOptional, attributes.isReadOnly, attributes.isCopied, attributes.isRetained,
        attributes.isWeak, attributes.isDynamic, attributes.isNonatomic, attributes.isCollectable,
      ], [Bool](repeating: true, count: 8))
    let made = PropertyAttributes(
      type: .scalar(.int), flags: attributes.flags, getter: "g", setter: "s:", ivar: "_v", order: .clang)
    XCTAssertEqual(made.description, text)
    XCTAssertEqual(made, attributes)
    XCTAssertEqual(try PropertyAttributes(parsing: "Ti,t^i").oldStyleType, "^i")
  }

  func testUnknownAttributesAreWrittenAsByTheRuntime() throws {
    let others: [PropertyAttributes.Attribute] = [
      .init(name: "X", value: "1"), .init(name: "swift_type", value: "Int"), .init(name: "é", value: ""),
    ]
    let made = PropertyAttributes(type: .scalar(.longLong), flags: .nonatomic, others: others)
    XCTAssertEqual(made.description, #"Tq,N,X1,"swift_type"Int,é"#)
    XCTAssertEqual(try PropertyAttributes(parsing: made.description), made)
    XCTAssertEqual(made.value(ofAttribute: "swift_type"), "Int")
    XCTAssertNil(made.value(ofAttribute: "V"))
    XCTAssertEqual(made.unknownAttributes, others)
  }

  private static let writtenByCompilers = [
    #"T@"NSObject",N,&,Vobject"#, "T(?=[3#]b61),?,N,Sset_colorValue:", "T{Box<unsigned long>=L},Gg114,Vx2",
    "T^{__CFData=},?,Gisa2_get", "T{List6=:::b18b29b8b7jQ},V_iv114",
    #"T@"<P2><App.Proto>",C,N,Sset_initThing:"#,
    #"T@"NSString<P2><P1>",C,D,N,GN_get,Sset_N:"#, "T{optional<unsigned long>=BL},D", "T ,R,V_h",
    "T@?,C,GisFrames,V_frames",
    "T{function<int (Größe *, ns::Arr<long, 5>)>=^?^v},N",
    "T{vector<ns::In *, std::allocator<ns::In *>>=^^{In}},N,Vmode",
    #"T@"App.Thing<P1><NSCopying><R_>",&,N,GisIsa2,V_isa2"#, "T#,&,D,N,Gvalue_get", "TS,GR128", "T,V_v",
    "T@?,?,C,N,GGs",
  ]
}
