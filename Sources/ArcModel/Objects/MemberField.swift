import Arc
import ArcJSON
import ArcMemory

/// A member whose values are read right from the memory of objects, or set there in new ones, without a row.
@safe struct MemberField {
  let kind: Kind
  let place: FieldLocation

  /// The types that this is done for.
  enum Kind {
    case string, optionalString, strings
    case int, optionalInt, ints
    case bool, optionalBool
    case double, optionalDouble, doubles
    case json
    /// A reference to an object, or nil.
    case reference
    /// An array of references.
    case references
    /// A dictionary of references by text.
    case referencesByText
  }

  /// Nil for a property of any other type.
  init?(_ place: FieldLocation) {
    self.place = place
    if let kind = Self.kinds[ObjectIdentifier(place.type)] {
      self.kind = kind
    } else if place.type is AnyClass || place.type is any OptionalReference.Type {
      kind = .reference
    } else if place.type is any ListOfReferences.Type {
      kind = .references
    } else if place.type is any ReferencesByText.Type {
      kind = .referencesByText
    } else {
      return nil
    }
  }

  /// The class that references are declared with; nil for other values.
  var target: Any.Type? {
    switch kind {
    case .reference: (place.type as? any OptionalReference.Type)?.target ?? place.type
    case .references: (place.type as? any ListOfReferences.Type)?.elementType
    default: nil
    }
  }

  /// Calls `body` with each entry of an object's dictionary of references.
  func forEachReferenceByText(
    of object: AnyObject, _ check: ExclusivityCheck, _ body: (String, AnyObject) throws -> Void
  ) rethrows {
    try (place.type as? any ReferencesByText.Type)?.forEach(in: place, of: object, check, body)
  }

  /// Whether it is a reference that need not lead to an object.
  var takesNil: Bool { place.type is any OptionalReference.Type }

  private static let kinds: [ObjectIdentifier: Kind] = {
    var kinds: [ObjectIdentifier: Kind] = [
      ObjectIdentifier(String.self): .string, ObjectIdentifier(String?.self): .optionalString,
      ObjectIdentifier([String].self): .strings, ObjectIdentifier(Int64.self): .int,
      ObjectIdentifier(Int64?.self): .optionalInt, ObjectIdentifier([Int64].self): .ints,
      ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Bool?.self): .optionalBool,
      ObjectIdentifier(Double.self): .double, ObjectIdentifier(Double?.self): .optionalDouble,
      ObjectIdentifier([Double].self): .doubles, ObjectIdentifier(JSONValue.self): .json,
    ]
    // They are read and set as integers of 64 bits.
    guard MemoryLayout<Int>.size == MemoryLayout<Int64>.size else { return kinds }
    kinds[ObjectIdentifier(Int.self)] = .int
    kinds[ObjectIdentifier(Int?.self)] = .optionalInt
    kinds[ObjectIdentifier([Int].self)] = .ints
    return kinds
  }()
}

/// What is an optional reference to an object of a class, a word.
private protocol OptionalReference { static var target: Any.Type { get } }
extension Optional: OptionalReference where Wrapped: Archivable {
  static var target: Any.Type { Wrapped.self }
}

/// What is a dictionary of references to objects of a class by text.
private protocol ReferencesByText {
  static func forEach(
    in place: FieldLocation, of object: AnyObject, _ check: ExclusivityCheck,
    _ body: (String, AnyObject) throws -> Void
  ) rethrows
}
extension Dictionary: ReferencesByText where Key == String, Value: Archivable {
  static func forEach(
    in place: FieldLocation, of object: AnyObject, _ check: ExclusivityCheck,
    _ body: (String, AnyObject) throws -> Void
  ) rethrows {
    for (key, value) in unsafe place.value(Self.self, of: object, check) { try body(key, value) }
  }
}
