import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport

/// The objects of a random file, and the objects that the program builds from them.
struct ObjectPool {
  let ids: [ObjectID]
  /// The expected objects; nil for an object of a class that the program does not have.
  let nodes: [Node?]
  /// The objects of a class that only unknown properties reach.
  let extras: [ObjectID]
}

/// A value of a file, and its effect on the object that the program builds.
struct DrawnValue {
  let column: ArchiveBuilder.Column
  let set: (Node) -> Void
  /// Whether the value has a case that the program does not have.
  var isUnknown = false
}

/// A form that a property can have in a file: a key and a type.
struct Form {
  let properties: [ArchiveBuilder.Property]
  let draw: (inout SplitMix64, ObjectPool) -> [DrawnValue]

  /// Returns a form whose values are Swift values.
  static func plain<Value: ColumnValue>(
    _ key: String, _ draw: @escaping (inout SplitMix64) -> Value, set: @escaping (Node, Value) -> Void
  ) -> Form {
    Form(properties: [.init(key, type: Value.self)]) { random, _ in
      let value = draw(&random)
      return [DrawnValue(column: .init(.init(key), [value]), set: { set($0, value) })]
    }
  }

  /// Returns a form whose values refer to objects, or are structures or enumerations.
  static func general(
    _ key: String, _ type: String, _ draw: @escaping (inout SplitMix64, ObjectPool) -> General
  ) -> Form {
    Form(properties: [.init(key, attributes: "T\(type)")]) { random, pool in
      let drawn = draw(&random, pool)
      return [
        DrawnValue(column: .init(.init(key), [drawn.value]), set: drawn.set, isUnknown: drawn.isUnknown)
      ]
    }
  }

  /// A value that has no Swift type.
  struct General {
    let value: ArchiveValue
    let set: (Node) -> Void
    var isUnknown = false
  }
}

/// The forms of the properties of ``Node`` and ``Leaf``, and of the types of their values, in one release.
struct RandomSchema {
  let node: [Form]
  let leaf: [Form]
  let info: InfoShape
  let kind: KindShape
  /// Whether the file contains objects of a class that the program does not have.
  let hasUnknownClass: Bool

  init(_ random: inout SplitMix64) {
    let info = InfoShape(&random)
    let kind = KindShape(&random)
    (self.info, self.kind) = (info, kind)
    hasUnknownClass = Int.random(in: 0..<4, using: &random) == 0
    func choose(_ forms: [[Form]]) -> [Form] {
      forms.compactMap { Int.random(in: 0..<5, using: &random) == 0 ? nil : $0.randomElement(using: &random) }
        .shuffled(using: &random)
    }
    let node = Self.plainForms + Self.referenceForms + Self.valueForms(info, kind) + [Self.unknownForms]
    (self.node, leaf) = (choose(node), choose(Self.leafForms))
  }

  // MARK: Plain values

