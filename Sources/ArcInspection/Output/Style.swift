/// A style for text: with or without colours.
struct Style {
  /// The role of a piece of text, which determines its colour.
  enum Role {
    case plain
    /// The key of a property, the name of a root or field.
    case key
    /// The name of a class or type.
    case type
    case string
    case number
    /// Text that arcdump adds to the contents of the file: `(above)`, `weak`, `…`.
    case mark
    case heading

    /// The parameter of the terminal's SGR sequence (ECMA-48), for one of the eight colours that all
    /// terminals support. Nil if text in this role has no colour.
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

  /// Returns the text in the colour of its role, or unchanged in a style without colours.
  func callAsFunction(_ role: Role, _ text: String) -> String {
    guard isColored, !text.isEmpty, let parameter = role.parameter else { return text }
    return Self.start(parameter) + text + Self.end
  }

  /// Returns the control sequence that begins the colour of a role. Nil if the role has no colour.
  func start(of role: Role) -> String? { role.parameter.map(Self.start) }

  /// The control sequence that ends a colour.
  static let end = "\u{1B}[0m"

  private static func start(_ parameter: String) -> String { "\u{1B}[\(parameter)m" }
}

/// The value of the option `--color`.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// Returns the style for a console. `auto` means colours on a terminal that supports them, unless
  /// `NO_COLOR` is set (https://no-color.org).
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
