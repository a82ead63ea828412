import ArcArchive
import ArcFormat

/// A value of a report, which people and programs read in different forms.
enum ReportValue: Reportable {
  /// No value: no text, `null` in JSON.
  case null
  /// No value, no member in JSON, and no cell at the end of a row.
  case absent
  case bool(Bool)
  /// A number, in text with separated thousands.
  case number(Int128)
  /// A string of a file, in text with escapes.
  case text(String)
  /// A name in a file, in text with escapes and truncated.
  case name(String)
  /// Words for people, and the value for programs.
  case words(Words, as: any Reportable)
  /// A value of an archive, for programs only.
  case archived(ArchiveValue)
  /// An array, for programs only. Its elements are computed while they are printed, because a file can repeat
  /// a long string in each element.
  case list(each: ((any Reportable) throws -> Void) throws -> Void)
  /// An object, for programs only.
  case members([(key: String, value: any Reportable)])

  /// An object with some members.
  static func record(_ members: KeyValuePairs<String, any Reportable>) -> ReportValue {
    .members(members.map { ($0.key, $0.value) })
  }

  /// An array of a value for each element.
  static func list<Elements: Sequence>(
    _ elements: Elements, _ value: @escaping (Elements.Element) throws -> any Reportable
  ) -> ReportValue {
    .list { body in for element in elements { try body(value(element)) } }
  }

  /// An array of an object for each element.
  static func records<Elements: Sequence>(
    _ elements: Elements,
    _ members: @escaping (Elements.Element) throws -> KeyValuePairs<String, any Reportable>
  ) -> ReportValue {
    list(elements) { record(try members($0)) }
  }

  /// Words for people that are aligned as a number.
  static func figure(_ text: String, as value: any Reportable = ReportValue.null) -> ReportValue {
    .words(Words(text, isNumber: true), as: value)
  }

  /// A value that is absent instead of `null` if there is none.
  static func ifPresent(_ value: (some Reportable)?) -> ReportValue { value?.reportValue ?? .absent }

  var reportValue: ReportValue { self }

  /// The words for people, in a role unless they have one; nil if there is no cell.
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

/// A value that a report can contain.
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

/// Text for people, in pieces with a role each. `printable` was applied to the parts that come from a file.
struct Words {
  private var pieces: [(text: String, role: Style.Role)]
  /// Whether a table aligns the words as a number.
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

  /// The words with another role where they have none.
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
