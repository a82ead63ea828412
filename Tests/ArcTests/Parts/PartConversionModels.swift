import Arc

// A value in each kind of property of an older version of the program, and the same properties in the newer
// version.

/// The object to which values refer.
@Archivable class PartPicture: PartNamed, Hashable {
  var name: String
  var next: PartPicture?
  init(_ name: String) { self.name = name }
  static func == (left: PartPicture, right: PartPicture) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Archivable final class PartSketch: PartPicture {
  var pencil = "soft"
  override init(_ name: String) { super.init(name) }
}

protocol PartNamed: AnyObject, Archivable {
  var name: String { get }
  var next: PartPicture? { get }
}

@Archivable("Property part") final class OldPropertyPart<Value: ArchivableValue> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
@Archivable("Property part") final class NewPropertyPart<Value: ArchivableValue> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
@Archivable("Constant part") final class OldConstantPart<Value: ArchivableValue> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
@Archivable("Constant part") final class NewConstantPart<Value: ArchivableValue> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

@Archivable("PartField") struct OldPartField<Value: ArchivableValue> {
  var first = 1
  var value: Value
}
@Archivable("PartField") struct NewPartField<Value: ArchivableValue> {
  var value: Value
  var other: String?
}
@Archivable("PartCase") enum OldPartCase<Value: ArchivableValue> {
  case none
  case some(Value, Int)
}
@Archivable("PartCase") enum NewPartCase<Value: ArchivableValue> {
  case some(Value, Int)
  case none
}

/// The value nested in each kind of type that can contain it.
@Archivable("Nested part") final class OldNestedPart<Value: ArchivableValue> {
  var field: OldPartField<Value>
  var payload: OldPartCase<Value>
  var list: [Value]
  var entries: [String: Value]
  var oldName: Value?
  init(_ value: Value) {
    field = OldPartField(value: value)
    payload = .some(value, 3)
    list = [value, value]
    entries = ["a": value]
    oldName = value
  }
}
@Archivable("Nested part") final class NewNestedPart<Value: ArchivableValue> {
  var payload: NewPartCase<Value>
  var entries: [String: Value]
  var field: NewPartField<Value>
  var list: [Value]
  @Key("newName", "oldName") var newName: Value?
  init(_ field: NewPartField<Value>) {
    (self.field, payload, list, entries) = (field, .none, [], [:])
  }
}

/// A property that is converted from an older value.
@Archivable("Made part") final class OldMadePart<Value: ArchivableValue> {
  var old: Value
  init(_ value: Value) { old = value }
}
@Archivable("Made part") final class NewMadePart {
  @Key("made") @Key("old", from: PartPicture?.self, { $0.map { [$0] } ?? [] }) var made: [PartPicture] = []
  init() {}
}

/// Weak and unowned references. Another property retains their targets.
@Archivable("Kept part") final class OldKeptPart {
  var keeper: PartPicture?
  var strong: PartPicture?
  var double: PartPicture??
  weak var weakly: PartPicture?
  var owner: PartPicture?
  init(_ picture: PartPicture) {
    (keeper, strong, double, owner) = (picture, picture, picture, picture)
    weakly = picture
  }
}
@Archivable("Kept part") final class NewKeptPart {
  var keeper: [PartPicture] = []
  weak var strong: PartPicture?
  weak var double: PartPicture?
  var weakly: PartPicture?
  unowned var owner: PartPicture
  init(_ picture: PartPicture) { owner = picture }
}
@Archivable("Weak part") final class OldWeakPart {
  weak var old: PartPicture?
  var keepers: [PartPicture] = []
  init() {}
}
@Archivable("Weak part") final class NewWeakPart {
  @Key("made") @Key("old", from: PartPicture?.self, { $0.map { [$0] } ?? [] }) var made: [PartPicture] = []
  init() {}
}

/// References to objects that conform to a protocol.
@Archivable("Any part") final class OldAnyPart {
  var one: PartSketch
  var list: PartSketch?
  var other: any PartNamed
  var pictures: (any PartNamed)?
  var fromAny: (any PartNamed)?
  var names: [String: PartSketch?]
  init(_ sketch: PartSketch) {
    (one, list, other, pictures, fromAny) = (sketch, sketch, sketch, sketch, sketch)
    names = ["a": sketch]
  }
}
@Archivable("Any part") final class NewAnyPart {
  var one: any PartNamed
  var list: [any PartNamed] = []
  var other: PartPicture?
  var pictures: [PartPicture] = []
  var fromAny: [any PartNamed] = []
  var names: [String: any PartNamed] = [:]
  init(_ one: any PartNamed) { self.one = one }
}
