import Arc
import ArcArchive

// Behaviour that the optimizer must not change: classes that are found through their announcements, reference
// counts, and shared memory of arrays.

@Archivable class Vehicle: Hashable {
  var wheels = 4
  var note: String?
  init() {}
  static func == (left: Vehicle, right: Vehicle) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
@Archivable final class Lorry: Vehicle { var load = 7.5 }
@Archivable final class Depot {
  var all: [Vehicle] = []
  var others: [Vehicle] = []
  var first: Vehicle?
  weak var last: Vehicle?
  var next: Depot?
  var place = Place()
  init() {}
}
@Archivable struct Place: Equatable { var x = 1, name = "a place with a name of some length" }

/// A class with observers on every property. The optimizer must not assume that only code with observers sets
/// the fields.
@Archivable class Gauge {
  var level = 1 { didSet { level = min(level, limit) } }
  var limit = 2 { didSet { gaugeCalls += 1 } }
  var next: Gauge? { didSet { gaugeCalls += 1 } }
  weak var last: Gauge? { willSet { gaugeCalls += 1 } }
  var text = "a text of some length" { didSet { gaugeCalls += 1 } }
  required init() {}
}
@Archivable final class Filled: Gauge {
  var own = 1 { didSet { if own != 5 { own = 0 } else { gaugeCalls += 1 } } }
}
@Archivable final class Computing: Gauge {
  override var text: String {
    get { super.text + "!" }
    set { super.text = newValue + "?" }
  }
  override var next: Gauge? {
    get { nil }
    set { super.next = newValue }
  }
  override var last: Gauge? {
    get { nil }
    set { super.last = newValue }
  }
  var stored: (String, Gauge?, Gauge?) { (super.text, super.next, super.last) }
}
nonisolated(unsafe) var gaugeCalls = 0

func check(_ claim: String, _ isTrue: Bool) {
  print(isTrue ? "ok" : "FAILED", claim)
}

func depot() -> Depot {
  let depot = Depot()
  depot.all = [Vehicle(), Lorry(), Lorry()]
  depot.others = depot.all
  depot.first = depot.all[1]
  depot.last = depot.all[2]
  depot.next = Depot()
  depot.next?.all = [depot.all[0], Vehicle()]
  return depot
}

let (one, other) = (depot(), depot())
let bytes = try Archiver().archive(one)
let read = try Unarchiver().unarchive(Depot.self, from: bytes)
check(
  "a subclass that no declaration names is found",
  read.all.map { "\(type(of: $0))" } == ["Vehicle", "Lorry", "Lorry"])
check("arrays that are copies have the same objects", zip(read.all, read.others).allSatisfy { $0 === $1 })
check("a reference to an element leads to it", read.first === read.all[1] && read.last === read.all[2])
check("an object in two arrays is one", read.next?.all.first === read.all[0])
check(
  "graphs of one shape are isomorphic",
  try ObjectGraph.isIsomorphic(one, other) && ObjectGraph.isIsomorphic(one, read))
other.next?.all[0] = Vehicle()
check("one object in place of another is a difference", try !ObjectGraph.isIsomorphic(one, other))
check("copies are as what they are made of", try ObjectGraph.isIsomorphic(one, ObjectGraph.copy(one)))
try read.setValue("there", forKeyPath: "place.name")
check("fields are set by name", read.place == Place(x: 1, name: "there"))
check(
  "each number of objects that share an array",
  try (1...3).allSatisfy { count in
    let depots = (0..<count).map { _ in Depot() }
    let shared = [Vehicle()]
    for depot in depots { depot.all = shared }
    let copies = try Unarchiver().unarchive([Depot].self, from: Archiver().archive(depots))
    return Set(copies.map { ObjectIdentifier($0.all[0]) }).count == 1
  })
let (filled, computing) = (Filled(), Computing())
for gauge in [filled, computing] {
  (gauge.limit, gauge.level, gauge.last, gauge.next) = (9, 7, filled, filled)
}
filled.own = 5
gaugeCalls = 0
let gauges = try ObjectGraph.copy(
  Unarchiver().unarchive([Gauge].self, from: Archiver().archive([filled, computing])))
let copies = (gauges[0] as? Filled, gauges[1] as? Computing)
check("no observer runs", gaugeCalls == 0 && gauges.allSatisfy { $0.level == 7 && $0.limit == 9 })
check(
  "values that are set after an initializer are set past observers",
  copies.0?.own == 5 && copies.0?.next === copies.0 && copies.0?.last === copies.0)
check(
  "overriding getters and setters are not called",
  copies.1.map { $0.stored.0 == computing.stored.0 && $0.stored.1 === copies.0 && $0.stored.2 === copies.0 }
    == true)
check("the archive is sound", (try? ArchiveFile(bytes: bytes).verify()) != nil)
