import ArcFormat
import XCTest

@testable import ArcInspection

#if canImport(FoundationXML)
  import FoundationXML
#endif

final class GraphExportTests: XCTestCase {
  // MARK: DOT

  func testDotExportHasObjectNodesAndReferenceEdges() throws {
    let output = try export("dot", "--columns", "name,age,friends,mother,rival", on: QueriedArchives.zoo())
      .output
    XCTAssertEqual(
      output.split(separator: "\n").sorted().joined(separator: "\n"),
      #"""
        n1 -> n2 [label="friends[0]"];
        n1 -> n2 [label="mother", style=dashed];
        n1 -> n3 [label="friends[1]"];
        n1 [label="Dog #1\nname: Rex\nage: 5"];
        n2 -> n1 [label="friends[0]"];
        n2 -> n4 [label="rival"];
        n2 [label="Dog #2\nname: Mia\nage: 9"];
        n3 -> n1 [label="mother", style=dashed];
        n3 [label="Zoo.Animal #3\nname: Tom\nage: 3"];
        n4 [label="Zoo.Animal #4\nname: Lea\nage: 2"];
        node [shape=box];
      digraph archive {
      }
      """#)
  }

  func testDotExportContainsTheRoots() throws {
    let output = try export("dot", on: QueriedArchives.zoo()).output
    XCTAssertTrue(output.contains("  n0 [label=\"roots\"];\n  n0 -> n1 [label=\"root\"];\n"), output)
    XCTAssertTrue(output.contains("  n0 -> n3 [label=\"others[0]\"];\n"), output)
  }

  func testTextIsNotInterpretedAsDotSyntax() throws {
    let builder = try RowWiseArchive(roots: [("root", #"@"NSString""#)])
    try builder.row(0, .text("\"]; evil [label=\"\\ &amp; \n\u{1B}[31m <b>"))
    XCTAssertEqual(
      try export("dot", on: builder.finish()).output.split(separator: "\n").dropFirst(2).first.map(
        String.init),
      ##"  n0 [label="roots\nroot: \"]; evil [label=\"\\ &amp;amp; \\u{a}\\u{1b}[31m <b>"];"##)
  }

  // MARK: GraphML

  func testGraphMLHasTypedAttributesAndEdges() throws {
    let graph = try GraphMLReader.read(export("graphml", on: QueriedArchives.zoo()).output)
    XCTAssertEqual(graph.nodes.count, 5)
    XCTAssertEqual(
      graph.nodes["n1"],
      [
        "class": "Dog", "age": "5", "name": "Rex", "Zoo.Animal.age": "40", "nick": "Rexy",
        "home": #"{"$struct":"Home","fields":{"street":"Elm","number":7}}"#,
        "shape": #"{"$enum":"Shape","case":"long","payload":{"$struct":"?","fields":{"length":0.5}}}"#,
        "toys": #"{"$dictionary":[["ball",2],["two words",1]]}"#, "tags": #"{"$set":["big","red"]}"#,
      ])
    XCTAssertEqual(
      graph.edges.sorted(),
      [
        "n0 n1 property=root", "n0 n3 position=0 property=others", "n1 n2 position=0 property=friends",
        "n1 n2 property=mother weak=true", "n1 n3 position=1 property=friends",
        "n2 n1 position=0 property=friends", "n2 n4 property=rival", "n3 n1 property=mother weak=true",
      ])
    XCTAssertEqual(graph.types["age"], "long")
    XCTAssertEqual(graph.types["name"], "string")
  }

  func testReferencesInStructuresAndKeysBecomeEdges() throws {
    let graph = try GraphMLReader.read(export("graphml", on: SampleArchives.kinds()).output)
    XCTAssertEqual(
      graph.edges.filter { $0.hasPrefix("n1 ") }.sorted(),
      [
        "n1 n1 property=pair.owner", "n1 n2 position=0 property=keys.keys",
        "n1 n2 property=pair.link weak=true",
      ])
    XCTAssertEqual(graph.nodes["n1"]?["double"], "-Infinity")
    XCTAssertEqual(graph.nodes["n1"]?["data"], "Aas=")
  }

  func testTextIsNotInterpretedAsMarkup() throws {
    let texts = ["<b>&\"'", "a\tb\nc\rd", "a\0b\u{1B}", "\u{FFFE}\u{202E}", "😀]]>"]
    let output = try texts.map { text in
      let builder = try RowWiseArchive(roots: [("root", #"@"NSString""#)])
      try builder.row(0, .text(text))
      return try GraphMLReader.read(export("graphml", on: builder.finish()).output).nodes["n0"]?["root"] ?? ""
    }
    XCTAssertEqual(output, ["<b>&\"'", "a\tb\nc\rd", "a\\u{0}b\\u{1b}", "\\u{fffe}\u{202E}", "😀]]>"])
    for text in texts {
      XCTAssertNoThrow(try GraphMLReader.read(export("graphml", on: SampleArchives.text(text)).output), text)
    }
  }

  func testPartialExportHasNoEdgesToOmittedObjects() throws {
    let zoo = try QueriedArchives.zoo()
    let graph = try GraphMLReader.read(export("graphml", "--class", "Dog", on: zoo).output)
    XCTAssertEqual(graph.nodes.keys.sorted(), ["n1", "n2"])
    XCTAssertEqual(
      graph.edges.sorted(),
      [
        "n1 n2 position=0 property=friends", "n1 n2 property=mother weak=true",
        "n2 n1 position=0 property=friends",
      ])
  }
}

/// A reader of the nodes, edges and attributes in a GraphML document.
private final class GraphMLReader: NSObject, XMLParserDelegate {
  var nodes: [String: [String: String]] = [:]
  var edges: [String] = []
  /// The types of attributes, by name.
  var types: [String: String] = [:]

  private var names: [String: String] = [:]
  private var element: [String: String] = [:]
  private var data: [String: String] = [:]
  private var key = ""
  private var text = ""

  static func read(_ document: String) throws -> GraphMLReader {
    let reader = GraphMLReader()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = reader
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return reader
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    switch name {
    case "key":
      names[attributes["id"] ?? ""] = attributes["attr.name"]
      types[attributes["attr.name"] ?? ""] = attributes["attr.type"]
    case "node", "edge": (element, data) = (attributes, [:])
    case "data": (key, text) = (names[attributes["key"] ?? ""] ?? "?", "")
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    switch name {
    case "data": data[key] = text
    case "node": nodes[element["id"] ?? ""] = data
    case "edge":
      let values = data.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
      edges.append("\(element["source"] ?? "") \(element["target"] ?? "")" + values)
    default: break
    }
  }
}
