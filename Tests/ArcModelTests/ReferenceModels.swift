import Arc
import ArcJSON
import ArcModel

/// A person with friends. Friendships can form cycles.
@Archivable("RefsPerson") class RefsPerson {
  var name = ""
  var friend: RefsPerson?
  var friends: [RefsPerson] = []
  var byName: [String: RefsPerson] = [:]
  @JSONRule(.included) weak var parent: RefsPerson?
  var observed: RefsPerson? { didSet { changes.append(observed?.name ?? "none") } }
  @Transient var changes: [String] = []
  @Transient var token = RefsToken()
  init() {}
  init(_ name: String) { self.name = name }
}

/// A counter of living objects. Each object to be counted has a token.
final class RefsToken {
  nonisolated(unsafe) static var count = 0
  init() { Self.count += 1 }
  deinit { Self.count -= 1 }
}

extension RefsPerson: Hashable {
  static func == (left: RefsPerson, right: RefsPerson) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Archivable("RefsBoss") final class RefsBoss: RefsPerson {
  var staff: Set<RefsPerson> = []
  var deputy: RefsDeputy?
}

/// A link of a chain. The next link is built before it.
@Archivable("RefsLink") final class RefsLink {
  let number: Int
  let next: RefsLink?
  var back: RefsLink?
  init(_ number: Int, _ next: RefsLink?) { (self.number, self.next) = (number, next) }
}

/// A class that requires its boss for construction.
@Archivable("RefsDeputy") final class RefsDeputy {
  let boss: RefsBoss
  init(boss: RefsBoss) { self.boss = boss }
}

/// A class that requires another object of the class for construction.
@Archivable("RefsTwin") final class RefsTwin {
  let other: RefsTwin
  init(other: RefsTwin) { self.other = other }
}

@Archivable("RefsListing") final class RefsList {
  var items: [RefsPerson]
  init(items: [RefsPerson]) { self.items = items }
}

@Archivable("RefsCase") enum RefsCase {
  case none
  case person(RefsPerson)
  case pair(RefsPerson, second: RefsPerson?)
}

@Archivable("RefsHolder") final class RefsHolder {
  var plain = RefsCase.none
  @JSONFormat(.tagged(by: "type")) var tagged = RefsCase.none
  var pair: (RefsPerson?, Int) = (nil, 0)
  var keyed: [RefsPerson: Int] = [:]
  init() {}
}

/// A class whose hook after reading can refuse the object.
@Archivable("RefsFinisher") final class RefsFinisher {
  var number = 0
  var next: RefsFinisher?
  @Transient var isNextRead = false
  @Transient var readCount = 0
  init() {}
}

extension RefsFinisher: ModelFinishing {
  func didRead() throws {
    if number < 0 { throw NegativeNumber() }
    readCount += 1
    isNextRead = next.map { $0.readCount > 0 } ?? true
  }
}

@Archivable("RefsNamed") final class RefsNamed {
  @Key(json: "$id") var id = ""
  var next: RefsNamed?
  init() {}
}

/// A class with subclasses. A member of the text determines the class.
@Archivable("RefsShape") class RefsShape {
  var twin: RefsShape?
  init() {}
}
@Archivable("RefsCircle") final class RefsCircle: RefsShape { var radius = 0 }

extension RefsShape: JSONClassChoosing {
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    object["radius"] == nil ? nil : RefsCircle.self
  }
}

/// A class that counts the calls of its hook for writing.
@Archivable("RefsMessage") final class RefsMessage {
  var answer: RefsMessage?
  @Transient var askedCount = 0
  init() {}
}

extension RefsMessage: JSONPostprocessing {
  func willWrite(_ object: inout JSONObject) {
    askedCount += 1
    object["changed"] = true
  }
}

/// A class with references of all kinds.
@Archivable("RefsNode") final class RefsNode {
  let base: RefsNode?
  let bases: [RefsNode]
  var number: Int
  var next: RefsNode?
  var list: [RefsNode?] = []
  var named: [String: [RefsNode]] = [:]
  var group: Set<RefsNode> = []
  var ranks: [RefsNode: Int] = [:]
  var nodeCase = RefsNodeCase.none
  var pair: (RefsNode?, Int) = (nil, 0)
  var part = RefsPart()
  var observed: RefsNode? { didSet {} }
  init(_ number: Int, base: RefsNode?, bases: [RefsNode]) {
    (self.number, self.base, self.bases) = (number, base, bases)
  }
}

extension RefsNode: Hashable {
  static func == (left: RefsNode, right: RefsNode) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Archivable("RefsPart") struct RefsPart { var node: RefsNode? }

@Archivable("RefsNodeCase") indirect enum RefsNodeCase {
  case none
  case node(RefsNode)
  case deep(RefsNodeCase, RefsNode?)
}
