import ArcFormat
import ArcRuntime

/// An object that stands for a value where the declared type says only what protocol it conforms to.
///
/// In a file it is an object of a class with the value's coded name, whose one property is the value: such
/// values have columns with types, and a class table says which types may be built.
final class ValueBox<Value: ArchivableValue>: Archivable {
  let value: Value

  init(_ value: Value) { self.value = value }

  init(from decoder: borrowing ObjectDecoder) throws { value = try decoder.__slots.value(0) }

  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.__slots.encode(self.value, at: 0) }

  func link(from decoder: borrowing ObjectDecoder) throws {}

  static var archiveSchema: ClassSchema {
    ClassSchema(
      ValueBox.self, name: Value.__archiveName,
      properties: [PropertySchema("value", [.readOnly]) { (box: ValueBox) in box.value }], isolation: nil)
  }
}

/// A box of some type of value.
protocol AnyValueBox: AnyObject {
  /// The value, of whatever type.
  var anyValue: Any { get }
  /// The type of the value.
  static var valueType: Any.Type { get }
}

extension ValueBox: AnyValueBox {
  var anyValue: Any {
    guard Value.__traits.contains(.erased), let form = value as? any ErasedForm else { return value }
    return form.restoredValue
  }
  static var valueType: Any.Type { Value.self }
}

/// The archived form of values whose type does not say what is in them, as `[Any]` does not.
package protocol ErasedForm: ArchivableValue {
  /// The type of the values.
  associatedtype Erased
  /// Makes the form of a value.
  init(erased: Erased)
  /// The value again.
  var restored: Erased { get }
}

extension ErasedForm {
  /// The value again, of whatever type.
  fileprivate var restoredValue: Any { restored }
}

/// An object that is a value, without identity: it is archived in another form where it is of type `Any`.
package protocol ErasedObject {
  /// What is archived.
  var erasedForm: any ErasedForm { get }
}

/// The boxes of the values in one archive.
///
/// An object is encoded more than once, to find what it needs for construction or to compare it, and its
/// values must have the same boxes each time. So a box is found by where its value is: the object, the
/// property, and how many of the property's values came before it. In a canonical archive, entries of
/// dictionaries are written in the order of their keys, which may differ when some of these have rows: there
/// a box is found by the entry.
@usableFromInline final class ValueBoxes {
  /// The location of a value in its object.
  struct Location: Hashable {
    /// The object that has the value; nil for the roots.
    var owner: ObjectIdentifier?
    /// The number of the property in its class, or that of the root.
    var slot = -1
    /// The number of the value in the property.
    var index = 0
    /// The numbers of the entries that the value is in, of dictionaries that are written in another order
    /// than they iterate.
    var entries: [Int] = []

    /// Goes on with the first value in an entry of a dictionary.
    mutating func enter(_ entry: Int) {
      entries.append(entry)
      (slot, index) = (-1, 0)
    }

    /// Moves on to the next value of a slot.
    mutating func advance(in slot: Int) {
      index = slot == self.slot ? index + 1 : 0
      self.slot = slot
    }
  }

  private var boxes: [Location: AnyObject] = [:]

  /// The box of a value, which is kept until all are removed.
  func box<Value: ArchivableValue>(_ value: Value, at location: Location) -> AnyObject {
    if let box = boxes[location] as? ValueBox<Value> { return box }
    let box = ValueBox(value)
    boxes[location] = box
    return box
  }

  /// Releases all boxes.
  func removeAll() { if !boxes.isEmpty { boxes = [:] } }
}
