import Arc
import ArcJSON
import ArcModel
import Foundation

// Classes of six properties each. Five properties are the same in all classes. The sixth uses a feature of
// the mapping.

/// An object without features, to which all others are compared.
@Archivable final class PlainItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var note: String?
  var tags: [String] = []
}

@Archivable enum ItemState: String, CaseIterable { case draft, open, merged, closed }

@Archivable final class EnumerationItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var state = ItemState.draft
  var tags: [String] = []
}

@Archivable struct ItemPosition: Equatable {
  var latitude: Double
  var longitude: Double
  var label: String
}

@Archivable final class StructureItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var position = ItemPosition(latitude: 0, longitude: 0, label: "")
  var tags: [String] = []
}

@Archivable final class StructuresItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var note: String?
  var positions: [ItemPosition] = []
}

@Archivable final class DateItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var created = Date(timeIntervalSinceReferenceDate: 0)
  var tags: [String] = []
}

@Archivable final class MillisecondsItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  @JSONFormat(.millisecondsSince1970) var created = Date(timeIntervalSinceReferenceDate: 0)
  var tags: [String] = []
}

@Archivable final class URLItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var link: URL?
  var tags: [String] = []
}

@Archivable final class DecimalItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var price: Decimal = 0
  var tags: [String] = []
}

@Archivable final class JSONItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var extra: JSONValue = .null
  var tags: [String] = []
}

@Archivable final class UUIDItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var key: UUID?
  var tags: [String] = []
}

@Archivable final class KeyPathItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  @Key(json: "meta.title") var title = ""
  var tags: [String] = []
}

@Archivable final class OuterItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var address: ItemAddress?
  var tags: [String] = []
}

/// An object nested in another object.
@Archivable final class ItemAddress {
  var street = ""
  var city = ""
  var zip = 0
}

@Archivable final class DictionaryItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var note: String?
  var counts: [String: Int] = [:]
}

/// A class with two subclasses of six properties each. Each object has the class of one of the two.
@Archivable class ChoosingItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var type = ""
  init() {}
}

@Archivable final class TaggedItem: ChoosingItem { var tags: [String] = [] }

@Archivable final class LabelledItem: ChoosingItem { var labels: [String] = [] }

extension ChoosingItem: JSONClassChoosing {
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    switch object["type"]?.string {
    case "tagged": TaggedItem.self
    case "labelled": LabelledItem.self
    default: nil
    }
  }
}

/// An object with a hook that is called after it was read.
@Archivable final class FinishedItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var note: String?
  var tags: [String] = []
  @Transient var isFinished = false
}

extension FinishedItem: ModelFinishing {
  func didRead() { isFinished = true }
}

/// An object with a value that a text may omit.
@Archivable final class LevelItem {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
  var level = 3
  var tags: [String] = []
}
