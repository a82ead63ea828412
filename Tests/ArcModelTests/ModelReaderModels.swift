import Arc
import ArcModel
import Foundation

/// A small social network, as a server might send it.
@Archivable("ModelAuthor") class Author {
  let id: Int
  var name = "anonymous"
  var nickname: String? = "none"
  @Key(json: "secret") private var secret = "unset"
  var isSecretSet: Bool { secret != "unset" }

  init(id: Int) { self.id = id }
}

@Archivable("ModelEditor") final class Editor: Author {
  var desk: String
  var reports: [Author] = []
  weak var chief: Author?

  init(id: Int, desk: String) {
    self.desk = desk
    super.init(id: id)
  }
}

@Archivable("ModelPoint") struct GridPoint: Equatable {
  var x: Double
  var y: Double
  var label: String?
}

@Archivable("ModelShape") enum Outline: Equatable {
  case circle(radius: Double)
  case polygon([GridPoint])
  case empty
}

enum Rank: String, ArchivableValue { case low, high }

@Archivable("ModelSheet") final class Sheet {
  var title: String
  var author: Author?
  var authors: [String: Author] = [:]
  var matrix: [[Int]] = []
  var marks: [Int: Bool] = [:]
  var tags: Set<String> = []
  var outline = Outline.empty
  var outlines: [Outline] = []
  var origin = GridPoint(x: 0, y: 0)
  var ranks: [Rank] = []
  var rank = Rank.low
  var date: Date?
  var uuid: UUID?
  var price: Decimal = 0
  var link: URL?
  var data: Data?
  var big: UInt64 = 0
  var huge: Int128 = 0
  var ratio: Float = 0
  var flag = false
  var level: Int8 = 3
  var createdAtTime = 0.5

  init(title: String) { self.title = title }
}

@Archivable("ModelNode") final class Knot {
  var value = 0
  var next: Knot?
}

@Archivable("ModelCrate") final class Crate<Item: ArchivableValue> {
  var items: [Item] = []
  init() {}
}

@Archivable("ModelNothing") struct EmptyRecord {}
