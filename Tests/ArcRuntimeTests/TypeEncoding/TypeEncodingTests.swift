import ArcRuntime
import XCTest

final class TypeEncodingTests: XCTestCase {
  func testEveryScalarAndQualifierHasItsLetter() throws {
    let letters = TypeEncoding.Scalar.allCases.map { String(Unicode.Scalar($0.rawValue)) }
    XCTAssertEqual(letters.joined(), "csilqtCSILQTfdDBv*#:?% ")
    for (letter, scalar) in zip(letters, TypeEncoding.Scalar.allCases) {
      XCTAssertEqual(try TypeEncoding(parsing: letter), .scalar(scalar))
    }
    for qualifier in TypeEncoding.Qualifier.allCases {
      let letter = String(Unicode.Scalar(qualifier.rawValue))
      let pointer = TypeEncoding.pointer(to: .scalar(.void))
      XCTAssertEqual(try TypeEncoding(parsing: letter + "^v"), .qualified(qualifier, pointer))
      XCTAssertEqual(try TypeEncoding(parsing: letter), .qualified(qualifier, .uncoded))
    }
  }

  func testEachFormOfEncodingRoundTrips() throws {
    for (text, expected) in Self.forms {
      XCTAssertEqual(try TypeEncoding(parsing: text), expected, text)
      XCTAssertEqual(expected.description, text)
    }
  }

  func testClangEncodingsArePrintedByteForByte() throws {
    for text in Self.writtenByClang {
      let type = try TypeEncoding(parsing: text)
      XCTAssertEqual(Array(type.description.utf8), Array(text.utf8), text)
      XCTAssertEqual(try TypeEncoding(parsing: type.description), type, text)
    }
  }

