import Arc
import Foundation

@Archivable class ImportedNode {
  @Key("name", "NS.name") var name = ""
  @Key("children", "NS.kids") var children: [ImportedNode] = []
  weak var parent: ImportedNode?
  var weight = 1.5
  var level: Int8 = 0
  init() {}
}

@Archivable final class ImportedLeaf: ImportedNode {
  var colour: String?
}

@Archivable final class ImportedBag {
  var matrix: [[Int]] = []
  var tags: Set<String> = []
  var byName: [String: ImportedNode] = [:]
  var maybe: [ImportedNode?] = []
  var when: Date?
  var id: UUID?
  var site: URL?
  var blob: Data?
  var price: Decimal?
  var numbers: [Double] = []
  init() {}
}

@Archivable final class ImportedFixed {
  let title: String
  let next: ImportedFixed?
  init(_ title: String, _ next: ImportedFixed?) { (self.title, self.next) = (title, next) }
}
