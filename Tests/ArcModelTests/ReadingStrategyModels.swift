import Arc
import ArcJSON
import ArcModel
import Foundation

/// Has a value of each scalar type, with an initial value.
@Archivable("WaysScalars") final class WaysScalars {
  var bool = false
  var int8: Int8 = 1
  var int16: Int16 = -3
  var int32: Int32 = 0
  var int = 7
  var int128: Int128 = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 5
  var uint64: UInt64 = 0
  var float: Float = 0.5
  var double = 0.1
  var string = "none"
  var character: Character = "a"
  var decimal: Decimal = 0
  var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  var data = Data()
  var date = Date(timeIntervalSinceReferenceDate: 5)
  init() {}
}

/// Has an optional value of each scalar type, some of which have an initial value.
@Archivable("WaysOptionals") final class WaysOptionals {
  let bool: Bool?
  let string: String?
  var int8: Int8? = 3
  var int16: Int16?
  var int: Int?
  var int128: Int128?
  var uint8: UInt8?
  var uint64: UInt64?
  var float: Float?
  var double: Double? = 1.5
  var text: String? = "none"
  var character: Character?
  var decimal: Decimal?
  var uuid: UUID?
  var data: Data?
  var link: URL?
  var date: Date?
  var tags: [String]?
  var rank: WaysRank?

  init(bool: Bool?, string: String?) { (self.bool, self.string) = (bool, string) }
}

/// Has only constants, which an initializer sets.
@Archivable("WaysConstants") final class WaysConstants {
  let id: Int
  let name: String
  let isOpen: Bool
  let ratio: Float
  let level: UInt64
  let tags: [String]
  let counts: [String: Int]
  let created: Date
  let rank: WaysRank?
  let next: WaysConstants?

  init(id: Int) {
    (self.id, name, isOpen, ratio, level) = (id, "", false, 0, 0)
    (tags, counts) = ([], [:])
    created = Date(timeIntervalSinceReferenceDate: 0)
    rank = nil
    next = nil
  }
}

enum WaysRank: String, ArchivableValue { case low, high }

enum WaysLevel: Int, ArchivableValue {
  case first = 1
  case second = 2
}

@Archivable("WaysForm") indirect enum WaysForm {
  case empty
  case circle(radius: Double)
  case words([String])
  case pair(Int, label: String?)
  case both(WaysForm, WaysForm)
}

@Archivable("WaysCircle") struct WaysCircle { var radius: Double }

@Archivable("WaysFigure") enum WaysFigure {
  case dot
  case circle(WaysCircle)
  case rectangle(width: Double, height: Double)
  case named(String)
}

@Archivable("WaysLoose") enum WaysLoose {
  case number(Int)
  case text(String)
  case point(x: Int, y: Int)
  case list([Int])
}

/// Has enumerations of all kinds.
@Archivable("WaysForms") final class WaysForms {
  var rank = WaysRank.low
  var level: WaysLevel?
  var form = WaysForm.empty
  var forms: [WaysForm] = []
  @JSONFormat(.tagged(by: "type")) var figure = WaysFigure.dot
  @JSONFormat(.tagged(by: "type")) var figures: [WaysFigure] = []
  @JSONFormat(.untagged) var loose: [WaysLoose] = []
  var ranks: [WaysRank] = []
  var byRank: [WaysRank: Int] = [:]
  init() {}
}

@Archivable("WaysPoint") struct WaysPoint: Hashable {
  var x: Int
  var y = 2
  var label: String?
}

@Archivable("WaysParcel") struct WaysParcel {
  var number: Int
  var label = "none"
  var weight: Double? = 1.5
  var tags: [String] = ["new"]
  var origin: WaysPoint?
  var inner: [WaysParcel] = []
}

@Archivable("WaysSize") struct WaysSize {
  @Key(json: "w") var width = 1
  var height: Int?
}

/// Has structures, one of which is embedded.
@Archivable("WaysRecords") final class WaysRecords {
  var origin = WaysPoint(x: 0)
  var parcel: WaysParcel?
  var parcels: [WaysParcel] = []
  var named: [String: WaysPoint] = [:]
  var points: Set<WaysPoint> = []
  @JSONRule(.embedded) var size = WaysSize()
  var rows: [[WaysPoint?]] = []
  init() {}
}

@Archivable("WaysCollections") final class WaysCollections {
  var tags: [String] = []
  var counts: [Int] = []
  var shares: [Double] = [1]
  var flags: [Bool] = []
  var bytes: [UInt8] = []
  var maybe: [Int?] = []
  var rings: [[Double]] = []
  var ids: [UUID] = []
  var words: Set<String> = []
  var numbers: Set<Int8> = []
  var byName: [String: Double] = [:]
  var byNumber: [Int: String] = [:]
  var byFlag: [Bool: Int]?
  var nested: [String: [Int]] = [:]
  init() {}
}

/// Has dates of each format, and other values that are text in JSON.
@Archivable("WaysDates") final class WaysDates {
  var plain: Date?
  @JSONFormat(.iso8601) var iso = Date(timeIntervalSinceReferenceDate: 5)
  @JSONFormat(.rfc1123) var http: [Date] = []
  @JSONFormat(.secondsSince1970) var seconds: Date?
  @JSONFormat(.millisecondsSince1970) var milliseconds: Date?
  @JSONFormat(.iso8601) var byName: [String: Date] = [:]
  var dates: [Date?] = []
  var links: [URL] = []
  var prices: [Decimal] = []
  var uuid: UUID?
  var data = Data()
  init() {}
}

struct WaysRefusal: Error, Equatable, CustomStringConvertible {
  let level: Int
  var description: String { "another level than \(level)" }
}

