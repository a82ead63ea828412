import ArcTestSupport

@testable import ArcArchive
@testable import ArcFormat

/// An archive of random classes that `ArchiveBuilder` builds from random values.
struct RandomBuild {
  let bytes: [UInt8]

  init(_ random: inout SplitMix64) throws {
    let types = [
      "B", "c", "S", "i", "Q", "t", "T", " ", "f", "d", #"@"NSString""#, #"@"NSData""#, #"@"NSDate""#,
      #"@"NSUUID""#, #"@"NSURL""#, #"@"NSDecimalNumber""#, "$?q", #"$[@"NSString"]"#, "$[$[c]]", "$<q>",
      #"$<@"NSString":@>"#, #"{P="x"d"y"$?@"NSString"}"#, #"$(E="a""b"{?=""q"next"$[$(E)]})"#, "@",
      #"$~@"C0""#,
    ]
    let builder = try ArchiveBuilder(roots: [.init("all", type: "$[@]")])
    let classCount = Int.random(in: 1...4, using: &random)
    var columns: [[String]] = []
    for index in 0..<classCount {
      let chosen = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        types.randomElement(using: &random) ?? "B"
      }
      try builder.addClass(
        "C\(index)",
        properties: chosen.enumerated().map { position, type in
          let isKeyed = Bool.random(using: &random) && type != #"$~@"C0""#
          return ArchiveBuilder.Property("k\(position)", type: type, isKeyed: isKeyed)
        })
      columns.append(chosen)
    }
    let classes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      Int.random(in: 0..<classCount, using: &random)
    }
    let ids = try classes.map { try builder.reserveObject(ofClass: "C\($0)") }
    let firsts = zip(ids, classes).filter { $1 == 0 }.map(\.0)
    for (id, index) in zip(ids, classes) {
      var values: [ArchiveBuilder.Key: ArchiveValue] = [:]
      for (position, type) in columns[index].enumerated() {
        values[.init("k\(position)")] = Self.value(type, ids, firsts, &random)
      }
      try builder.setValues(values, of: id)
    }
    try builder.setRoots(["all": .array(ids.shuffled(using: &random).map { .reference($0) })])
    bytes = try builder.finish()
  }

  private static func value(
    _ type: String, _ ids: [ObjectID], _ firsts: [ObjectID], _ random: inout SplitMix64
  ) -> ArchiveValue {
    func integer<T: FixedWidthInteger>(_ type: T.Type) -> ArchiveValue {
      .integer(Int128(Bool.random(using: &random) ? T.random(in: .min ... .max, using: &random) : 7))
    }
    func text() -> String {
      ["", "a", "é", "\u{0}", "long text, long text"].randomElement(using: &random) ?? ""
    }
    func count() -> Int { Int.random(in: 0...3, using: &random) }
    switch type {
    case "B": return .bool(.random(using: &random))
    case "c": return integer(Int8.self)
    case "S": return integer(UInt16.self)
    case "i": return integer(Int32.self)
    case "Q": return integer(UInt64.self)
    case "t": return integer(Int128.self)
    case "T": return .unsigned(.random(in: .min ... .max, using: &random))
    case " ": return .float(Float(half: .random(in: .min ... .max, using: &random)))
    case "f": return .float(Float(bitPattern: .random(in: .min ... .max, using: &random)))
    case "d": return .double(Double(bitPattern: .random(in: .min ... .max, using: &random)))
    case #"@"NSData""#: return .data(Array(text().utf8))
    case #"@"NSDate""#: return .date(.random(in: -1e9...1e9, using: &random))
    case #"@"NSUUID""#: return .uuid((0..<16).map { _ in .random(in: .min ... .max, using: &random) })
    case #"@"NSURL""#: return .url(text(), base: Bool.random(using: &random) ? text() : nil)
    case #"@"NSDecimalNumber""#: return .decimal(["0", "-12.5", "NaN"].randomElement(using: &random) ?? "0")
    case "$?q": return Bool.random(using: &random) ? .null : integer(Int64.self)
    case #"$[@"NSString"]"#: return .array((0..<count()).map { _ in .string(text()) })
    case "$[$[c]]":
      return .array((0..<count()).map { _ in .array((0..<count()).map { _ in integer(Int8.self) }) })
    case "$<q>": return .set((0..<count()).map { .integer(Int128($0)) })
    case #"$<@"NSString":@>"#:
      return .dictionary(
        (0..<count()).map {
          .init(key: .string("key \($0)"), value: .reference(ids.randomElement(using: &random)))
        })
    case #"{P="x"d"y"$?@"NSString"}"#:
      return .structure(
        name: "P",
        fields: [
          .init(name: "x", value: .double(1)),
          .init(name: "y", value: Bool.random(using: &random) ? .null : .string(text())),
        ])
    case #"$(E="a""b"{?=""q"next"$[$(E)]})"#:
      let leaf = ArchiveValue.enumeration(name: "E", case: "a", payload: nil)
      guard Bool.random(using: &random) else { return leaf }
      return .enumeration(
        name: "E", case: "b",
        payload: .structure(
          name: "?",
          fields: [
            .init(name: "", value: integer(Int64.self)), .init(name: "next", value: .array([leaf, leaf])),
          ]))
    case "@": return .reference(ids.randomElement(using: &random))
    case #"$~@"C0""#: return .reference(firsts.randomElement(using: &random))
    default: return .string(text())
    }
  }
}
