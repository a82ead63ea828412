import ArcArchive
import ArcFormat
import ArcRuntime

/// `--format graphml`: a graph in GraphML, an XML format that Gephi, yEd, igraph and NetworkX read.
///
/// A node has its `class` and its attributes. An edge has a `property`. An edge from a collection also has a
/// `position`, and an edge from a dictionary has a `key`. `weak` is true for weak references. Attributes with
/// equal name and type share one declaration, even if they belong to different classes. Characters that are
/// not valid in XML are written as `\u{0}`.
struct GraphMLExport: ExportWriter {
  private let model: GraphModel
  private let output: Output
  /// The number of the GraphML key that declares an attribute, by class index and attribute index.
  private var keys: [[Int]] = []
  private var declarations: [String] = []

  init(_ objects: ExportedObjects, to output: Output) {
    model = GraphModel(objects)
    self.output = output
    var numbers: [ExactName: Int] = [:]
    keys = model.attributes.map { attributes in
      attributes.map { attribute in
        let type = attribute.kind.javaName
        let name = ExactName(type + " " + attribute.name)
        if let known = numbers[name] { return known }
        let number = declarations.count
        numbers[name] = number
        declarations.append(
          "<key id=\"a\(number)\" for=\"node\" attr.name=\"\(XMLText.escaped(attribute.name))\" "
            + "attr.type=\"\(type)\"/>")
        return number
      }
    }
  }

  func begin() throws {
    try output.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    try output.line("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")
    try output.line("<key id=\"class\" for=\"node\" attr.name=\"class\" attr.type=\"string\"/>")
    for declaration in declarations { try output.line(declaration) }
    for (name, type) in [
      ("property", "string"), ("position", "long"), ("key", "string"), ("weak", "boolean"),
    ] {
      try output.line("<key id=\"\(name)\" for=\"edge\" attr.name=\"\(name)\" attr.type=\"\(type)\"/>")
    }
    try output.line("<graph edgedefault=\"directed\">")
  }

  func write(_ row: ExportedRow) throws {
    let id = row.id.rawValue
    let name = model.objects.catalog.file.classes[row.classIndex].name
    try output.write("<node id=\"n\(id)\">" + Self.data("class", name))
    for (attribute, index, text) in try model.attributes(of: row) {
      try output.write(
        Self.data("a\(keys[row.classIndex][index])", attribute.kind == .real ? XMLText.number(text) : text))
    }
    try output.line("</node>")
    let output = output
    try model.forEachEdge(of: row) { edge in
      try output.write("<edge source=\"n\(id)\" target=\"n\(edge.target.rawValue)\">")
      try output.write(Self.data("property", edge.property))
      if let position = edge.position { try output.write(Self.data("position", String(position))) }
      if let key = edge.key { try output.write(Self.data("key", key)) }
      if edge.isWeak { try output.write(Self.data("weak", "true")) }
      try output.line("</edge>")
    }
  }

  func end() throws {
    try output.line("</graph>")
    try output.line("</graphml>")
  }

  private static func data(_ key: String, _ text: String) -> String {
    "<data key=\"\(key)\">\(XMLText.escaped(text))</data>"
  }
}

/// Writes text and numbers in XML.
enum XMLText {
  /// Returns a string as content or attribute value. A character that is not printable is written as a
  /// character reference, or as `\u{1b}` if XML cannot contain the character.
  static func escaped(_ text: String) -> String {
    var filter = PrintableFilter()
    var result = ""
    for scalar in text.unicodeScalars {
      let entity = entity(of: scalar)
      if filter.shows(scalar, isEscaped: entity != nil) {
        result.unicodeScalars.append(scalar)
      } else if let entity {
        result += entity
      } else if isCharacter(scalar) {
        result += "&#\(scalar.value);"
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }

  /// Returns the entity that replaces a character in XML, because the character has a meaning in XML. Nil if
  /// the character has no such meaning.
  private static func entity(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }

  /// Whether a document of XML 1.0 can contain a character.
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
      || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  /// Returns the text of a floating-point number in the notation that programs in Java and Python read.
  static func number(_ text: String) -> String {
    switch text {
    case "nan": "NaN"
    case "inf": "Infinity"
    case "-inf": "-Infinity"
    default: text
    }
  }
}