  private static var plainForms: [[Form]] {
    [
      ["name", "title"].map { Form.plain($0, text, set: { $0.name = $1 }) },
      [
        .plain("count", { Int.random(in: -9...9, using: &$0) }, set: { $0.count = $1 }),
        .plain("count", { Int8.random(in: -9...9, using: &$0) }, set: { $0.count = Int($1) }),
        .plain("count", { UInt16.random(in: 0...999, using: &$0) }, set: { $0.count = Int($1) }),
        .plain("count", { Double(Int.random(in: -9...9, using: &$0)) }, set: { $0.count = Int($1) }),
        .plain("count", { Int?.some(Int.random(in: -9...9, using: &$0)) }, set: { $0.count = $1 ?? 0 }),
        .plain("count", { Bool.random(using: &$0) }, set: { $0.count = $1 ? 1 : 0 }),
      ],
      [
        .plain("size", { Double.random(in: -1...1, using: &$0) }, set: { $0.size = $1 }),
        .plain("size", { Float(Int.random(in: -9...9, using: &$0)) / 4 }, set: { $0.size = Double($1) }),
        .plain("size", { Int32.random(in: -9...9, using: &$0) }, set: { $0.size = Double($1) }),
      ],
      [
        .plain("maybe", maybe, set: { $0.maybe = $1 }),
        .plain("maybe", { Int.random(in: -9...9, using: &$0) }, set: { $0.maybe = $1 }),
        .plain("maybe", { maybe(&$0).map { Int16($0) } }, set: { $0.maybe = $1.map { Int($0) } }),
      ],
      [
        .plain("twice", { Bool.random(using: &$0) ? .some(maybe(&$0)) : nil }, set: { $0.twice = $1 }),
        .plain("twice", { Int.random(in: -9...9, using: &$0) }, set: { $0.twice = $1 }),
      ],
      [
        .plain("flag", { Bool.random(using: &$0) }, set: { $0.flag = $1 }),
        .plain("flag", { Int.random(in: 0...1, using: &$0) }, set: { $0.flag = $1 == 1 }),
      ],
      ["tags", "labels"].flatMap { key in
        [
          Form.general(key, "$<@\"NSString\">") { random, _ in
            let tags = texts(&random)
            return .init(value: .set(tags.map { .string($0) })) { $0.tags = tags }
          },
          Form.plain(key, { Array(texts(&$0)) }, set: { $0.tags = Set($1) }),
          Form.plain(key, text, set: { $0.tags = [$1] }),
          Form.plain(
            key, { Bool.random(using: &$0) ? text(&$0) : nil }, set: { $0.tags = $1.map { [$0] } ?? [] }),
        ]
      },
      [
        .plain("points", { Double.random(in: -1...1, using: &$0) }, set: { $0.points = $1 }),
        .plain("tenths", { Int.random(in: -9...9, using: &$0) }, set: { $0.points = Double($1) / 10 }),
      ],
      [
        .plain("full", text, set: { $0.full = $1 }),
        Form(properties: [.init("last", type: String.self), .init("first", type: String.self)]) { random, _ in
          let (first, last) = (text(&random), text(&random))
          return [
            DrawnValue(column: .init("first", [first]), set: { $0.full = "\(first) \(last)" }),
            DrawnValue(column: .init("last", [last]), set: { _ in }),
          ]
        },
      ],
    ]
  }

  private static var leafForms: [[Form]] {
    [
      [
        .plain("weight", { Int.random(in: -9...9, using: &$0) }, set: { ($0 as? Leaf)?.weight = $1 }),
        .plain("weight", { Int64.random(in: -9...9, using: &$0) }, set: { ($0 as? Leaf)?.weight = Int($1) }),
      ],
      ["target", "aim"].flatMap { key in
        [
          Form.general(key, "$[@\"R.Node\"]") { random, pool in
            let (ids, nodes) = pool.some(&random)
            return .init(value: .array(ids)) { ($0 as? Leaf)?.target = nodes }
          },
          Form.general(key, "@\"R.Node\"") { random, pool in
            let (value, node) = pool.one(&random)
            return .init(value: value) { ($0 as? Leaf)?.target = node.map { [$0] } ?? [] }
          },
        ]
      },
    ]
  }

  private static var unknownForms: [Form] {
    [
      .plain("note", text, set: { _, _ in }),
      .plain("number", maybe, set: { _, _ in }),
      .general("extra", "@\"R.Extra\"") { random, pool in
        .init(value: .reference(pool.extras.randomElement(using: &random))) { _ in }
      },
    ]
  }

  static func text(_ random: inout SplitMix64) -> String { "\(Int.random(in: 0..<100, using: &random))" }
  static func texts(_ random: inout SplitMix64) -> Set<String> {
    Set((0..<Int.random(in: 0..<4, using: &random)).map { _ in text(&random) })
  }
  static func maybe(_ random: inout SplitMix64) -> Int? {
    Bool.random(using: &random) ? Int.random(in: -9...9, using: &random) : nil
  }

  // MARK: References

  private static var referenceForms: [[Form]] {
    [
      ["link", "next"].flatMap { key in
        [
          Form.general(key, "@\"R.Node\"") { random, pool in
            let (value, node) = pool.one(&random)
            return .init(value: value) { $0.link = node }
          },
          Form.general(key, "@\"R.Node\",W") { random, pool in
            let (value, node) = pool.one(&random)
            return .init(value: value) { $0.link = node }
          },
        ]
      },
      [
        Form.general("links", "$[@\"R.Node\"]") { random, pool in
          let (ids, nodes) = pool.some(&random)
          return .init(value: .array(ids)) { $0.links = nodes }
        },
        Form.general("links", "@\"R.Node\"") { random, pool in
          let (value, node) = pool.one(&random)
          return .init(value: value) { $0.links = node.map { [$0] } ?? [] }
        },
      ],
      ["@\"R.Node\",W", "@\"R.Node\""].map { type in
        Form.general("owner", type) { random, pool in
          let (value, node) = pool.one(&random)
          return .init(value: value) { $0.owner = node }
        }
      },
      ["index", "byName"].map { key in
        Form.general(key, "$<@\"NSString\":@\"R.Node\">") { random, pool in
          let (ids, nodes) = pool.some(&random, skippingUnknown: false)
          let entries = ids.enumerated().map { ArchiveValue.Entry(key: .string("k\($0)"), value: $1) }
          return .init(value: .dictionary(entries)) { node in
            for (position, value) in nodes.enumerated() { node.index["k\(position)"] = value }
          }
        }
      },
    ]
  }

