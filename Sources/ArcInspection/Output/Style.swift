/// How text for people looks: with colour or without.
struct Style {
  /// What a piece of text is.
  enum Role {
    case plain
    /// The key of a property, the name of a root or field.
    case key
    /// The name of a class or type.
    case type
    case string
    case number
    /// What arcdump adds: `(above)`, `weak`, `…`.
    case mark
    case heading

    /// The SGR parameter of ECMA-48, from the eight colours that every terminal has.
    fileprivate var parameter: String? {
      switch self {
      case .plain: nil
      case .key: "34"
      case .type: "36"
      case .string: "32"
      case .number: "33"
      case .mark: "2"
      case .heading: "1"
      }
    }
  }

  let isColored: Bool

  /// The text in its colour, if there is colour.
  func callAsFunction(_ role: Role, _ text: String) -> String {
    guard isColored, !text.isEmpty, let parameter = role.parameter else { return text }
    return Self.start(parameter) + text + Self.end
  }

  /// What begins a colour; nil for a role without one.
  func start(of role: Role) -> String? { role.parameter.map(Self.start) }

  /// What ends a colour.
  static let end = "\u{1B}[0m"

  private static func start(_ parameter: String) -> String { "\u{1B}[\(parameter)m" }
}

/// What the user said about colour.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// The style for a console: `auto` is colour on a terminal that knows it, unless `NO_COLOR` is set
  /// (https://no-color.org).
  func style(for console: Console) -> Style {
    switch self {
    case .always: Style(isColored: true)
    case .never: Style(isColored: false)
    case .auto:
      Style(
        isColored: console.isTerminal && (console.environment("NO_COLOR") ?? "").isEmpty
          && console.environment("TERM") != "dumb")
    }
  }
}
