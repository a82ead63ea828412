import Arc

/// The classes of the objects in random JSON texts.
enum WaysModel: CaseIterable {
  case scalars, optionals, constants, forms, records, collections, dates
  case note, paths, oddPaths, tree, item, order, prepared, account

  var type: any Archivable.Type {
    switch self {
    case .scalars: WaysScalars.self
    case .optionals: WaysOptionals.self
    case .constants: WaysConstants.self
    case .forms: WaysForms.self
    case .records: WaysRecords.self
    case .collections: WaysCollections.self
    case .dates: WaysDates.self
    case .note: WaysNote.self
    case .paths: WaysPaths.self
    case .oddPaths: WaysOddPaths.self
    case .tree: WaysTree.self
    case .item: WaysItem.self
    case .order: WaysOrder.self
    case .prepared: WaysPrepared.self
    case .account: WaysAccount.self
    }
  }

  /// The members that an object can have.
  var members: [WaysMember] {
    switch self {
    case .scalars: Self.scalarMembers
    case .optionals: Self.optionalMembers
    case .constants: Self.constantMembers
    case .forms: Self.formMembers
    case .records: Self.recordMembers
    case .collections: Self.collectionMembers
    case .dates: Self.dateMembers
    case .note: Self.noteMembers
    case .paths: Self.pathMembers
    case .oddPaths: Self.oddPathMembers
    case .tree: Self.treeMembers
    case .item: Self.itemMembers
    case .order: Self.orderMembers
    case .prepared: Self.preparedMembers
    case .account: Self.accountMembers
    }
  }

  private static let scalarMembers: [WaysMember] = [
    WaysMember("bool", .bool), WaysMember("int8", .int8), WaysMember("int16", .int16),
    WaysMember("int32", .int32), WaysMember("int", .int), WaysMember("int128", .int128),
    WaysMember("uint8", .uint8), WaysMember("uint16", .uint16), WaysMember("uint32", .uint32),
    WaysMember("uint64", .uint64), WaysMember("float", .float), WaysMember("double", .double),
    WaysMember("string", .string), WaysMember("character", .character), WaysMember("decimal", .decimal),
    WaysMember("uuid", .uuid), WaysMember("data", .data), WaysMember("date", .date),
  ]

  private static let optionalMembers: [WaysMember] = [
    WaysMember("bool", .orNull(.bool)), WaysMember("string", .orNull(.string)),
    WaysMember("int8", .orNull(.int8)), WaysMember("int16", .orNull(.int16)),
    WaysMember("int", .orNull(.int)), WaysMember("int128", .orNull(.int128)),
    WaysMember("uint8", .orNull(.uint8)), WaysMember("uint64", .orNull(.uint64)),
    WaysMember("float", .orNull(.float)), WaysMember("double", .orNull(.double)),
    WaysMember("text", .orNull(.string)), WaysMember("character", .orNull(.character)),
    WaysMember("decimal", .orNull(.decimal)), WaysMember("uuid", .orNull(.uuid)),
    WaysMember("data", .orNull(.data)), WaysMember("link", .orNull(.link)),
    WaysMember("date", .orNull(.date)), WaysMember("tags", .orNull(.list(.string))),
    WaysMember("rank", .orNull(.rank)),
  ]

  private static let constantMembers: [WaysMember] = [
    WaysMember("id", .int, isNeeded: true), WaysMember("name", .string, isNeeded: true),
    WaysMember("isOpen", .bool, isNeeded: true), WaysMember("ratio", .float, isNeeded: true),
    WaysMember("level", .uint64, isNeeded: true), WaysMember("tags", .list(.string), isNeeded: true),
    WaysMember("counts", .table(["a", "b"], .int), isNeeded: true),
    WaysMember("created", .date, isNeeded: true), WaysMember("rank", .orNull(.rank)),
    WaysMember("next", .orNull(.model(.constants))),
  ]