  // MARK: Structures and enumerations

  private static func valueForms(_ info: InfoShape, _ kind: KindShape) -> [[Form]] {
    [
      [
        Form.general("info", "$?\(info.type)") { random, pool in
          guard Bool.random(using: &random) else { return .init(value: .null) { $0.info = nil } }
          let (value, drawn) = info.draw(&random, pool)
          return .init(value: value) { $0.info = drawn }
        },
        Form.general("info", info.type) { random, pool in
          let (value, drawn) = info.draw(&random, pool)
          return .init(value: value) { $0.info = drawn }
        },
      ],
      ["infos", "details"].flatMap { key in
        [
          Form.general(key, "$[\(info.type)]") { random, pool in
            let drawn = (0..<Int.random(in: 0..<4, using: &random)).map { _ in info.draw(&random, pool) }
            return .init(value: .array(drawn.map(\.0))) { $0.infos = drawn.map(\.1) }
          },
          Form.general(key, info.type) { random, pool in
            let (value, drawn) = info.draw(&random, pool)
            return .init(value: value) { $0.infos = [drawn] }
          },
        ]
      },
      [
        Form.general("kind", kind.type) { random, pool in
          let (value, drawn) = kind.draw(&random, pool, depth: 0)
          return .init(value: value, set: { node in drawn.map { node.kind = $0 } }, isUnknown: drawn == nil)
        }
      ],
      ["kinds", "cases"].flatMap { key in
        [
          Form.general(key, "$[\(kind.type)]") { random, pool in
            let drawn = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
              kind.draw(&random, pool, depth: 0)
            }
            return .init(
              value: .array(drawn.map(\.0)), set: { $0.kinds = drawn.compactMap(\.1) },
              isUnknown: drawn.contains { $0.1 == nil })
          }
        ]
      },
    ]
  }
}

extension ObjectPool {
  /// Returns a reference to an object, or nil.
  func one(_ random: inout SplitMix64) -> (ArchiveValue, Node?) {
    guard Int.random(in: 0..<4, using: &random) > 0, let index = ids.indices.randomElement(using: &random)
    else { return (.reference(nil), nil) }
    return (.reference(ids[index]), nodes[index])
  }

  /// Returns references to objects, and the objects that the program has.
  func some(_ random: inout SplitMix64) -> ([ArchiveValue], [Node]) {
    let (values, nodes) = some(&random, skippingUnknown: false)
    return (values, nodes.compactMap(\.self))
  }

  /// Returns references to objects, and the objects. An object is nil if the program does not have its class.
  func some(_ random: inout SplitMix64, skippingUnknown: Bool) -> ([ArchiveValue], [Node?]) {
    let chosen = (0..<Int.random(in: 0..<5, using: &random)).compactMap { _ in
      ids.indices.randomElement(using: &random)
    }
    return (chosen.map { .reference(ids[$0]) }, chosen.map { nodes[$0] })
  }
}

/// The fields of ``Info`` in one release, in order.
struct InfoShape {
  private let fields: [Field]
  private enum Field: CaseIterable { case number, text, node, nodes, unknown }
  private let numberKey: String
  private let numberType: String
  private let nodesIsOne: Bool

  init(_ random: inout SplitMix64) {
    var fields: [Field] = []
    for field in Field.allCases where Int.random(in: 0..<5, using: &random) > 0 { fields.append(field) }
    self.fields = fields.isEmpty ? [.number] : fields.shuffled(using: &random)
    numberKey = Bool.random(using: &random) ? "number" : "value"
    numberType = Bool.random(using: &random) ? "d" : "q"
    nodesIsOne = Bool.random(using: &random)
  }

  var type: String {
    let texts = fields.map { field in
      switch field {
      case .number: "\"\(numberKey)\"\(numberType)"
      case .text: "\"text\"@\"NSString\""
      case .node: "\"node\"@\"R.Node\""
      case .nodes: nodesIsOne ? "\"nodes\"@\"R.Node\"" : "\"nodes\"$[@\"R.Node\"]"
      case .unknown: "\"unknown\"@\"NSString\""
      }
    }
    return "{R.Info=\(texts.joined())}"
  }

