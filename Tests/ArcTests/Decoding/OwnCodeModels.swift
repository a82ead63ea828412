import Arc
import ArcTestSupport
import Observation

// A class for each kind of code of the program that can run when a property is read or set. Each class has
// the six kinds of values that the reader sets at different times.

/// A log of the program's code that ran.
enum OwnCode {
  nonisolated(unsafe) static var calls: [String] = []
  static func note(_ call: String) { calls.append(call) }
}

/// The object to which properties refer. It hashes by identity.
@Archivable final class Anchor: HashedByIdentity {
  let name: String
  init(_ name: String) { self.name = name }
}

@Archivable struct AnchoredValue {
  var anchor: Anchor?
  var count = 0
}

/// A class with code of the program in its properties.
protocol OwnCoded: Archivable, AnyObject {
  init()
  /// Fills the properties, which may run code.
  func fill(_ anchor: Anchor)
  /// The values of the fields.
  var stored: String { get }
}

extension OwnCoded {
  func text(
    _ number: Int, _ link: Anchor?, _ back: Anchor?, _ owner: Anchor?, _ keys: Set<Anchor>,
    _ value: AnchoredValue
  ) -> String {
    let names = [link, back, owner, keys.first, value.anchor].map { $0?.name ?? "nil" }
    let isOne = Set([link, back, owner, keys.first, value.anchor]).count == 1
    return "\(number) \(names.joined(separator: " ")) \(keys.count) \(value.count) \(isOne)"
  }
}

/// A root that retains the objects to which properties refer.
@Archivable final class OwnCodeRoot<Object: OwnCoded> {
  var anchor = Anchor("a")
  var objects: [Object] = []
  init() {}
}