  private static let formMembers: [WaysMember] = [
    WaysMember("rank", .rank), WaysMember("level", .orNull(.level)), WaysMember("form", .form(2)),
    WaysMember("forms", .list(.form(1))), WaysMember("figure", .figure),
    WaysMember("figures", .list(.figure)), WaysMember("loose", .list(.loose)),
    WaysMember("ranks", .list(.rank)), WaysMember("byRank", .table(["low", "high"], .int)),
  ]

  private static let recordMembers: [WaysMember] = [
    WaysMember("origin", .point), WaysMember("parcel", .orNull(.parcel(2))),
    WaysMember("parcels", .list(.parcel(1))), WaysMember("named", .table(["a", "é", "a b"], .point)),
    WaysMember("points", .set([#"{"x":1}"#, #"{"x":2,"y":3}"#, #"{"label":"a","x":1}"#])),
    WaysMember("w", .int), WaysMember("height", .int),
    WaysMember("rows", .list(.list(.orNull(.point)))),
  ]

  private static let collectionMembers: [WaysMember] = [
    WaysMember("tags", .list(.string)), WaysMember("counts", .list(.int)),
    WaysMember("shares", .list(.double)), WaysMember("flags", .list(.bool)),
    WaysMember("bytes", .list(.uint8)), WaysMember("maybe", .list(.orNull(.int))),
    WaysMember("rings", .list(.list(.double))), WaysMember("ids", .list(.uuid)),
    WaysMember("words", .set([#""a""#, #""b""#, #""é""#, #""a\n""#])),
    WaysMember("numbers", .set(["1", "-128", "127.0", "3e1"])),
    WaysMember("byName", .table(["a", "b", "é"], .double)),
    WaysMember(
      "byNumber", .choice([.table(["1", "-2", "30"], .string), .one([#"[[1,"a"],[2,"b"]]"#], ["[[1]]"])])),
    WaysMember("byFlag", .table(["true", "false"], .int)),
    WaysMember("nested", .table(["a", "b"], .list(.int))),
  ]

  private static let dateMembers: [WaysMember] = [
    WaysMember("plain", .orNull(.date)), WaysMember("iso", .isoDate), WaysMember("http", .list(.httpDate)),
    WaysMember("seconds", .number), WaysMember("milliseconds", .orNull(.number)),
    WaysMember("byName", .table(["a", "b"], .isoDate)), WaysMember("dates", .list(.orNull(.date))),
    WaysMember("links", .list(.link)), WaysMember("prices", .list(.decimal)), WaysMember("uuid", .uuid),
    WaysMember("data", .data),
  ]

  private static let noteMembers: [WaysMember] = [
    WaysMember("title", .string, isNeeded: true), WaysMember("token", .string),
    WaysMember("note", .orNull(.string)), WaysMember("total", .int), WaysMember("color", .color),
    WaysMember("extra", .json), WaysMember("more", .json), WaysMember("list", .list(.json)),
    WaysMember("named", .table(["a", "b"], .json)),
  ]

  private static let pathMembers: [WaysMember] = [
    WaysMember("user", .object([WaysMember("id", .int), WaysMember("name", .orNull(.string))])),
    WaysMember("name", .string), WaysMember("caption", .string), WaysMember("isPlain", .bool),
    WaysMember(
      "meta",
      .object([
        WaysMember("size", .object([WaysMember("width", .double), WaysMember("height", .double)])),
        WaysMember("tags", .list(.string)), WaysMember("created", .number),
      ])),
    WaysMember("created", .number),
  ]

  private static let oddPathMembers: [WaysMember] = [
    WaysMember("user", .object([WaysMember("id", .int), WaysMember("name", .string)])),
    WaysMember("uid", .int), WaysMember("ids", .list(.int)),
    WaysMember("a.b", .object([WaysMember("n", .int)])), WaysMember("twin", .orNull(.model(.oddPaths))),
    WaysMember("again", .orNull(.model(.oddPaths))),
  ]

  private static let treeMembers: [WaysMember] = [
    WaysMember("id", .int, isNeeded: true), WaysMember("first", .orNull(.model(.tree))),
    WaysMember("children", .list(.model(.tree))), WaysMember("optionals", .list(.orNull(.model(.tree)))),
    WaysMember("named", .table(["a", "b"], .model(.tree))),
    WaysMember(
      "part",
      .object([WaysMember("node", .orNull(.model(.tree))), WaysMember("number", .int, isNeeded: true)])),
    WaysMember("link", .node),
  ]

  private static let itemMembers: [WaysMember] = [
    WaysMember("id", .int, isNeeded: true),
    WaysMember("kind", .one([#""photo""#, #""post""#, #""other""#], [#""void""#])),
    WaysMember("tags", .list(.string)), WaysMember("related", .orNull(.model(.item))),
    WaysMember("width", .double), WaysMember("text", .orNull(.string)),
    WaysMember("comments", .list(.model(.item))),
  ]

  private static let orderMembers: [WaysMember] = [
    WaysMember("level", .one(["0", "1", "5"], ["-1", "-2"])), WaysMember("total", .int),
    WaysMember("parts", .list(.model(.order))), WaysMember("best", .orNull(.model(.order))),
  ]

  private static let preparedMembers: [WaysMember] = [
    WaysMember("amount", .int), WaysMember("currency", .string), WaysMember("price", .string),
    WaysMember("parts", .list(.model(.prepared))),
  ]

  private static let accountMembers: [WaysMember] = [
    WaysMember("id", .int, isNeeded: true), WaysMember("secret", .string), WaysMember("name", .string),
    WaysMember("owner", .model(.account)), WaysMember("friends", .list(.model(.account))),
    WaysMember("created", .date), WaysMember("tags", .list(.string)),
  ]
}

// MARK: Values

extension WaysShape {
  /// A value, or null.
  static func orNull(_ shape: WaysShape) -> WaysShape {
    if case .one(let fitting, let unfitting) = shape { return one(fitting + ["null"], unfitting) }
    return choice([shape, shape, one(["null"], [])])
  }

  private static func integer(_ fitting: String..., wrong: String...) -> WaysShape {
    .one(["0", "1", "100", "1.0", "12e1", "-0"] + fitting, wrong + ["1.5"])
  }

  static let bool = one(["true", "false"], ["2", #""maybe""#])
  static let int8 = integer("127", "-128", wrong: "128", "-129")
  static let int16 = integer("32767", "-32768", wrong: "32768")
  static let int32 = integer("-2147483648", wrong: "2147483648")
  static let int = integer(
    "-7", "9223372036854775807", "-9223372036854775808", "9007199254740993", wrong: "9223372036854775808")
  static let int128 = integer("-170141183460469231731687303715884105728", wrong: "1e39")
  static let uint8 = integer("255", wrong: "256", "-1")
  static let uint16 = integer("65535", wrong: "65536", "-1")
  static let uint32 = integer("4294967295", wrong: "4294967296")
  static let uint64 = integer("18446744073709551615", wrong: "18446744073709551616", "-1")
  static let float = one(["0.5", "16777217", "-1e-3", "3.4028235e38", "0"], ["1e39", #""NaN""#])
  static let double = one(
    ["0.1", "-0.0", "1e300", "5", "1e-400", "0.30000000000000004"], ["1e400", #""-Infinity""#])
  static let string = one(
    [
      "\"\"", #""a""#, #""é""#, #""a\n\u0041\"""#, #""\ud83d\ude00""#, #""longer than sixteen bytes""#,
      #""long \u00e9 with an escape in it""#, #"" 12 ""#,
    ], [])
  static let character = one([#""x""#, #""é""#, #""\u0041""#], [#""ab""#, "\"\""])
  static let decimal = one(
    ["0.1", "12345678901234567890.125", "1e-1", #""1.50""#, "-7"], ["1e400", #""NaN""#])
  static let uuid = one(
    [#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""00000000-0000-0000-0000-00000000000a""#],
    [#""E621E1F8""#])
  static let data = one([#""QUI=""#, #""QUI""#, #""_-8""#, "\"\""], [#""Q""#, "[65]"])
  static let link = one([#""https://a.b/c?d=e#f""#, #""http:\/\/a""#], ["\"\"", #""http://[""#])
  static let date = one(
    ["0", "978307200.5", #""2001-01-31T12:00:00Z""#, #""2001-01-31 12:00:00.25+01:00""#],
    [#""soon""#, "1e400", #""2001-02-30T12:00:00Z""#, #""978307200""#])
  static let isoDate = one(
    [#""2001-01-31T12:00:00Z""#, #""1999-12-31T23:59:59.125-02:30""#],
    [#""2001-01-31""#, "978307200", #""31 Jan 2001 12:00:00 GMT""#])
  static let httpDate = one(
    [#""Wed, 31 Jan 2001 12:00:00 GMT""#, #""1 Feb 2001 12:00:00 +0100""#],
    [#""31 Feb 2001 12:00:00 GMT""#, #""2001-01-31T12:00:00Z""#])
  static let number = one(["0", "978307200", "978307200500", "0.25", "-1e3"], ["1e400", #""soon""#])
  static let json = one(
    [
      "null", "true", "1.50", #""x""#, #"[1,{"a":[]}]"#, #"{"b":{"c":1e400},"a":"\u00e9"}"#, "{}",
      "123456789012345678901234567890",
    ], [#"{"a":1,"a":2}"#, #"{"a":{"b":1,"\u0062":2}}"#])
  static let color = one([##""#ff""##, ##""#0""##, ##""#7B""##], [#""ff""#, "7", ##""#""##])
  static let rank = one([#""low""#, #""high""#], [#""High""#, #""middle""#])
  static let level = one(["1", "2", "2.0"], ["3", "0"])

  /// An enumeration that can contain itself up to a depth.
  static func form(_ depth: Int) -> WaysShape {
    let circle = object([WaysMember("radius", double, isNeeded: true)])
    let pair = object([WaysMember("_0", int, isNeeded: true), WaysMember("label", string)])
    var forms = [
      one(
        [#""empty""#, #"{"empty":{}}"#, #"{"empty":null}"#], [#""circle""#, #""square""#, #"{"square":{}}"#]),
      enclosed(#"{"circle":"#, circle, "}"), enclosed(#"{"words":{"_0":"#, list(string), "}}"),
      enclosed(#"{"words":"#, list(string), "}"), enclosed(#"{"pair":"#, pair, "}"),
    ]
    if depth > 0 {
      let inner = form(depth - 1)
      let both = object([WaysMember("_0", inner, isNeeded: true), WaysMember("_1", inner, isNeeded: true)])
      forms.append(enclosed(#"{"both":"#, both, "}"))
    }
    return choice(forms)
  }

  static let figure = choice([
    object([tag("circle"), WaysMember("radius", double, isNeeded: true)]),
    object([
      tag("rectangle"), WaysMember("width", double, isNeeded: true),
      WaysMember("height", double, isNeeded: true),
    ]),
    object([tag("named"), WaysMember("_0", string, isNeeded: true)]), object([tag("dot")]),
  ])

  private static func tag(_ name: String) -> WaysMember {
    WaysMember("type", one(["\"\(name)\""], [#""square""#]), isNeeded: true)
  }

  static let loose = choice([
    int, string, list(int),
    object([WaysMember("x", int, isNeeded: true), WaysMember("y", int, isNeeded: true)]),
  ])

  static let point = object([
    WaysMember("x", int, isNeeded: true), WaysMember("y", int), WaysMember("label", string),
  ])

  /// A structure that can contain itself up to a depth.
  static func parcel(_ depth: Int) -> WaysShape {
    object(
      [
        WaysMember("number", int, isNeeded: true), WaysMember("label", string), WaysMember("weight", double),
        WaysMember("tags", list(string)), WaysMember("origin", point),
      ] + (depth > 0 ? [WaysMember("inner", list(parcel(depth - 1)))] : []))
  }

  static let node = choice([
    one([#""none""#], [#""node""#]), enclosed(#"{"node":{"_0":"#, model(.tree), "}}"),
    enclosed(#"{"pair":{"second":5,"_0":"#, choice([model(.tree), one(["null"], [])]), "}}"),
  ])
}