/// Converts a number from and to hexadecimal text: `"#ff"`.
enum WaysHex {
  static func read(_ value: JSONValue) throws -> JSONValue {
    guard case .string(let text) = value, text.first == "#", let number = Int(text.dropFirst(), radix: 16)
    else { throw WaysRefusal(level: 16) }
    return .number(JSONNumber(number))
  }

  static func write(_ value: JSONValue) throws -> JSONValue {
    guard case .number(let number) = value, let bits = number.integer(Int.self) else { return value }
    return .string("#" + String(bits, radix: 16))
  }
}

/// Has each rule, a format of the program's own, and JSON values.
@Archivable("WaysNote") final class WaysNote {
  @JSONRule(.required) var title = ""
  @JSONRule(.omitted) var token = "none"
  @JSONRule(.readOnly) var note: String?
  @JSONRule(.writeOnly) var total = 1
  @JSONFormat(.custom(read: WaysHex.read, write: WaysHex.write)) var color = 255
  var extra: JSONValue = .null
  var more: JSONValue?
  var list: [JSONValue] = []
  var named: [String: JSONValue] = [:]
  init() {}
}

/// Has paths of names, each of which is for one property.
@Archivable("WaysPaths") final class WaysPaths {
  @Key(json: "user.id") var id = 0
  @Key(json: "user.name", or: "name", "caption") var name = "anonymous"
  @Key(json: "meta.size.width") var width: Double?
  @Key(json: "meta.size.height") var height = 1.5
  @Key(json: "meta.tags") var tags: [String] = []
  @Key(json: "meta.created", or: "created") @JSONFormat(.millisecondsSince1970) var created: Date?
  var isPlain = true
  init() {}
}

/// Has paths with an index or an unusual name, and members that several properties read.
@Archivable("WaysOddPaths") final class WaysOddPaths {
  @Key("number", json: "user.id", or: "uid", "ids[1]") var id = 0
  @Key(json: "user.name") var name = ""
  @Key(json: "user.name") var greeting = "hello"
  @Key(json: "[\"a.b\"].n") var odd: Int?
  @Key(json: "twin") var twin: WaysOddPaths?
  @Key(json: "again", or: "twin") var again: WaysOddPaths?
  init() {}
}

/// Refers to objects of its own class in many forms.
@Archivable("WaysTree") final class WaysTree {
  let id: Int
  var first: WaysTree?
  var children: [WaysTree] = []
  var optionals: [WaysTree?] = []
  var named: [String: WaysTree] = [:]
  var part = WaysPart()
  var link = WaysLink.none
  init(id: Int) { self.id = id }
}

@Archivable("WaysPart") struct WaysPart {
  var node: WaysTree?
  var number = 1
}

@Archivable("WaysLink") enum WaysLink {
  case none
  case node(WaysTree)
  case pair(WaysTree?, second: Int)
}

/// An item whose class the member `kind` determines.
@Archivable("WaysItem") class WaysItem {
  @JSONRule(.required) var id = 0
  var kind = ""
  var tags: [String] = []
  var related: WaysItem?
  init() {}
}

@Archivable("WaysPhoto") final class WaysPhoto: WaysItem { var width = 1.5 }

@Archivable("WaysPost") final class WaysPost: WaysItem {
  var text: String? = "none"
  var comments: [WaysItem] = []
}

extension WaysItem: JSONClassChoosing {
  static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)? {
    switch object["kind"]?.string {
    case "photo": return WaysPhoto.self
    case "post": return WaysPost.self
    case "void": throw WaysRefusal(level: 0)
    default: return nil
    }
  }
}

/// Counts itself and its parts after it was read. Rejects a negative level.
@Archivable("WaysOrder") final class WaysOrder: ModelFinishing {
  var level = 0
  var total = 0
  var parts: [WaysOrder] = []
  var best: WaysOrder?
  init() {}

  func didRead() throws {
    if level < 0 { throw WaysRefusal(level: level) }
    total = parts.reduce(total &+ 1) { $0 &+ $1.total }
  }
}

/// Renames a member before it is read. Rejects the member `void`.
@Archivable("WaysPrepared") final class WaysPrepared: JSONPreprocessing {
  var amount = 0
  var currency = ""
  var parts: [WaysPrepared] = []
  init() {}

  static func willRead(_ object: inout JSONObject) throws {
    if object["void"] != nil { throw WaysRefusal(level: 1) }
    guard case .string(let price)? = object["price"] else { return }
    object["price"] = nil
    object["currency"] = .string(price)
  }
}

@Archivable("WaysBase") class WaysBase {
  let id: Int
  @Key(json: "secret") private var secret = "unset"
  init(id: Int) { self.id = id }
}

/// Has a superclass, an observed property, a weak property and a property that is not archived.
@Archivable("WaysAccount") final class WaysAccount: WaysBase {
  var name = "" {
    didSet { changes.append(name) }
  }
  weak var owner: WaysAccount?
  var friends: [WaysAccount] = []
  var created = Date(timeIntervalSinceReferenceDate: 5)
  var tags: [String] = []
  @Transient var changes: [String] = []
}

extension CodingUserInfoKey {
  static let waysHost = CodingUserInfoKey(rawValue: "waysHost").unsafelyUnwrapped
}

final class WaysHost: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

/// Gets the name of its host from the reader's `userInfo`.
@Archivable("WaysGuest") final class WaysGuest: ModelFinishing {
  var name = ""
  @Transient var hostName = ""
  init() {}

  func didRead(in context: ArchiveContext) throws {
    hostName = (context.userInfo[.waysHost] as? WaysHost)?.name ?? "none"
  }
}