/// A final class without an initializer.
@Archivable final class FinalObserved: OwnCoded {
  var number = 1 { didSet { OwnCode.note("number") } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
  weak var back: Anchor? { willSet { OwnCode.note("back") } }
  unowned var owner: Anchor? { didSet { OwnCode.note("owner") } }
  var keys: Set<Anchor> = [] { didSet { OwnCode.note("keys") } }
  var value = AnchoredValue() { willSet { OwnCode.note("value") } }

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

/// An open class with an initializer.
@Archivable class OpenObserved: OwnCoded {
  var number = 1 { didSet { OwnCode.note("number") } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
  weak var back: Anchor? { willSet { OwnCode.note("back") } }
  unowned var owner: Anchor? { didSet { OwnCode.note("owner") } }
  var keys: Set<Anchor> = [] { didSet { OwnCode.note("keys") } }
  var value = AnchoredValue() { willSet { OwnCode.note("value") } }
  required init() {}

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

@Archivable class OwnCodeAncestor {
  var other = 0
  required init() {}
}

/// A subclass that inherits its initializers. The observers of its first property read later properties.
@Archivable class InheritingObserved: OwnCodeAncestor, OwnCoded {
  var number = 1 { didSet { number = min(number, limit) } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
  weak var back: Anchor? { willSet { OwnCode.note("back") } }
  unowned var owner: Anchor? { didSet { OwnCode.note("owner") } }
  var keys: Set<Anchor> = [] { didSet { OwnCode.note("keys") } }
  var value = AnchoredValue() { willSet { OwnCode.note("value") } }
  var limit = 2

  func fill(_ anchor: Anchor) {
    limit = 200
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

/// Plain properties for subclasses to override: values set in `init(from:)`.
@Archivable class PlainCoded: OwnCoded {
  var number = 1
  var link: Anchor?
  weak var back: Anchor?
  unowned var owner: Anchor?
  var keys: Set<Anchor> = []
  var value = AnchoredValue()
  required init() {}

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

/// Overrides with observers.
@Archivable final class ObservingOverrides: PlainCoded {
  override var number: Int { didSet { OwnCode.note("number") } }
  override var link: Anchor? { didSet { OwnCode.note("link") } }
  override var back: Anchor? { didSet { OwnCode.note("back") } }
  override var owner: Anchor? { willSet { OwnCode.note("owner") } }
  override var keys: Set<Anchor> { didSet { OwnCode.note("keys") } }
  override var value: AnchoredValue { didSet { OwnCode.note("value") } }
}

/// Overrides with getters, which hide the stored values, and setters.
@Archivable class ComputingOverrides: PlainCoded {
  override var number: Int {
    get { noted("number", super.number + 100) }
    set { super.number = noted("number", newValue - 100) }
  }
  override var link: Anchor? {
    get { noted("link", nil) }
    set { super.link = noted("link", newValue) }
  }
  override var back: Anchor? {
    get { noted("back", nil) }
    set { super.back = noted("back", newValue) }
  }
  override var owner: Anchor? {
    get { noted("owner", nil) }
    set { super.owner = noted("owner", newValue) }
  }
  override var keys: Set<Anchor> {
    get { noted("keys", []) }
    set { super.keys = noted("keys", newValue) }
  }
  override var value: AnchoredValue {
    get { noted("value", AnchoredValue()) }
    set { super.value = noted("value", newValue) }
  }
  private func noted<Value>(_ call: String, _ value: Value) -> Value {
    OwnCode.note(call)
    return value
  }
  override func fill(_ anchor: Anchor) {
    (super.number, super.link, super.back, super.owner) = (105, anchor, anchor, anchor)
    (super.keys, super.value) = ([anchor], AnchoredValue(anchor: anchor, count: 3))
  }
  override var stored: String {
    text(super.number, super.link, super.back, super.owner, super.keys, super.value)
  }
}

/// A class without a mark and without properties, between two archivable classes.
class UnmarkedOverrides: PlainCoded {
  override var number: Int {
    get { super.number + 100 }
    set { super.number = newValue - 100 }
  }
  override var link: Anchor? { didSet { OwnCode.note("link") } }
}

@Archivable final class BelowUnmarked: UnmarkedOverrides {
  override var stored: String { super.stored }
}

/// A class that inherits its initializers, so that its values are set after them. A subclass overrides the
/// properties.
@Archivable class InheritingPlain: OwnCodeAncestor, OwnCoded {
  var number = 1
  var link: Anchor?
  weak var back: Anchor?
  unowned var owner: Anchor?
  var keys: Set<Anchor> = []
  var value = AnchoredValue()

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

@Archivable final class InheritingOverrides: InheritingPlain {
  override var number: Int {
    get { super.number + 100 }
    set { super.number = newValue - 100 }
  }
  override var link: Anchor? { didSet { OwnCode.note("link") } }
  override var value: AnchoredValue { didSet { OwnCode.note("value") } }
  override func fill(_ anchor: Anchor) {
    super.fill(anchor)
    super.number = 105
  }
  override var stored: String { text(super.number, link, back, owner, keys, value) }
}

/// A class with `@Observable`, which notifies the observers of its properties.
@Archivable
@Observable
final class ObservableCoded: OwnCoded {
  var number = 1 { didSet { if number > limit { number = limit } } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
  weak var back: Anchor?
  @ObservationIgnored unowned var owner: Anchor? { didSet { OwnCode.note("owner") } }
  var keys: Set<Anchor> = [] { didSet { OwnCode.note("keys") } }
  var value = AnchoredValue() { willSet { OwnCode.note("value") } }
  var limit = 2
  init() {}

  func fill(_ anchor: Anchor) {
    limit = 200
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

/// A class with `@Observable` and without an initializer.
@Archivable
@Observable
final class ObservableWithoutInit: OwnCoded {
  var number = 1 { didSet { OwnCode.note("number") } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
  @ObservationIgnored weak var back: Anchor? { didSet { OwnCode.note("back") } }
  @ObservationIgnored unowned var owner: Anchor? { didSet { OwnCode.note("owner") } }
  var keys: Set<Anchor> = [] { didSet { OwnCode.note("keys") } }
  var value = AnchoredValue() { willSet { OwnCode.note("value") } }

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
  }
  var stored: String { text(number, link, back, owner, keys, value) }
}

/// A wrapper that stores its value in a field with the name of the property.
@propertyWrapper
struct Witnessed<Value> {
  var wrappedValue: Value { didSet { OwnCode.note("wrapper") } }
}

/// A wrapper that computes its value from its only field of the value's type.
@propertyWrapper
struct Checked<Value> {
  private var content: Value
  init(wrappedValue: Value) { content = wrappedValue }
  var wrappedValue: Value {
    get { content }
    set {
      OwnCode.note("wrapper")
      content = newValue
    }
  }
}

@Archivable final class WrapperCoded: OwnCoded {
  @Witnessed var number = 1
  @Checked var link: Anchor? = nil
  weak var back: Anchor?
  unowned var owner: Anchor?
  @Witnessed var keys: Set<Anchor> = []
  @Checked var value = AnchoredValue()
  @Checked var text = "a"
  init() {}

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, keys) = (105, anchor, anchor, anchor, [anchor])
    value = AnchoredValue(anchor: anchor, count: 3)
    text = "a text that is longer than a word"
  }
  var stored: String { text(number, link, back, owner, keys, value) + text }
}

/// Properties whose archived form differs from their type: existentials, tuples and encoded values.
@Archivable final class FormCoded: OwnCoded {
  var number = 1 { didSet { OwnCode.note("number") } }
  var link: (any AnchorNamed)? { didSet { OwnCode.note("link") } }
  weak var back: (any AnchorNamed)? { didSet { OwnCode.note("back") } }
  unowned var owner: (any AnchorNamed)? { didSet { OwnCode.note("owner") } }
  var pair: (name: String, anchor: Anchor?) = ("", nil) { didSet { OwnCode.note("pair") } }
  @Coded var coded: [String: Int] = [:] { didSet { OwnCode.note("coded") } }
  var unwrapped: Anchor! { didSet { OwnCode.note("unwrapped") } }

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, pair, coded) = (105, anchor, anchor, anchor, ("p", anchor), ["c": 1])
    unwrapped = anchor
  }
  var stored: String {
    let isOne = link === back && back === owner && pair.anchor === link && unwrapped === link
    return "\(number) \(link?.name ?? "nil") \(back?.name ?? "nil") \(owner?.name ?? "nil") \(pair.name) "
      + "\(coded) \(isOne)"
  }
}

protocol AnchorNamed: AnyObject { var name: String { get } }
extension Anchor: AnchorNamed {}

/// Overrides of such properties.
@Archivable class PlainForms: OwnCoded {
  let constant: String
  var number = 1
  var link: (any AnchorNamed)?
  weak var back: (any AnchorNamed)?
  unowned var owner: Anchor!
  var pair: (name: String, anchor: Anchor?) = ("", nil)
  @Coded var coded: [String: Int] = [:]
  required init() { constant = "constant" }

  func fill(_ anchor: Anchor) {
    (number, link, back, owner, pair, coded) = (105, anchor, anchor, anchor, ("p", anchor), ["c": 1])
  }
  var stored: String {
    "\(constant) \(number) \(link?.name ?? "nil") \(back?.name ?? "nil") \(owner?.name ?? "nil") \(pair.name) \(coded)"
  }
}

@Archivable final class FormOverrides: PlainForms {
  override var link: (any AnchorNamed)? {
    get { nil }
    set { super.link = newValue }
  }
  override var back: (any AnchorNamed)? {
    get { nil }
    set { super.back = newValue }
  }
  override var owner: Anchor! {
    get { nil }
    set { super.owner = newValue }
  }
  override var pair: (name: String, anchor: Anchor?) {
    get { ("", nil) }
    set { super.pair = newValue }
  }
  override var coded: [String: Int] {
    get { [:] }
    set { super.coded = newValue }
  }
  override func fill(_ anchor: Anchor) {
    (super.number, super.link, super.back, super.owner) = (105, anchor, anchor, anchor)
    (super.pair, super.coded) = (("p", anchor), ["c": 1])
  }
  override var stored: String {
    "\(number) \(super.link?.name ?? "nil") \(super.back?.name ?? "nil") \(super.owner?.name ?? "nil") "
      + "\(super.pair.name) \(super.coded)"
  }
}

/// A generic class with a generic superclass.
@Archivable class GenericPlain<Element: ArchivableValue> {
  var element: Element?
  var link: Anchor?
  required init() {}
}

@Archivable final class GenericOverrides: GenericPlain<[Int]>, OwnCoded {
  override var element: [Int]? {
    get { nil }
    set { super.element = newValue }
  }
  override var link: Anchor? { didSet { OwnCode.note("link") } }
  func fill(_ anchor: Anchor) { (super.element, link) = ([105], anchor) }
  var stored: String { "\(super.element ?? []) \(link?.name ?? "nil")" }
}
