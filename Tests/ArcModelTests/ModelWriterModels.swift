import Arc
import ArcModel
import Foundation

@Archivable("WriterBase") class Vessel {
  let hull: Int
  private var secret = "s"
  var nick: String?
  var label: String? = "none"

  init(hull: Int) { self.hull = hull }
}

@Archivable("WriterDerived") final class Tugboat: Vessel {
  @Key("the_power") var enginePower = 0.5
  var tows: [Vessel] = []
  var twin: Vessel?
  weak var harbour: Vessel?

  override init(hull: Int) { super.init(hull: hull) }
}

@Archivable("WriterPier") final class Pier {
  unowned let owner: Vessel
  var length = 1
  init(owner: Vessel) { self.owner = owner }
}

/// A class whose objects refer back to themselves.
@Archivable("WriterLoop") final class Strand {
  var number = 0
  var next: Strand?
  var friends: [Strand] = []
  var byName: [String: Strand] = [:]
}

@Archivable("WriterGrade") enum Grade: Hashable {
  case top
  case marked(Int)
  case pair(Int, String)
  case mixed(Int, word: String)
  case table([String: Int])
  case boat(Strand)
  case maybe(Int?)
  case span(from: Int, to: Int?)
  case spot(Spot)
  indirect case nested(Grade)
}

extension Strand: Hashable {
  static func == (left: Strand, right: Strand) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Archivable("WriterSpot") struct Spot: Hashable {
  var x: Int
  var note: String?
}

@Archivable("WriterEmpty") struct Nothing: Hashable {}

enum Level: Int, ArchivableValue {
  case low = 1
  case high = 2
}

protocol Cargo {}

@Archivable("WriterCrate") final class Timber: Cargo { var beams = 3 }

@Archivable("WriterSack") struct Sack: Cargo { var weight = 2 }

@Archivable("WriterHold") final class Hold {
  var main: (any Cargo)?
  var all: [any Cargo] = []
  @Boxed var extra: [String: Any] = [:]
  var later: Lazy<Timber>?
}

@Archivable("WriterTuples") final class Tuples {
  var pair: (Int, String) = (1, "a")
  var named: (x: Int, y: Double) = (x: 1, y: 2.5)
  var range = 1..<4
  var closed: ClosedRange<Double>?
}

/// A class with hand-written coding, which chooses its keys.
final class HandCoded: Archivable {
  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(1, forKey: "one") }
  func link(from decoder: borrowing ObjectDecoder) throws {}
}

@Archivable("WriterOwner") final class HandOwner { var child: HandCoded? }

/// A class and its subclass with properties of one name. Archives distinguish the properties by their
/// classes.
@Archivable("WriterTwiceBase") class TwiceBase { @JSONRule(.required) private var hidden = 1 }
@Archivable("WriterTwice") final class TwiceDerived: TwiceBase { @JSONRule(.required) private var hidden = 2 }

/// A value that refuses to be written.
@Archivable("WriterRefusing") final class Refusing {
  var ranks: [RefusedRank] = []
  var inner: Refusing?
}

struct RefusedRank: RawRepresentable, ArchivableValue {
  let rawValue: Int
  init?(rawValue: Int) {
    guard rawValue > 0 else { return nil }
    self.rawValue = rawValue
  }
  init(unchecked: Int) { rawValue = unchecked }
}

/// A class with properties of all types of values.
@Archivable("WriterAll") final class AllKinds {
  var bool = false
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int = 0
  var int128: Int128 = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var uint128: UInt128 = 0
  var float: Float = 0
  var double = 0.0
  var string = ""
  var character: Character = "a"
  var scalar: Unicode.Scalar = "a"
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var data = Data()
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var url: URL?
  var decimal = Decimal()
  var duration = Duration.zero
  var range: Range<Int> = 0..<0
  var tuple: (Int, String) = (0, "")
  var level: Level? = .low
  var spot: Spot?
  var spots: [Spot?] = []
  var grade = Grade.top
  var grades: [Grade] = []
  var empty = Nothing()
  var numbers: [[Double]] = []
  var bytes: [UInt8] = []
  var words: Set<String> = []
  var points: Set<Spot> = []
  var byName: [String: Double] = [:]
  var byNumber: [Int: [Bool]] = [:]
  var byFlag: [Bool: Int] = [:]
  var byDate: [Date: Int] = [:]
  var byUUID: [UUID: String?] = [:]
  var bySpot: [Spot: Int] = [:]
  var byGrade: [Level: Spot] = [:]
  var byURL: [URL: Int] = [:]
  var child: AllKinds?
  var children: [AllKinds] = []
  var named: [String: AllKinds] = [:]
  var optionals: [AllKinds?] = []
}
