import ArcArchive
import ArcFormat

/// A value in a report, with a form in text and a form in JSON.
enum ReportValue: Reportable {
  /// No value. Empty in text, `null` in JSON.
  case null
  /// No value. In JSON, the member is omitted. In text, a field is omitted, and the cell of a table is empty.
  case absent
  case bool(Bool)
  /// A number. In text, thousands are separated.
  case number(Int128)
  /// A string from a file. In text, it has escapes.
  case text(String)
  /// A name from a file. In text, it has escapes and is truncated.
  case name(String)
  /// Words for the text, and a value for the JSON.
  case words(Words, as: any Reportable)
  /// A value from an archive, for the JSON only.
  case archived(ArchiveValue)
  /// An array, for the JSON only. Its elements are computed during printing, because a file can repeat a long
  /// string in each element.
  case list(each: ((any Reportable) throws -> Void) throws -> Void)
  /// An object, for the JSON only.
  case members([(key: String, value: any Reportable)])

  /// Returns an object with these members.
  static func record(_ members: KeyValuePairs<String, any Reportable>) -> ReportValue {
    .members(members.map { ($0.key, $0.value) })
  }

  /// Returns an array with a value for each element.
  static func list<Elements: Sequence>(
    _ elements: Elements, _ value: @escaping (Elements.Element) throws -> any Reportable
  ) -> ReportValue {
    .list { body in for element in elements { try body(value(element)) } }
  }

  /// Returns an array with an object for each element.
  static func records<Elements: Sequence>(
    _ elements: Elements,
    _ members: @escaping (Elements.Element) throws -> KeyValuePairs<String, any Reportable>
  ) -> ReportValue {
    list(elements) { record(try members($0)) }
  }

  /// Returns text that tables align as a number, with `value` for the JSON.
  static func figure(_ text: String, as value: any Reportable = ReportValue.null) -> ReportValue {
    .words(Words(text, isNumber: true), as: value)
  }

  /// Returns the value for a report. Returns `absent` if `value` is nil, unlike `reportValue`, which returns
  /// `null`.
  static func ifPresent(_ value: (some Reportable)?) -> ReportValue { value?.reportValue ?? .absent }

  var reportValue: ReportValue { self }

  /// Returns the words that represent the value in text. Words without a role get `role`. Nil if the value is
  /// `absent`.
  func words(_ role: Style.Role) -> Words? {
    switch self {
    case .absent: nil
    case .number(let number): Words(grouped(number), role, isNumber: true)
    case .text(let text): Words(printable(text), role)
    case .name(let name): Words(printableName(name), role)
    case .words(let words, _): words.inRole(role)
    case .null, .bool, .archived, .list, .members: Words("")
    }
  }
}

/// A type whose values a report can contain.
protocol Reportable {
  /// The value as part of a report.
  var reportValue: ReportValue { get }
}

extension Int: Reportable { var reportValue: ReportValue { .number(Int128(self)) } }
extension UInt32: Reportable { var reportValue: ReportValue { .number(Int128(self)) } }
extension UInt64: Reportable { var reportValue: ReportValue { .number(Int128(self)) } }
extension Bool: Reportable { var reportValue: ReportValue { .bool(self) } }
extension String: Reportable { var reportValue: ReportValue { .text(self) } }
extension ArchiveValue: Reportable { var reportValue: ReportValue { .archived(self) } }
extension Words: Reportable { var reportValue: ReportValue { .words(self, as: plainText) } }
extension Array: Reportable where Element: Reportable {
  var reportValue: ReportValue { .list(self) { $0 } }
}
extension ObjectID: Reportable { var reportValue: ReportValue { .number(Int128(rawValue)) } }
extension Optional: Reportable where Wrapped: Reportable {
  var reportValue: ReportValue { self?.reportValue ?? .null }
}

/// Text in pieces, each with a role that determines its colour. The creator must apply `printable` to the
/// parts that come from a file.
struct Words {
  private var pieces: [(text: String, role: Style.Role)]
  /// Whether tables align the words to the right.
  let isNumber: Bool

  init(_ text: String, _ role: Style.Role = .plain, isNumber: Bool = false) {
    pieces = [(text, role)]
    self.isNumber = isNumber
  }

  /// The number of characters.
  var count: Int { pieces.reduce(0) { $0 + $1.text.count } }

  /// The text without colours.
  var plainText: String { text(in: Style(isColored: false)) }

  /// The text with the colours of a style.
  func text(in style: Style) -> String { pieces.reduce("") { $0 + style($1.role, $1.text) } }

  /// Returns the words with `role` for each piece without a role.
  func inRole(_ role: Style.Role) -> Words {
    var words = self
    for index in pieces.indices where pieces[index].role == .plain { words.pieces[index].role = role }
    return words
  }

  static func + (words: Words, others: Words) -> Words {
    var sum = words
    sum.pieces += others.pieces
    return sum
  }

  static func + (words: Words, text: String) -> Words { words + Words(text) }
}
