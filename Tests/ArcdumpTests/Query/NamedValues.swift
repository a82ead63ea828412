import ArcArchive
import ArcFormat
import ArcRuntime
import ArcTestSupport

/// A generator of archives for tests of paths. They contain randomly nested values of all kinds that a path
/// can enter. Names and keys contain dots, brackets, quotes, escapes and marks, or are empty.
struct NamedValues {
  private var random: SplitMix64
  private var ids: [ObjectID] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A type, and a function that returns random values of the type.
  private typealias Kind = (type: TypeEncoding, value: (inout NamedValues) -> ArchiveValue)

  /// Returns the bytes of the file.
  mutating func bytes() throws -> [UInt8] {
    let rootCount = below(3) + 1
    let roots = names(rootCount).map { ($0, kind(depth: 3)) }
    let shared = name()
    let classes = ["Base", "Sub.Class"].map { _ in (names(3, without: shared)).map { ($0, kind(depth: 2)) } }
    let (first, second) = (kind(depth: 1), kind(depth: 1))
    let builder = try ArchiveBuilder(
      roots: roots.map { .init($0.0, type: $0.1.type.description) } + [.init("objects", type: "$[@]")])
    func properties(_ own: [(String, Kind)]) -> [ArchiveBuilder.Property] {
      own.map { .init($0.0, type: $0.1.type.description) }
    }
    try builder.addClass("Base", properties: properties(classes[0] + [(shared, first)]))
    try builder.addClass(
      "Sub.Class", superclass: "Base",
      properties: properties(
        classes[1].filter { own in !classes[0].contains { $0.0 == own.0 } } + [(shared, second)]))
    for number in 0..<6 {
      var values: [ArchiveBuilder.Key: ArchiveValue] = [:]
      for (name, kind) in classes[0] { values[.init(name, declaredBy: "Base")] = kind.value(&self) }
      values[.init(shared, declaredBy: "Base")] = first.value(&self)
      if number % 2 == 1 {
        for (name, kind) in classes[1] where !classes[0].contains(where: { $0.0 == name }) {
          values[.init(name, declaredBy: "Sub.Class")] = kind.value(&self)
        }
        values[.init(shared, declaredBy: "Sub.Class")] = second.value(&self)
      }
      ids.append(try builder.addObject(ofClass: number % 2 == 1 ? "Sub.Class" : "Base", values))
    }
    var values: [ArchiveBuilder.Key: ArchiveValue] = [:]
    for (name, kind) in roots { values[.init(name)] = kind.value(&self) }
    values["objects"] = .array(ids.map { .reference($0) })
    try builder.setRoots(values)
    return try builder.finish()
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  // MARK: Names

  private static let pieces = [
    "a", "b", "name", "7", "0", "_", ".", "[", "]", "`", "\\", "\\u{41}", " ", "'", "#", "é", "\"",
    "e\u{301}",
    "\u{301}", "\u{200D}", "\n", "\u{1B}", "😀", "keys", "values", "true", "…", "日本", "@", "/", "-1",
  ]

  private mutating func name() -> String {
    switch below(8) {
    case 0: return ""
    case 1, 2: return Self.pieces[below(3)] + "\(below(9))"
    case 3: return "\(below(9))" + String(repeating: Self.pieces[below(Self.pieces.count)], count: 70)
    default: return (0...below(4)).map { _ in Self.pieces[below(Self.pieces.count)] }.joined()
    }
  }

  /// Returns distinct names. They differ in their characters, because Swift compares strings by characters.
  private mutating func names(_ count: Int, without other: String = "objects") -> [String] {
    var names: [String] = []
    while names.count < count {
      let name = name()
      if name != other, !names.contains(name), name != "objects" { names.append(name) }
    }
    return names
  }

  /// Returns distinct names of fields or cases that type encodings can contain.
  private mutating func labels(_ count: Int) -> [String] {
    var labels: [String] = []
    while labels.count < count {
      let label = name()
      if !label.isEmpty, !label.utf8.contains(UInt8(ascii: "\"")), !labels.contains(label) {
        labels.append(label)
      }
    }
    return labels
  }

  // MARK: Values

  private mutating func key() -> Kind {
    switch below(7) {
    case 0, 1: return (.object(className: "NSString", protocols: []), { .string($0.name()) })
    case 2: return (.scalar(.longLong), { .integer(Int128($0.below(9)) - 4) })
    case 3: return (.scalar(.bool), { .bool($0.below(2) == 0) })
    case 4:
      return (
        .object(className: "NSUUID", protocols: []),
        { random in .uuid((0..<16).map { _ in UInt8(random.below(256)) }) }
      )
    case 5: return (.object(className: "NSDate", protocols: []), { .date(Double($0.below(9))) })
    default:
      let (name, cases) = ("Case\(below(1 << 30))", labels(3))
      return (
        .enumeration(name: name, cases: cases.map { .init(name: $0, type: .uncoded) }),
        { .enumeration(name: name, case: cases[$0.below(3)], payload: nil) }
      )
    }
  }

  private func reference() -> Kind {
    (
      .object(className: nil, protocols: []),
      { random in .reference(random.ids.isEmpty ? nil : random.ids[random.below(random.ids.count)]) }
    )
  }

  private mutating func kind(depth: Int) -> Kind {
    if depth == 0 || below(5) == 0 { return below(4) == 0 ? reference() : key() }
    let (inner, other) = (kind(depth: depth - 1), kind(depth: depth - 1))
    switch below(7) {
    case 0:
      return (
        .list(inner.type), { random in .array((0..<random.below(4)).map { _ in inner.value(&random) }) }
      )
    case 1:
      let key = key()
      return (.set(key.type), { random in .set(Self.different((0..<3).map { _ in key.value(&random) })) })
    case 2, 3:
      let key = key()
      return (
        .dictionary(key: key.type, value: inner.type),
        { random in
          .dictionary(
            Self.different((0..<4).map { _ in key.value(&random) }).map {
              .init(key: $0, value: inner.value(&random))
            })
        }
      )
    case 4: return (.optional(inner.type), { $0.below(3) == 0 ? .null : inner.value(&$0) })
    case 5:
      // A structure, or a tuple.
      let isTuple = below(2) == 0
      let names = isTuple ? ["0", "1"] : labels(2)
      let name = isTuple ? "?" : "Part\(below(1 << 30))"
      return (
        .structure(name: name, fields: zip(names, [inner, other]).map { .init(name: $0, type: $1.type) }),
        { random in
          .structure(
            name: name, fields: zip(names, [inner, other]).map { .init(name: $0, value: $1.value(&random)) })
        }
      )
    default:
      let labels = below(2) == 0 ? ["", ""] : ["", "label"]
      let fields = below(2) == 0 ? [inner] : [inner, other]
      let (name, label) = ("Choice\(below(1 << 30))", self.labels(1)[0])
      let payload = zip(labels, fields).map { TypeEncoding.Field(name: $0, type: $1.type) }
      return (
        .enumeration(
          name: name,
          cases: [
            .init(name: label, type: .structure(name: "?", fields: payload)),
            .init(name: "none of it", type: .uncoded),
          ]),
        { random in
          guard random.below(4) > 0 else { return .enumeration(name: name, case: "none of it", payload: nil) }
          return .enumeration(
            name: name, case: label,
            payload: .structure(
              name: "?", fields: zip(labels, fields).map { .init(name: $0, value: $1.value(&random)) }))
        }
      )
    }
  }

  private static func different(_ values: [ArchiveValue]) -> [ArchiveValue] {
    var seen: Set<ArchiveValue> = []
    return values.filter { seen.insert($0).inserted }
  }
}
