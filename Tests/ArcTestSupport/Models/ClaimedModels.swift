package import Arc
package import ArcJSON
package import ArcModel
import Synchronization

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// The classes as which the claims about models read bytes.

/// Counts the existing objects, to find objects that remain after an error.
package final class ClaimedLife: Sendable {
  private static let living = Atomic(0)
  private static let halves = Atomic(false)
  /// The number of existing objects that have a `ClaimedLife`. Only one thread at a time checks claims.
  package static var count: Int { living.load(ordering: .relaxed) }
  /// Whether the hook of an object was called before the hooks of the objects that it refers to.
  package static var hasSeenHalf: Bool {
    get { halves.load(ordering: .relaxed) }
    set { halves.store(newValue, ordering: .relaxed) }
  }
  package init() { Self.living.add(1, ordering: .relaxed) }
  deinit { Self.living.subtract(1, ordering: .relaxed) }
}

package struct ClaimedRefusal: Error, CustomStringConvertible {
  package var description: String { "something else" }
}

@Archivable("ClaimedPerson") package class ClaimedPerson {
  package let id: Int
  package var name = "anonymous"
  package var nickname: String? = "none"
  private var secret = 7
  @Transient package let life = ClaimedLife()
  package init(id: Int) { self.id = id }
}

@Archivable("ClaimedWorker") package final class ClaimedWorker: ClaimedPerson {
  package var desk: String
  package var peers: [ClaimedPerson] = []
  package var boss: ClaimedWorker?
  package var byName: [String: ClaimedPerson] = [:]
  package weak var chief: ClaimedPerson?
  package init(id: Int, desk: String) {
    self.desk = desk
    super.init(id: id)
  }
}

/// A class whose objects are read in one pass through a text.
@Archivable("ClaimedParcel") package final class ClaimedParcel {
  package let name: String
  package let count: Int
  package let note: String?
  package let inner: ClaimedParcel?
  package let more: [Double]
  package init(name: String) { (self.name, count, note, inner, more) = (name, 0, nil, nil, []) }
}

package enum ClaimedLevel: Int, ArchivableValue, Hashable {
  case low = 1
  case high = 2
  case top = 127
}
package enum ClaimedWord: String, ArchivableValue, Hashable {
  case one
  case two = "zwei"
  case empty = ""
}

@Archivable("ClaimedScalars") package final class ClaimedScalars {
  package var bool = false
  package var int8: Int8 = 1
  package var int16: Int16 = 1
  package var int32: Int32 = 1
  package var int = 1
  package var int128: Int128 = 1
  package var uint8: UInt8 = 1
  package var uint16: UInt16 = 1
  package var uint32: UInt32 = 1
  package var uint64: UInt64 = 1
  package var uint128: UInt128 = 1
  package var float: Float = 1
  package var double = 1.0
  package var string = "s"
  package var character: Character = "c"
  package var scalar: Unicode.Scalar = "u"
  package var uuid: UUID?
  package var url: URL?
  package var decimal: Decimal = 1
  package var data: Data?
  package var bytes: [UInt8] = []
  package var level = ClaimedLevel.low
  package var word: ClaimedWord?
  package var twice: Int??
  package var duration: Duration?
  package var range: Range<Int>?
  package var closed: ClosedRange<Double>?
  package var tuple: (Int, String) = (1, "t")
  package var named: (x: Int, y: Bool?) = (x: 1, y: nil)
  @Transient package let life = ClaimedLife()
  package init() {}
}

@Archivable("ClaimedDates") package final class ClaimedDates {
  package var plain: Date?
  @JSONFormat(.iso8601) package var iso: Date?
  @JSONFormat(.rfc1123) package var http: [Date] = []
  @JSONFormat(.secondsSince1970) package var seconds: Date?
  @JSONFormat(.millisecondsSince1970) package var millis: [String: Date] = [:]
  @Transient package let life = ClaimedLife()
  package init() {}

  /// All dates, in a fixed order.
  package var all: [Date?] {
    [plain, iso, seconds] + http + millis.sorted { $0.key < $1.key }.map { $0.value }
  }
}

@Archivable("ClaimedSpot") package struct ClaimedSpot: Hashable {
  package var x: Int
  package var note: String?
}

@Archivable("ClaimedCollections") package final class ClaimedCollections {
  package var matrix: [[Int?]] = [[1]]
  package var words: Set<String> = []
  package var spots: Set<ClaimedSpot> = []
  package var table: [String: [Int]] = [:]
  package var flags: [Int: Bool] = [:]
  package var switches: [Bool: Int] = [:]
  package var ratios: [Double: String?] = [:]
  package var byDate: [Date: Int] = [:]
  package var byUUID: [UUID: Int] = [:]
  package var bySpot: [ClaimedSpot: Int] = [:]
  package var byLevel: [ClaimedLevel: ClaimedSpot] = [:]
  package var byData: [Data: Int] = [:]
  package var people: [ClaimedPerson?] = []
  package var teams: [String: [ClaimedPerson]] = [:]
  package var pairs: [(Int, String)] = []
  @Transient package let life = ClaimedLife()
  package init() {}
}

