import ArcFormat
import ArcRuntime

/// An object that contains a value of a property whose declared type is `Any` or a protocol.
///
/// In a file, a box is an object of a class with the value's coded name. Its only property is the value. So
/// such values have typed columns, and a class table determines which types may be built.
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

/// The protocol of all value boxes.
protocol AnyValueBox: AnyObject {
  var anyValue: Any { get }
  static var valueType: Any.Type { get }
}

extension ValueBox: AnyValueBox {
  var anyValue: Any {
    guard Value.__traits.contains(.erased), let form = value as? any ErasedForm else { return value }
    return form.restoredValue
  }
  static var valueType: Any.Type { Value.self }
}

/// The archived form of values whose type contains `Any`, such as `[Any]`.
package protocol ErasedForm: ArchivableValue {
  /// The type of the values.
  associatedtype Erased
  init(erased: Erased)
  /// The value that was converted to the form.
  var restored: Erased { get }
}

extension ErasedForm {
  fileprivate var restoredValue: Any { restored }
}

/// An object that Arc treats as a value without identity. If a property of type `Any` contains the object,
/// the archived form of the object is written.
package protocol ErasedObject {
  /// The archived form.
  var erasedForm: any ErasedForm { get }
}

/// The boxes of the values in one archive.
///
/// An object may be encoded several times, for example to find the objects that it needs for construction, or
/// to compare it. Each time, its values must have identical boxes. So a box is found by the location of its
/// value: the object, the property, and the number of preceding values in the property. In a canonical
/// archive, the entries of a dictionary are written in the order of their keys. This order may change when
/// keys get rows, so the location of a value in a dictionary contains the number of the entry.
@usableFromInline final class ValueBoxes {
  /// The location of a value in its object.
  struct Location: Hashable {
    /// The object that contains the value. Nil if the value is in a root.
    var owner: ObjectIdentifier?
    /// The number of the property in its class, or the number of the root.
    var slot = -1
    /// The number of the value within the property.
    var index = 0
    /// For each enclosing dictionary, the number of the entry that contains the value. Used only if the
    /// entries are written in another order than their order of iteration.
    var entries: [Int] = []

    /// Moves to the first value in an entry of a dictionary.
    mutating func enter(_ entry: Int) {
      entries.append(entry)
      (slot, index) = (-1, 0)
    }

    /// Moves the location to the next value in a slot, or to the first value if the location was in another
    /// slot.
    mutating func advance(in slot: Int) {
      index = slot == self.slot ? index + 1 : 0
      self.slot = slot
    }
  }

  private var boxes: [Location: AnyObject] = [:]

  /// Returns the box of a value. The box is retained until all boxes are removed.
  func box<Value: ArchivableValue>(_ value: Value, at location: Location) -> AnyObject {
    if let box = boxes[location] as? ValueBox<Value> { return box }
    let box = ValueBox(value)
    boxes[location] = box
    return box
  }

  /// Releases all boxes.
  func removeAll() { if !boxes.isEmpty { boxes = [:] } }
}
