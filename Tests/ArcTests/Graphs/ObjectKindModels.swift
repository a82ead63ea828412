import Arc
import ArcTestSupport
import Foundation

// Classes that cover each kind of property, and the types of their values.

/// A class with a variable of any archivable type.
@Archivable final class KindHolder<Value: ArchivableValue> {
  var value: Value
  var inner: KindHolder<Value>?
  init(_ value: Value) { self.value = value }
}

/// A class with a constant of any archivable type, and a property that is not archived.
@Archivable final class KindConstant<Value: ArchivableValue> {
  let value: Value
  @Transient var uses = 1
  init(_ value: Value) { self.value = value }
}

/// A class with a variable that has an observer. Subclasses may override the variable.
@Archivable class KindObserved<Value: ArchivableValue> {
  var value: Value { didSet { uses += 1 } }
  @Transient final var uses = 1
  init(_ value: Value) { self.value = value }
}

@Archivable class KindNode: HashedByIdentity {
  var name: String
  var next: KindNode?
  init(_ name: String, next: KindNode? = nil) { (self.name, self.next) = (name, next) }
}

@Archivable final class KindLeaf: KindNode {
  var date = Date(timeIntervalSinceReferenceDate: 0)
}

/// A class with weak and unowned references to nodes, which do not retain the nodes.
@Archivable final class KindGuest {
  var nodes: [KindNode] = []
  weak var friend: KindNode?
  unowned var host: KindNode?
  init() {}
}

/// A class with properties that have property wrappers.
@Archivable final class KindWrapped {
  @KindWrapper var number = 1
  @Coded var counts: [String: Int] = [:]
  @Coded var point = KindCodedPoint(x: 0)
  init() {}
}

@propertyWrapper struct KindWrapper<Value> {
  var changes = 0
  var wrappedValue: Value { didSet { changes += 1 } }
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

struct KindCodedPoint: Codable, Equatable { var x: Double }

@Archivable struct KindPoint {
  var x = 0.0
  var y: Float = 0
  var label = ""
}

@Archivable struct KindLine {
  var start = KindPoint()
  let isOpen: Bool
  var end: KindPoint?
  var id: UUID
}

@Archivable struct KindTree {
  var number: Int
  var branches: [KindTree] = []
}

/// A structure with a field that is not archived.
@Archivable struct KindCached {
  var number: Int
  @Transient var cache = 0
  init(number: Int, cache: Int) { (self.number, self.cache) = (number, cache) }
}

@Archivable struct KindWrappedField {
  @KindWrapper var number = 0
}

@Archivable struct KindLink {
  var name = ""
  var node: KindNode?
}

@Archivable enum KindWord: String, CaseIterable { case first, second, third }

@Archivable enum KindShape {
  case empty
  case circle(Double)
  case named(String, KindNode?)
}

/// A structure that is archived by its raw value, and accepts every raw value.
struct KindCode: RawRepresentable, ArchivableValue { var rawValue: Int }

/// A structure whose archived form omits the note.
struct KindColor: ArchivableByConversion {
  var red: Double
  var note = ""
  var archivedForm: Double { red }
  init(red: Double, note: String = "") { (self.red, self.note) = (red, note) }
  init(archivedForm: Double) { self.init(red: archivedForm, note: "read") }
}
