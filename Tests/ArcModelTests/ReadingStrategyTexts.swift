import ArcTestSupport

/// A random JSON text of an object.
struct WaysText {
  let text: String
  /// The members of the outermost object, each with its name.
  let members: [String]
  /// Whether an object in the text has two members with the same name.
  let repeatsNames: Bool

  /// The text with the members of the outermost object in the opposite order.
  var turned: String { "{" + members.reversed().joined(separator: ",") + "}" }
}

/// The JSON that a property accepts.
indirect enum WaysShape: Sendable {
  /// One of the values in the first list. The second list contains values that are out of range or otherwise
  /// wrong.
  case one([String], [String])
  case choice([WaysShape])
  case list(WaysShape)
  /// An array of different values.
  case set([String])
  /// An object whose members have some of the names.
  case table([String], WaysShape)
  case object([WaysMember])
  /// A value between two parts of the text.
  case enclosed(String, WaysShape, String)
  /// An object of a class.
  case model(WaysModel)

  /// Whether objects of classes can be in the value.
  var isDeep: Bool {
    switch self {
    case .model: true
    case .one, .set: false
    case .list(let inner), .table(_, let inner), .enclosed(_, let inner, _): inner.isDeep
    case .choice(let shapes): shapes.contains(where: \.isDeep)
    case .object(let members): members.contains { $0.shape.isDeep }
    }
  }
}

struct WaysMember: Sendable {
  let name: String
  let shape: WaysShape
  /// Whether a text without mistakes has the member.
  let isNeeded: Bool

  init(_ name: String, _ shape: WaysShape, isNeeded: Bool = false) {
    (self.name, self.shape, self.isNeeded) = (name, shape, isNeeded)
  }
}

/// Generates random JSON texts. One half of them are right, except that members are missing or unknown.
struct WaysTexts {
  private var random: SplitMix64
  private var isTidy = true
  private var repeatsNames = false

  private static let maximumDepth = 4
  private static let junk = [
    "null", "7", "1.5", "true", #""x""#, "[1]", #"{"z":1}"#, "[]", "{}", #"[{"z":[null]}]"#,
  ]
  private static let extremes = ["1e400", "-1", "99999999999999999999999999999999999999999", "300", "-0.5"]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns a text of an object of a class.
  mutating func next(of model: WaysModel) -> WaysText {
    (isTidy, repeatsNames) = (chance(in: 2), false)
    let entries = members(model.members, depth: 1)
    let text = "{" + entries.joined(separator: ",") + "}"
    return WaysText(
      text: !isTidy && chance(in: 16) ? broken(text) : text, members: entries, repeatsNames: repeatsNames)
  }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func chance(in bound: Int) -> Bool { number(bound) == 0 }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }

  /// Returns a text that is not JSON, nor a part of an array or object.
  private mutating func broken(_ text: String) -> String {
    switch number(4) {
    case 0: String(text.prefix(1 + number(text.count - 1)))
    case 1: String(text.dropLast()) + ",}"
    case 2: text + "\u{1}"
    default: String(text.dropLast()) + #""x" 1}"#
    }
  }

  private mutating func members(_ members: [WaysMember], depth: Int) -> [String] {
    var entries: [String] = []
    for member in members {
      if !member.isNeeded, member.shape.isDeep, depth >= Self.maximumDepth || chance(in: 2) { continue }
      switch number(20) {
      case 0, 1:
        if isTidy, member.isNeeded { fallthrough }
      case 2..<16: entries.append(entry(member.name, value(member.shape, depth: depth)))
      case _ where isTidy: entries.append(entry(member.name, value(member.shape, depth: depth)))
      case 16:
        for _ in 0..<2 { entries.append(entry(member.name, value(member.shape, depth: depth))) }
        repeatsNames = true
      default: entries.append(entry(member.name, wrongValue(for: member.shape)))
      }
    }
    if chance(in: isTidy ? 12 : 6) {
      entries.append(entry(pick(["unknown", "zz", "Id", "a b", "é", "void"]), pick(Self.junk)))
    }
    if chance(in: 2) { entries.shuffle(using: &random) }
    return entries
  }

  /// Returns a member, maybe with white space around its parts, and maybe with an escape in its name.
  private mutating func entry(_ name: String, _ value: String) -> String {
    var quoted = "\"\(name)\""
    if let first = name.unicodeScalars.first, chance(in: 12) {
      let digits = String(first.value, radix: 16, uppercase: chance(in: 2))
      let zeros = String(repeating: "0", count: 4 - digits.count)
      quoted = "\"\\u\(zeros)\(digits)\(name.dropFirst())\""
    }
    return "\(space())\(quoted)\(space()):\(space())\(value)\(space())"
  }

  private mutating func space() -> String { chance(in: 8) ? pick([" ", "\n", "\t ", "\r\n  "]) : "" }

  private mutating func value(_ shape: WaysShape, depth: Int) -> String {
    switch shape {
    case .one(let fitting, _): return pick(fitting)
    case .choice(let shapes): return value(pick(shapes), depth: depth)
    case .list(let element):
      let count = number(element.isDeep ? 3 : 4)
      return "[" + (0..<count).map { _ in self.element(element, depth: depth) }.joined(separator: ",") + "]"
    case .set(let elements):
      var values = Array(elements.shuffled(using: &random).prefix(number(elements.count + 1)))
      if !isTidy, chance(in: 8) { values.append(pick(elements + Self.junk)) }
      return "[" + values.joined(separator: ",") + "]"
    case .table(let names, let element):
      var keys = Array(names.shuffled(using: &random).prefix(number(names.count + 1)))
      if !isTidy, chance(in: 8) { keys.append(pick(["x", "", "1.0"])) }
      let entries = keys.map { entry($0, self.element(element, depth: depth)) }
      return "{" + entries.joined(separator: ",") + "}"
    case .object(let members):
      return "{" + self.members(members, depth: depth).joined(separator: ",") + "}"
    case .enclosed(let start, let inner, let end): return start + value(inner, depth: depth) + end
    case .model(let model):
      return "{" + members(model.members, depth: depth + 1).joined(separator: ",") + "}"
    }
  }

  private mutating func element(_ shape: WaysShape, depth: Int) -> String {
    if !isTidy, chance(in: 8) { return wrongValue(for: shape) }
    return value(shape, depth: depth)
  }

  /// Returns null, a value of another kind, a number as text, or a value that is out of range.
  private mutating func wrongValue(for shape: WaysShape) -> String {
    guard case .one(let fitting, let unfitting) = shape else { return pick(Self.junk + Self.extremes) }
    switch number(4) {
    case 0: return "null"
    case 1: return pick(Self.junk)
    case 2:
      let right = pick(fitting)
      return right.contains("\"") ? #"" 12 ""# : "\"\(right)\""
    default: return pick(unfitting.isEmpty ? Self.extremes : unfitting)
    }
  }
}
