import Arc
import ArcJSON
import ArcModel

/// Texts that try to cost more time than their size justifies. Each is read at one size and at four times
/// that size, and the time per byte must be equal.
enum HostileTexts {
  /// A kind of hostile text.
  struct Shape {
    let name: String
    /// Returns a text with `count` parts.
    let text: (_ count: Int) -> String
    /// Reads the text. An expected error is a result, too.
    let read: ([UInt8]) throws -> Any
  }

  /// All kinds of hostile texts.
  static var all: [Shape] {
    [
      Shape(
        name: "objects in objects",
        text: { repeated(#"{"next":"#, $0 / 10) + "null" + repeated("}", $0 / 10) },
        read: { try deepReader.read(LinkModel.self, from: $0) }),
      Shape(
        name: "lists in lists, unknown",
        text: { #"{"x":"# + repeated("[", $0) + repeated("]", $0) + "}" },
        read: { try deepReader.read(LinkModel.self, from: $0) }),
      Shape(
        name: "one unknown key, again and again", text: { "{" + repeated(#""a":1,"#, $0) + #""a":1}"# },
        read: { refusal(of: $0) }),
      Shape(
        name: "one key of a class, again and again",
        text: { "{" + repeated(#""value":1,"#, $0) + #""value":1}"# },
        read: { refusal(of: $0) }),
      Shape(
        name: "unknown keys", text: { "{" + numbered($0) { #""key\#($0)":1"# } + "}" },
        read: { try ModelReader().read(LinkModel.self, from: $0) }),
      Shape(
        name: "keys of a dictionary", text: { "{" + numbered($0) { #""key\#($0)":1"# } + "}" },
        read: { try [String: Int](json: $0) }),
      Shape(
        name: "a long integer", text: { #"{"value":1"# + repeated("7", $0) + "}" },
        read: { refusal(of: $0) }),
      Shape(
        name: "a long fraction", text: { #"{"share":0.1"# + repeated("7", $0) + "}" },
        read: { try ModelReader().read(LinkModel.self, from: $0) }),
      Shape(
        name: "escapes", text: { #"{"name":""# + repeated(#"\u00e9"#, $0) + #""}"# },
        read: { try ModelReader().read(LinkModel.self, from: $0) }),
      Shape(
        name: "values of a wrong kind, lenient",
        text: { "[" + numbered($0) { _ in #"{"value":"no"}"# } + "]" },
        read: { try ModelReader(.lenient).read([LinkModel].self, from: $0) }),
      Shape(
        name: "references to one object",
        text: { #"[{"$id":"1"},"# + numbered($0) { _ in #"{"next":{"$ref":"1"}}"# } + "]" },
        read: { try markedReader.read([LinkModel].self, from: $0) }),
    ]
  }

  /// Returns the error for a text that the reader rejects.
  private static func refusal(of text: [UInt8]) -> Any {
    do { return try ModelReader().read(LinkModel.self, from: text) } catch { return error }
  }

  private static var deepReader: ModelReader {
    var reader = ModelReader()
    reader.limits.depth = .max
    return reader
  }

  private static var markedReader: ModelReader {
    var reader = ModelReader()
    reader.references = .marked
    return reader
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func numbered(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: ",")
  }
}

@Archivable final class LinkModel {
  var value = 0
  var share = 0.0
  var name = ""
  var next: LinkModel?
}
