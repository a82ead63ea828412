import Arc

// The classes as which random files are read. Each property has several forms in these files.

@Archivable("R.Node") class Node {
  @Key("name", "title") var name = "initial"
  var count = 7
  var size = 1.5
  var maybe: Int?
  var twice: Int?? = .some(nil)
  var flag = true
  @Key("tags", "labels") var tags: Set<String> = ["initial"]
  @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) var points = 1.0
  @Key("full") @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) var full = "nobody"
  @Key("link", "next") var link: Node?
  var links: [Node] = []
  weak var owner: Node?
  @Key("index", "byName") var index: [String: Node] = [:]
  var info: Info?
  @Key("infos", "details") var infos: [Info] = []
  var kind = Kind.none
  @Key("kinds", "cases") var kinds: [Kind] = []
  init() {}
}

@Archivable("R.Leaf") final class Leaf: Node {
  var weight = 2
  @Key("target", "aim") var target: [Node] = []
  override init() { super.init() }
}

@Archivable("R.Info") struct Info {
  @Key("number", "value") var number: Double = 3
  var text: String = "t"
  var node: Node?
  var nodes: [Node] = []
}

@Archivable("R.Kind") indirect enum Kind {
  case none
  case value(Double)
  @Key("text", "label") case text(String)
  case node(Node?)
  case both(Kind, Kind)
}

@Archivable("R.Root") final class NodeList {
  var nodes: [Node] = []
  init() {}
}
