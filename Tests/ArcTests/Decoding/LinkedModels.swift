import Arc
import ArcTestSupport

/// Objects with a link of some form to another object. A test can make their hook fail.
protocol Linked: UnarchiveFinishing {
  typealias Failure = LinkFailure
  init()
  var target: Self? { get set }
  var fails: Bool { get set }
}

struct LinkFailure: Error {}

extension Linked {
  func didUnarchive(in context: ArchiveContext) throws { if fails { throw Failure() } }
}

@Archivable final class StructureLinked: Linked {
  @Archivable struct Edge { var target: StructureLinked? }
  @Archivable struct Outer { var edge: Edge = Edge() }

  var outer = Outer()
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: StructureLinked? {
    get { outer.edge.target }
    set { outer.edge.target = newValue }
  }
}

@Archivable final class PayloadLinked: Linked {
  @Archivable enum Thread {
    case end
    case next(PayloadLinked)
  }

  var thread: Thread = .end
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: PayloadLinked? {
    get { if case .next(let next) = thread { next } else { nil } }
    set { thread = newValue.map { .next($0) } ?? .end }
  }
}

@Archivable class Ending {
  init() {}
}

/// A link that is never nil. The last object refers to an object without a link.
@Archivable final class InitiallyLinked: Ending, Linked {
  var next = Ending()
  // Initial values of other types than the property's, and expressions whose type only the property
  // determines.
  var spare: Ending = Stocked()
  var second: Ending? = Stocked()
  var third: Ending = .init()
  var fourth: [Ending] = .init()
  var fifth: Ending = {
    // The initial value consists of several statements.
    let ending = Ending()
    return ending
  }()
  var fails = false
  @Transient private var pulse = Pulse()
  override init() { super.init() }

  var target: InitiallyLinked? {
    get { next as? InitiallyLinked }
    set { next = newValue ?? Ending() }
  }
}

/// A linked object whose type only the file states.
protocol AnyLinked {}

/// A link of any type, which is never nil.
@Archivable final class AnyTypeLinked: Linked, AnyLinked {
  @Archivable struct Nothing: AnyLinked {}

  var next: any AnyLinked = Nothing()
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: AnyTypeLinked? {
    get { next as? AnyTypeLinked }
    set { next = newValue ?? Nothing() }
  }
}

@Archivable final class SetLinked: Linked, HashedByIdentity {
  var targets: Set<SetLinked> = []
  var fails = false
  @Transient private var pulse = Pulse()
  init() {}

  var target: SetLinked? {
    get { targets.first }
    set { targets = newValue.map { [$0] } ?? [] }
  }
}

@Archivable class PlainLinked {
  private var edge: PlainLinked?
  fileprivate var own: PlainLinked? {
    get { edge }
    set { edge = newValue }
  }
  init() {}
}

/// The class and its superclass have private properties with one name.
@Archivable final class InheritedLinked: PlainLinked, Linked {
  private var edge = 5
  var fails = false
  @Transient private var pulse = Pulse()
  override init() { super.init() }

  var target: InheritedLinked? {
    get { own as? InheritedLinked }
    set { own = newValue }
  }
}

@Archivable final class ObservedLinked: Linked {
  nonisolated(unsafe) static var changes: [String] = []

  var target: ObservedLinked? { didSet { Self.changes.append(target == nil ? "nil" : "link") } }
  var fails = false
  init() {}
}

@Archivable class OverriddenLinked: UnarchiveFinishing {
  var target: OverriddenLinked?
  var fails = false
  init() {}
  func didUnarchive(in context: ArchiveContext) throws { if fails { throw LinkFailure() } }
}

@Archivable final class OverridingLinked: OverriddenLinked {
  nonisolated(unsafe) static var changes: [String] = []

  override init() { super.init() }
  override var target: OverriddenLinked? {
    didSet { Self.changes.append(target == nil ? "nil" : "link") }
  }
}

final class HandLinked: UnarchiveFinishing {
  @Archivable struct Edge { var target: HandLinked? }
  @Archivable enum Thread {
    case end
    case next(HandLinked)
  }

  var edge = Edge()
  var payload = Thread.end
  var other: HandLinked?
  var many: [String: Thread] = [:]
  var fails = false
  private var pulse = Pulse()

  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {
    fails = try decoder.decode(Bool.self, forKey: "fails")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(fails, forKey: "fails")
    try encoder.encode(edge, forKey: "edge")
    try encoder.encode(payload, forKey: "payload")
    try encoder.encode(other, forKey: "other")
    try encoder.encode(many, forKey: "many")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    many = try decoder.decode([String: Thread].self, forKey: "many")
    edge = try decoder.decode(Edge.self, forKey: "edge")
    payload = try decoder.decode(Thread.self, forKey: "payload")
    other = try decoder.decode(HandLinked.self, forKey: "other")
  }
  func didUnarchive(in context: ArchiveContext) throws { if fails { throw LinkFailure() } }
}

/// The classes of crafted files: a link of some form, and a list that must not contain nil.
@Archivable final class Plain {
  @Archivable struct Edge { var target: Plain? }
  var edge = Edge()
  var items: [Plain] = []
  init() {}
}

@Archivable final class Spun {
  @Archivable enum Thread {
    case end
    case next(Spun)
  }
  var edge = Thread.end
  var items: [Spun] = []
  init() {}
}

@Archivable final class Stocked: Ending {
  var edge = Ending()
  var items: [Stocked] = []
  override init() { super.init() }
}
