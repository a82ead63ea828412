import ArcArchive
import ArcFormat
import Foundation

/// The archives that several tests read.
enum SampleArchives {
  /// Returns three persons with a cycle of friends, a weak reference to the mother, and one key in a class
  /// and its superclass.
  static func family(compression: Compression = .none) throws -> [UInt8] {
    let builder = try RowWiseArchive(
      roots: [("root", #"@"Person""#), ("scores", "$<@\"NSString\":q>")], compression: compression)
    let biology = try builder.addClass(
      "Biology", properties: [("age", "Td,N,V_age"), ("intro", #"T$?@"NSString",N,V_intro"#)])
    let person = try builder.addClass(
      "Person", superclass: biology,
      inherited: [(biology, "age", "Td,N,V_age"), (biology, "intro", #"T$?@"NSString",N,V_intro"#)],
      properties: [
        ("name", #"T@"NSString",N,R,V_name"#), ("age", "Tq,N,V_age"), ("mother", #"T@"Person",N,W,V_mother"#),
        ("friends", #"T$[@"Person"],N,V_friends"#),
      ])
    try builder.row(0, .reference(1), .dictionary([("math", .int(1)), ("art", .int(-2))]))
    try builder.row(
      person, "Ada", .int(36), .weak(3), .list([.reference(2), .reference(3)]), .double(0.5), .some("first"))
    try builder.row(
      person, "Bob", .int(40), .weak(0), .list([.reference(1), .reference(3)]), .double(.nan), nil)
    let hostile = RowWiseArchive.Value.text("a \"quoted\"\n\u{1B}[31m")
    try builder.row(person, "Cleo", .int(70), .weak(0), .list([]), .double(-0.0), .some(hostile))
    return try builder.finish()
  }

  /// Returns an object with a property of every kind.
  static func kinds() throws -> [UInt8] {
    let types: [(String, String)] = [
      ("bool", "B"), ("int32", "i"), ("uint64", "Q"), ("uint128", "T"), ("float", "f"), ("double", "d"),
      ("data", #"@"NSData""#), ("date", #"@"NSDate""#), ("uuid", #"@"NSUUID""#),
      ("decimal", #"@"NSDecimalNumber""#), ("url", #"@"NSURL""#), ("none", "$?q"), ("noObject", #"@"Any""#),
      ("set", "$<q>"), ("empty", "$[q]"), ("point", #"{Point="x"d"y"d}"#),
      ("shape", #"$(Shape="circle"{?="radius"d}"none")"#),
      ("plain", #"$(Shape="circle"{?="radius"d}"none")"#),
      ("nested", "$[$[q]]"), ("long", #"$[@"NSString"]"#), ("keys", #"$<@"Any":q>"#),
      ("pair", #"{Pair="owner"@"Any""link"$~@"Any"}"#),
    ]
    let builder = try RowWiseArchive(roots: [("all", #"@"Any""#)])
    let any = try builder.addClass("Any", properties: types.map { ($0.0, "T\($0.1),N") })
    try builder.row(0, .reference(1))
    let filler = RowWiseArchive.Value.text(String(repeating: "word ", count: 8))
    for _ in 0..<2 {
      try builder.row(
        any, .bool(true), .int32(-7), .uint64(.max), .uint128(.max), .float(0.1), .double(-.infinity),
        .bytes([1, 0xAB]), .double(817_000_000.25), .uuid(0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100), "1.50",
        .fields(["a/b", .some("https://example.org")]), nil, .reference(0),
        .list([.int(1), .int(2)]), .list([]), .fields([.double(1), .double(2.5)]),
        .enumeration(0, payload: .fields([.double(3)])), .enumeration(1, payload: nil),
        .list([.list([.int(1)]), .list([])]), .list([filler, filler]),
        .dictionary([(.reference(2), .int(5))]), .fields([.reference(1), .weak(2)]))
    }
    return try builder.finish()
  }

  /// Returns a shard of a data set with one object, which has a link to a row of a shard.
  static func shard(linkingTo row: UInt32, ofShard shard: UInt32) throws -> [UInt8] {
    let link = "ArcLink<Order>"
    let builder = try ArchiveBuilder(
      roots: [.init("root", type: #"@"Order""#)], metadata: [MetadataSegment.idKey: UUID().uuidString])
    try builder.addClass(
      "Order", properties: [.init("related", type: "{\(link)=\"shard\"I\"row\"I}")])
    let order = try builder.addObject(
      ofClass: "Order",
      [
        "related": .structure(
          name: link,
          fields: [
            .init(name: "shard", value: .integer(Int128(shard))),
            .init(name: "row", value: .integer(Int128(row))),
          ])
      ])
    try builder.setRoots(["root": .reference(order)])
    return try builder.finish()
  }

  /// Returns a list of nodes. Each node retains the next node.
  static func chain(
    _ count: Int, segmentByteCount: Int = ArchiveWriter.usualSegmentByteCount
  ) throws -> [UInt8] {
    try nodes(count, segmentByteCount: segmentByteCount) { $0 == count ? 0 : $0 + 1 }
  }

  /// Returns nodes in a cycle. Each node refers to the seventh node after it.
  static func circle(_ count: Int) throws -> [UInt8] { try nodes(count) { ($0 + 6) % count + 1 } }

  private static func nodes(
    _ count: Int, segmentByteCount: Int = ArchiveWriter.usualSegmentByteCount, next: (Int) -> Int
  ) throws -> [UInt8] {
    let builder = try RowWiseArchive(
      roots: [("first", #"@"Node""#)], compression: .zlib, segmentByteCount: segmentByteCount)
    let node = try builder.addClass("Node", properties: [("next", #"T@"Node",N,&,V_next"#)])
    try builder.row(0, .reference(1))
    for row in 1...count { try builder.row(node, .reference(UInt32(next(row)))) }
    return try builder.finish()
  }

  /// Returns an archive in which each string equals `text` or begins with it, including names of classes and
  /// keys.
  static func text(_ text: String) throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [(text, "@")])
    // Names in encodings can contain these scalars. Characters are not tested, because a combining mark can
    // follow a bracket.
    let plain = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !"\"<>={}(),".unicodeScalars.contains($0) }))
    let holder = try builder.addClass(
      "C" + text,
      properties: [
        (text, #"T@"NSString",N,V_"# + plain), (text + "2", #"T$[{S"# + plain + #"="f"@"NSString"}],N"#),
        (text + "3", #"T$<@"NSString":@"NSURL">,N"#), (text + "4", #"T@"NSDecimalNumber",N"#),
      ], flags: .keyed)
    try builder.row(0, .reference(1))
    try builder.row(
      holder, .some(.text(text)), .some(.list([.fields([.text(text)]), .fields([.text(text + text)])])),
      .some(.dictionary([(.text(text), .fields([.text(text), .some(.text(text))]))])), .some(.text(text)))
    return try builder.finish()
  }
}