  func testQuotedWordAfterObjectMayBeFieldName() throws {
    let int = TypeEncoding.scalar(.int)
    let id = TypeEncoding.object(className: nil, protocols: [])
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{S="a"@"b"i}"#),
      .structure(name: "S", fields: [.init(name: "a", type: id), .init(name: "b", type: int)]))
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{S="a"@"N""b"i}"#),
      .structure(
        name: "S", fields: [.init(name: "a", type: .object(named: "N")), .init(name: "b", type: int)]))
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{S="a"@"N"}"#),
      .structure(name: "S", fields: [.init(name: "a", type: .object(named: "N"))]))
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{S="a"@"""b"i}"#),
      .structure(
        name: "S",
        fields: [.init(name: "a", type: id), .init(name: "", type: .uncoded), .init(name: "b", type: int)]))
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{S=@"N"i}"#),
      .structure(
        name: "S", fields: [.init(name: nil, type: .object(named: "N")), .init(name: nil, type: int)]))
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{S="a"[2@"N"]"b"i}"#),
      .structure(
        name: "S",
        fields: [
          .init(name: "a", type: .array(count: 2, of: .object(named: "N"))), .init(name: "b", type: int),
        ]))
  }

  func testFieldWithoutTypeCodeHasItsName() throws {
    XCTAssertEqual(
      try TypeEncoding(parsing: #"{_UISmallVector<unsigned short, 16UL>="_vector""_size"Q}"#),
      .structure(
        name: "_UISmallVector<unsigned short, 16UL>",
        fields: [
          .init(name: "_vector", type: .uncoded), .init(name: "_size", type: .scalar(.unsignedLongLong)),
        ]))
  }

  func testStructureNameEndsOutsideTemplateArguments() throws {
    for (text, name) in [
      ("{Box<ns::In>=i}", "Box<ns::In>"), ("{Tup<int (*)(int), int[3]>=i}", "Tup<int (*)(int), int[3]>"),
      ("{Ch<'='>=i}", "Ch<'='>"), ("{Ch<'}'>=i}", "Ch<'}'>"), (#"{Ch<'"'>=i}"#, #"Ch<'"'>"#),
      (#"{Ch<'\''>=i}"#, #"Ch<'\''>"#), ("{Ch<'>', '='>=i}", "Ch<'>', '='>"),
      ("{Ch<'<', '}'>=i}", "Ch<'<', '}'>"),
      (#"{Ch<'\\'>=i}"#, #"Ch<'\\'>"#), (#"{Ch<'\x1f'>=i}"#, #"Ch<'\x1f'>"#), ("{Ch<'é'>=i}", "Ch<'é'>"),
      ("{NN<NT{3, nullptr}>=i}", "NN<NT{3, nullptr}>"), ("{FF<&Op::operator<>=i}", "FF<&Op::operator<>"),
      ("{FF<&Op::operator<=i}", "FF<&Op::operator<"), ("{Box<(Int) -> Int>=i}", "Box<(Int) -> Int>"),
      ("{Co<(Color)3>=i}", "Co<(Color)3>"), ("{V<std::A<int> >=i}", "V<std::A<int> >"),
      ("{Box<(lambda at /a/b.mm:3:12)>=i}", "Box<(lambda at /a/b.mm:3:12)>"),
    ] {
      XCTAssertEqual(
        try TypeEncoding(parsing: text),
        .structure(name: name, fields: [.init(name: nil, type: .scalar(.int))]), text)
    }
  }

  /// Names that clang 21 wrote for `-std=c++20` templates over operators, strings and characters.
  func testNamesWithOperatorsEndAfterTemplateArguments() throws {
    for name in [
      "<", "<=", "<=>", ">", ">=", "->", "->*", "()", "[]", "<<", ">>", ">>=", "<<=", "==", "!=", ",",
    ].map({ "&Op::operator\($0)" }) + [
      #"Str<2>{"<"}"#, #"Str<3>{">="}"#, #"Str<5>{"a\"b}"}"#, #"Str<2>{"\'"}"#, #"Str<4>{"{>\'"}"#,
      #"'<', '>', '\'', '"', '\\', '=', '\n', '\x00', '\xc8'"#, "L'<'", "L'\\xe4'", #"U'\U0001f600'"#,
      "u8'>'",
      "NT{3, nullptr}", "E::a", "(E)7", "-5LL", "1.500000e+300", "void (*)(int, ...)", "int[3][4]",
      "int (Op::*)(int) const", "__attribute__((__vector_size__(4 * sizeof(int)))) int", "id, Class, SEL *",
    ] {
      let inner = "FF<\(name)>"
      let field = { TypeEncoding.Field(name: nil, type: $0) }
      let type = TypeEncoding.structure(name: inner, fields: [field(.scalar(.int))])
      XCTAssertEqual(try TypeEncoding(parsing: "{\(inner)=i}"), type)
      let outer = "F2<\(name), Box<\(inner)>>"
      XCTAssertEqual(
        try TypeEncoding(parsing: "{\(outer)=i{\(inner)=i}^{\(inner)}}"),
        .structure(
          name: outer,
          fields: [
            field(.scalar(.int)), field(type), field(.pointer(to: .structure(name: inner, fields: nil))),
          ]))
    }
  }

  func testNamesInColumnEncodingsFollowSpecRules() throws {
    let text = #"T{<A"="b>={?=*"q"c"$?{<A"}}"#
    XCTAssertEqual(
      try PropertyAttributes(parsingColumn: text).type,
      .structure(
        name: #"<A""#,
        fields: [
          .init(name: "b>={?=*", type: .scalar(.longLong)),
          .init(name: "c", type: .optional(.structure(name: #"<A""#, fields: nil))),
        ]))
    guard case .structure(#"<A"="b>"#, _)? = try PropertyAttributes(parsing: text).type else {
      return XCTFail("the whole grammar reads a pointer to characters")
    }
    for text in ["T^i", "T*,R", "T@?<v@?>", "T(U=if)", "Tb3", "T![16,16f]", "T[4i]", "Tl", "T{A=rq}"] {
      XCTAssertEqual(
        try PropertyAttributes(parsingColumn: text), try PropertyAttributes(parsing: text),
        "an error about a column names the type")
    }
    for text in [#"T{<A="a""#, "T$?", "T&"] {
      XCTAssertThrowsError(try PropertyAttributes(parsingColumn: text), text)
    }
  }

  func testGenericClassNameRoundTrips() throws {
    for name in [
      "Person", "Box<Person>", "Pair<Array<Int>, Box<Person>>", "Box<Int>.Inner", "Box<(Int) -> Int>", "A<B",
      "A>",
      "NSObject<P><Q>", "Größe", "_TtC3App6Widget",
    ] {
      let type = TypeEncoding.object(named: name)
      XCTAssertEqual(type.qualifiedClassName, name)
      XCTAssertEqual(type.description, "@\"\(name)\"")
      XCTAssertEqual(try TypeEncoding(parsing: type.description), type)
    }
    XCTAssertNil(try TypeEncoding(parsing: "@").qualifiedClassName)
    XCTAssertNil(try TypeEncoding(parsing: #"@"<P><Q>""#).qualifiedClassName)
    XCTAssertNil(try TypeEncoding(parsing: #"^@"Person""#).qualifiedClassName)
  }

  private static let forms: [(String, TypeEncoding)] = [
    ("", .uncoded), ("@", .object(className: nil, protocols: [])),
    (#"@"NSString""#, .object(className: "NSString", protocols: [])),
    (#"@"<P><Q>""#, .object(className: nil, protocols: ["P", "Q"])),
    (#"@"<A,B>""#, .object(className: nil, protocols: ["A,B"])),
    (#"@"C<P>""#, .object(className: "C", protocols: ["P"])),
    (#"@"""#, .object(className: "", protocols: [])),
    ("@?", .block(signature: nil)),
    (
      "@?<v@?@>",
      .block(signature: [.scalar(.void), .block(signature: nil), .object(className: nil, protocols: [])])
    ),
    ("^", .pointer(to: .uncoded)), ("^^?", .pointer(to: .pointer(to: .scalar(.unknown)))),
    ("[4i]", .array(count: 4, of: .scalar(.int))), ("[2]", .array(count: 2, of: .uncoded)),
    ("[0i]", .array(count: 0, of: .scalar(.int))), ("[i]", .array(count: nil, of: .scalar(.int))),
    ("[18446744073709551615c]", .array(count: .max, of: .scalar(.character))),
    ("{S}", .structure(name: "S", fields: nil)), ("{S=}", .structure(name: "S", fields: [])),
    ("{}", .structure(name: "", fields: nil)), ("{=}", .structure(name: "", fields: [])),
    ("(U=i)", .union(name: "U", fields: [.init(name: nil, type: .scalar(.int))])),
    ("b3", .bitField(width: 3, gnu: nil)), ("b0", .bitField(width: 0, gnu: nil)),
    ("b32i3", .bitField(width: 3, gnu: .init(bitOffset: 32, type: .int))),
    (
      "{S=b3i}",
      .structure(
        name: "S",
        fields: [
          .init(name: nil, type: .bitField(width: 3, gnu: nil)), .init(name: nil, type: .scalar(.int)),
        ])
    ),
    ("![16,8f]", .vector(byteSize: 16, byteAlignment: 8, of: .scalar(.float))),
    ("rn*", .qualified(.const, .qualified(.in, .scalar(.cString)))),
    ("^Ai", .pointer(to: .qualified(.atomic, .scalar(.int)))),
    ("$?q", .optional(.scalar(.longLong))), (#"$[@"Person"]"#, .list(.object(named: "Person"))),
    ("$<i>", .set(.scalar(.int))), ("$<:>", .set(.scalar(.selector))),
    ("$<:::>", .dictionary(key: .scalar(.selector), value: .scalar(.selector))),
    (#"$<@"NSString":$[q]>"#, .dictionary(key: .object(named: "NSString"), value: .list(.scalar(.longLong)))),
    ("$(Tree<Int>)", .enumeration(name: "Tree<Int>", cases: nil)),
    (
      #"$(Shape="circle"{?="radius"d}"none")"#,
      .enumeration(
        name: "Shape",
        cases: [
          .init(
            name: "circle",
            type: .structure(name: "?", fields: [.init(name: "radius", type: .scalar(.double))])),
          .init(name: "none", type: .uncoded),
        ])
    ),
    (#"$~@"Person""#, .weak(.object(named: "Person"))),
    (
      #"{P="a"$?@"Box<Int>""b"$~@"P"}"#,
      .structure(
        name: "P",
        fields: [
          .init(name: "a", type: .optional(.object(named: "Box<Int>"))),
          .init(name: "b", type: .weak(.object(named: "P"))),
        ])
    ),
  ]

  private static let writtenByClang = [
    "{Hdr7={CGPoint=dd}b7[2B]^(?)}", "{function<double (double, int)>=^?^v}", "^^^^ ", "^{?=b1^I }",
    "(?=@^s{Rect12=ss^{Rect12}^{CGRect}}ss)", "[100{Ch<' '>=}]", "{Sz9=@{Vec5=^^dAc@^tb24}(?=^^v)}",
    "{QElem11=#t@?b320s11b331B1b336c6b344c0@[0C]}", "{Cell10=b0B1b1I2b3C8^{Cell10}}", "r^{os_unfair5=s}",
    "{Größe12={Opts10=@@@{CGPoint=ff}}@^i^{?}^?b28b1^i}", "(os_unfair3=\"v\"b5\"height\"b6\"owner79\"^v)",
    #"{_a10="b348"i"_x"^i"_1"Ad"T"^v"i"b15"index"b6"größe"b6"s"b4"refCount"b29"s27"^i"r"[748626q]"data" }"#,
    #"{QElem15="m_impl"^@"I0"@"N""name_77"^B"R60"@"<P2>""lock"^^^{_NSRange}}"#,
    #"{?="width"(Slice4="c0""b3"b19)"out"C"_x"@"Foo_Bar""ctx56"@"App.Thing<P1>"}"#,
    #"{Slice8="_"^{Slice8}"flags"@"N<P1><delegate>""NSString11"^i"ctx70"^{?}"_188"@"height71"b1}"#,
    #"(?="S0"i"r"[135151d]"height":"oneway"^{__CFString})"#, #"{Co<Red>="v"i}"#, #"{?="columns"[4]}"#,
    #"{Pair4="next78"^B"B"{?="val"[8I]}""{?="i" "bytes_"^v}}"#, #"{$S12="T60"^{NSFoo11}}"#,
    "{map<Ch<'<'>, signed char, std::allocator<std::pair<const Ch<'<'>, signed char>>>=^v}",
    "@?<@\"NSError\"@?^^^^{_NSZone}q>", "(_priv11=[4(?=:^qb0c1b0I26b0c6b0I26)]@@)", "^[2{S=i}]",
    "{vector<<unnamed>::A,std::allocator<<unnamed>::A> >=II}", "{b315={Au<&gvar>=d}^v}", "oRr^v", "Vv", "^r@",
    "{LL=li^i^lLI[2L][2l]}", "{?=[4]}", "A{_NSRange}", "r^Ai", "Ajf",
  ]
}
