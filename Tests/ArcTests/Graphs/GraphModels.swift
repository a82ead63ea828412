import Arc
import ArcTestSupport

// The classes that the tests in this folder copy and compare.

protocol VertexContent {}

/// A class with references of all kinds, also in values.
@Archivable class Vertex {
  var name: String
  var number = 0.0
  var left: Vertex?
  var right: Vertex?
  var children: [Vertex] = []
  var members: Set<Fellow> = []
  var byName: [String: Vertex] = [:]
  var owners: [Fellow: Vertex] = [:]
  var content: (any VertexContent)?
  var contents: [any VertexContent] = []
  var shape = Outline.empty
  var depth: Int??
  var pair = VertexPair()
  var tags: Set<String> = []
  var counts: [String: Int] = [:]
  weak var parent: Vertex?
  unowned var home: Vertex?
  @Transient var cache = "initial"
  init(_ name: String, _ children: [Vertex] = []) {
    self.name = name
    self.children = children
    for child in children { child.parent = self }
  }
}

@Archivable final class SubVertex: Vertex {
  var extra = 0
}

/// A class whose objects are equal only if they are identical.
@Archivable final class Fellow: HashedByIdentity {
  var name: String
  var vertex: Vertex?
  init(_ name: String, _ vertex: Vertex? = nil) {
    self.name = name
    self.vertex = vertex
  }
}

@Archivable struct VertexPair {
  var vertex: Vertex?
  weak var observer: Vertex?
}

@Archivable struct Amount: VertexContent {
  var number = 0.0
  var vertex: Vertex?
}

@Archivable enum Outline {
  case empty
  case circle(radius: Double)
  case named(Vertex)
}

@Archivable class Picture: VertexContent {
  var title: String
  var owner: Vertex?
  init(_ title: String) { self.title = title }
}

@Archivable final class Mural: Picture {}

/// A class that requires its parts for construction.
@Archivable final class FramedPicture {
  let image: Picture
  let parent: FramedPicture?
  var frames: [FramedPicture] = []
  init(_ image: Picture, in parent: FramedPicture? = nil) {
    self.image = image
    self.parent = parent
    parent?.frames.append(self)
  }
}

/// A class with hand-written coding. It requires an object for construction that comes later in an archive.
final class HandPage: HandWrittenClass {
  let text: String
  let picture: Picture
  private(set) var next: HandPage?
  init(_ text: String, _ picture: Picture, _ next: HandPage?) {
    (self.text, self.picture, self.next) = (text, picture, next)
  }
  init(from decoder: borrowing ObjectDecoder) throws {
    text = try decoder.decode(String.self, forKey: "text")
    picture = try decoder.decode(Picture.self, forKey: "picture")
    next = try decoder.decode(HandPage?.self, forKey: "next")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(text, forKey: "text")
    try encoder.encode(picture, forKey: "picture")
    try encoder.encode(next, forKey: "next")
  }
}

/// A class with hand-written coding.
final class HandRecord: Archivable {
  var title: String
  var parent: HandRecord?
  var records: [HandRecord] = []
  init(_ title: String) { self.title = title }
  init(from decoder: borrowing ObjectDecoder) throws {
    title = try decoder.decode(String.self, forKey: "title")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(title, forKey: "title")
    try encoder.encode(parent, forKey: "parent")
    try encoder.encode(records, forKey: "records")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    parent = try decoder.decode(HandRecord?.self, forKey: "parent")
    records = try decoder.decode([HandRecord].self, forKey: "records")
  }
}

extension Vertex {
  /// Returns a graph with each kind of property. All returned graphs are equal.
  static func everything() -> Vertex {
    let (one, two, three) = (Vertex("one"), SubVertex("two"), Vertex("three"))
    let root = Vertex("root", [one, two, three])
    (one.left, one.right) = (two, three)
    (two.left, three.left) = (root, three)
    two.extra = 7
    one.home = root
    let (ann, bob) = (Fellow("Ann", one), Fellow("Bob"))
    root.members = [ann, bob, Fellow("Cy", Vertex("inner", [Vertex("innermost")]))]
    root.byName = ["one": one, "two": two, "other": Vertex("other")]
    root.owners = [ann: two, bob: three]
    root.content = Amount(number: 1.5, vertex: two)
    root.pair = VertexPair(vertex: one, observer: three)
    root.contents = [Picture("cover"), Amount(number: 2)]
    root.shape = .circle(radius: 2)
    one.shape = .named(three)
    root.depth = .some(nil)
    root.tags = ["a", "b", "c"]
    root.counts = ["x": 1, "y": 2]
    return root
  }
}
