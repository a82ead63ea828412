import ArcJSON
import ArgumentParser

/// The manual page of arcdump, built from the configurations of its commands.
enum ManualPage {
  /// The page in roff format, for man(1).
  static var text: String {
    var page = Roff(name: "arcdump")
    page.section("NAME")
    page.paragraphs("arcdump - \(Arcdump.configuration.abstract)")
    page.section("SYNOPSIS")
    page.lines(Arcdump.configuration.usage ?? "")
    page.section("DESCRIPTION")
    page.paragraphs(Arcdump.configuration.discussion)
    page.section("COMMANDS")
    // ArgumentParser describes the arguments of commands only in this JSON dump.
    let help = try? JSONValue(parsing: Arcdump._dumpHelp())
    for command in help?["command"]?["subcommands"]?.elements ?? [] where command["commandName"] != "help" {
      add(command, to: &page)
    }
    page.section("ENVIRONMENT")
    for (name, meaning) in environment {
      page.term(name)
      page.paragraphs(meaning)
    }
    page.section("SEE ALSO")
    page.paragraphs("less(1)")
    return page.text
  }

  private static let environment = [
    ("ARCDUMP_PAGER, PAGER", "The pager for output on a terminal. (default: less -FRX)"),
    ("LESS", "The options of less. (default: FRX)"),
    ("NO_COLOR", "If set, arcdump uses no colour, except with --color always. See https://no-color.org."),
    ("TERM", "If 'dumb', arcdump uses no colour and shows no progress."),
  ]

  private static func add(_ command: JSONValue, to page: inout Roff) {
    page.subsection("arcdump \(command["commandName"]?.text ?? "")")
    page.paragraphs(command["abstract"]?.text ?? "")
    if let discussion = command["discussion"]?.text { page.paragraphs("\n" + discussion) }
    for argument in command["arguments"]?.elements ?? [] where argument["shouldDisplay"] != false {
      page.term(term(of: argument))
      let standard = argument["defaultValue"]?.text.map { " (default: \($0))" } ?? ""
      page.paragraphs((argument["abstract"]?.text ?? "") + standard)
    }
  }

  /// Returns the heading of an argument: `FILE`, `--depth N` or `-h, --help`.
  private static func term(of argument: JSONValue) -> String {
    let value = argument["valueName"]?.text?.uppercased() ?? ""
    let more = argument["isRepeating"] == true ? "…" : ""
    guard argument["kind"] != "positional" else { return value + more }
    let names = (argument["names"]?.elements ?? []).map { name in
      (name["kind"] == "long" ? "--" : "-") + (name["name"]?.text ?? "")
    }
    return names.joined(separator: ", ") + (argument["kind"] == "option" ? " " + value + more : "")
  }
}

extension JSONValue {
  /// The elements of an array. Empty if the value is not an array.
  fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  /// The string. Nil if the value is not a string.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