  func draw(_ random: inout SplitMix64, _ pool: ObjectPool) -> (ArchiveValue, Info) {
    var info = Info()
    let values = fields.map { field -> ArchiveValue.Field in
      switch field {
      case .number:
        let number = Int.random(in: -9...9, using: &random)
        info.number = Double(number)
        return .init(
          name: numberKey, value: numberType == "d" ? .double(Double(number)) : .integer(Int128(number)))
      case .text:
        info.text = RandomSchema.text(&random)
        return .init(name: "text", value: .string(info.text))
      case .node:
        let (value, node) = pool.one(&random)
        info.node = node
        return .init(name: "node", value: value)
      case .nodes where nodesIsOne:
        let (value, node) = pool.one(&random)
        info.nodes = node.map { [$0] } ?? []
        return .init(name: "nodes", value: value)
      case .nodes:
        let (values, nodes) = pool.some(&random)
        info.nodes = nodes
        return .init(name: "nodes", value: .array(values))
      case .unknown: return .init(name: "unknown", value: .string(RandomSchema.text(&random)))
      }
    }
    return (.structure(name: "R.Info", fields: values), info)
  }
}

/// The cases of ``Kind`` in one release, in order.
struct KindShape {
  private let cases: [Case]
  private enum Case: CaseIterable { case none, value, text, node, both, odd, oddBoth }
  private let textName: String
  private let valueType: String

  init(_ random: inout SplitMix64) {
    var cases: [Case] = [.none]
    for one in Case.allCases.dropFirst() {
      let isUnknown = one == .odd || one == .oddBoth
      if Int.random(in: 0..<6, using: &random) > (isUnknown ? 4 : 0) { cases.append(one) }
    }
    self.cases = cases.shuffled(using: &random)
    textName = Bool.random(using: &random) ? "text" : "label"
    valueType = Bool.random(using: &random) ? "d" : "q"
  }

  var type: String {
    let texts = cases.map { one in
      switch one {
      case .none: "\"none\""
      case .value: "\"value\"{?=\"\"\(valueType)}"
      case .text: "\"\(textName)\"{?=\"\"@\"NSString\"}"
      case .node: "\"node\"{?=\"\"@\"R.Node\"}"
      case .both: "\"both\"{?=\"\"$(R.Kind)\"\"$(R.Kind)}"
      case .odd: "\"odd\"{?=\"\"q}"
      case .oddBoth: "\"oddBoth\"{?=\"\"$(R.Kind)\"\"$(R.Kind)}"
      }
    }
    return "$(R.Kind=\(texts.joined()))"
  }

  /// Returns a value, and the value that the program reads; nil if the value is omitted.
  func draw(_ random: inout SplitMix64, _ pool: ObjectPool, depth: Int) -> (ArchiveValue, Kind?) {
    let flat = cases.filter { depth < 3 || $0 != .both && $0 != .oddBoth }
    func value(_ name: String, _ payload: [ArchiveValue]?) -> ArchiveValue {
      .enumeration(
        name: "R.Kind", case: name,
        payload: payload.map { .structure(name: "?", fields: $0.map { .init(name: "", value: $0) }) })
    }
    switch flat.randomElement(using: &random) ?? .none {
    case .none: return (value("none", nil), Kind.none)
    case .value:
      let number = Int.random(in: -9...9, using: &random)
      return (
        value("value", [valueType == "d" ? .double(Double(number)) : .integer(Int128(number))]),
        .value(Double(number))
      )
    case .text:
      let text = RandomSchema.text(&random)
      return (value(textName, [.string(text)]), .text(text))
    case .node:
      let (reference, node) = pool.one(&random)
      return (value("node", [reference]), .node(node))
    case .both:
      let (left, right) = (draw(&random, pool, depth: depth + 1), draw(&random, pool, depth: depth + 1))
      guard let first = left.1, let second = right.1 else { return (value("both", [left.0, right.0]), nil) }
      return (value("both", [left.0, right.0]), .both(first, second))
    case .odd: return (value("odd", [.integer(Int128(Int.random(in: 0..<9, using: &random)))]), nil)
    case .oddBoth:
      let (left, right) = (draw(&random, pool, depth: depth + 1), draw(&random, pool, depth: depth + 1))
      return (value("oddBoth", [left.0, right.0]), nil)
    }
  }
}