@Archivable("ClaimedShape") package enum ClaimedShape: Hashable {
  case empty
  case circle(radius: Double)
  case count(Int)
  case pair(Int, String)
  case mixed(Int, word: String)
  case table([String: Int])
  case maybe(Int?)
  case spot(ClaimedSpot)
  indirect case nested(ClaimedShape)
  indirect case many([ClaimedShape])
}

@Archivable("ClaimedTagged") package enum ClaimedTagged: Hashable {
  case none
  case circle(radius: Double)
  case spot(ClaimedSpot)
  case count(Int)
  case maybe(ClaimedSpot?)
  indirect case inner(ClaimedTagged)
  indirect case field(tree: ClaimedTagged?)
}

@Archivable("ClaimedLoose") package enum ClaimedLoose: Hashable {
  case nothing
  case count(Int)
  case text(String)
  case spot(ClaimedSpot)
  indirect case left(a: ClaimedLoose, b: Int)
  indirect case right(a: ClaimedLoose, c: String)
  indirect case same(ClaimedLoose)
  indirect case many([ClaimedLoose])
}

@Archivable("ClaimedEnumerations") package final class ClaimedEnumerations {
  package var shape = ClaimedShape.empty
  package var shapes: [ClaimedShape] = []
  @JSONFormat(.tagged(by: "type")) package var tagged: ClaimedTagged?
  @JSONFormat(.tagged(by: "kind")) package var tags: [ClaimedTagged] = []
  package var words: [ClaimedWord] = []
  package var byWord: [ClaimedWord: ClaimedLevel] = [:]
  package var shapeSet: Set<ClaimedShape> = []
  @Transient package let life = ClaimedLife()
  package init() {}
}

@Archivable("ClaimedLooseOwner") package final class ClaimedLooseOwner {
  @JSONFormat(.untagged) package var loose: ClaimedLoose?
  @JSONFormat(.untagged) package var list: [ClaimedLoose] = []
  @Transient package let life = ClaimedLife()
  package init() {}
}

@Archivable("ClaimedPlace") package struct ClaimedPlace: Hashable {
  package var streetName: String
  package var town: String?
}

@Archivable("ClaimedMapped") package class ClaimedMapped {
  @Key("id", json: "user.id", or: "uid", "ids[1]") package var id = 0
  @Key(json: "user.full.name") package var fullName = ""
  @Key(json: "user.full.name") package var greeting = ""
  @JSONRule(.required) package var isActive = true
  @JSONRule(.omitted) package var token = "none"
  @JSONRule(.writeOnly) package var total = 1
  @JSONRule(.embedded) package var place = ClaimedPlace(streetName: "", town: nil)
  package var joined: [Int] = []
  @JSONFormat(
    .custom(
      read: { value in
        guard case .string(let text) = value, text.first == "#", let bits = Int(text.dropFirst(), radix: 16)
        else { throw ClaimedRefusal() }
        return ["x": .number(JSONNumber(bits)), "note": .string(String(bits & 15))]
      },
      write: { value in
        guard case .number(let number)? = value["x"], let bits = number.integer(Int.self) else {
          throw ClaimedRefusal()
        }
        return .string("#" + String(bits, radix: 16))
      }))
  package var color = ClaimedSpot(x: 1, note: "1")
  @Key(json: "member") package var first: ClaimedMapped?
  @Key(json: "member") package var second: ClaimedMapped?
  @Transient package let life = ClaimedLife()
  package init() {}
}

extension ClaimedMapped: ModelMapping {
  package class var mapping: JSONMapping { JSONMapping(naming: .snakeCase) }
}

/// A class that selects a subclass, changes its text, and has a hook after reading.
@Archivable("ClaimedFigure") package class ClaimedFigure {
  package var kind: String?
  package var name = ""
  package var parts: [ClaimedFigure] = []
  package var byName: [String: ClaimedFigure] = [:]
  @Transient package var isRead = false
  @Transient package let life = ClaimedLife()
  package init() {}
}

@Archivable("ClaimedDisc") package final class ClaimedDisc: ClaimedFigure {
  package var radius = 1.0
  package var shape: ClaimedShape?
}

@Archivable("ClaimedDraft") package final class ClaimedDraft: ClaimedFigure {
  package var price: Int
  package var next: ClaimedFigure?
  package init(price: Int) {
    self.price = price
    super.init()
  }
}

extension ClaimedFigure: JSONClassChoosing, ModelFinishing {
  package static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    switch object["kind"]?.string {
    case "disc": ClaimedDisc.self
    case "draft": ClaimedDraft.self
    case "worker": ClaimedWorker.self
    default: nil
    }
  }

  package func didRead() throws {
    if !parts.allSatisfy(\.isRead) || !byName.values.allSatisfy(\.isRead) { ClaimedLife.hasSeenHalf = true }
    isRead = true
    if name == "bad" { throw ClaimedRefusal() }
  }
}

extension ClaimedDraft: JSONPreprocessing {
  package static func willRead(_ object: inout JSONObject) throws {
    if object["void"] != nil { throw ClaimedRefusal() }
    if case .string(let text)? = object["cost"], let price = Int(text) {
      object["price"] = .number(JSONNumber(price))
      object["cost"] = nil
    }
  }
}
