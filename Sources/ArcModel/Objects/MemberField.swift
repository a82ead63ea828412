import Arc
import ArcJSON
import ArcMemory

/// A JSON member whose property is read directly from the memory of an object, or is set directly in the
/// memory of a new object. No row of the object is built.
@safe struct MemberField {
  let kind: Kind
  let location: FieldLocation

  /// The types of properties for which direct access is possible.
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
    /// A dictionary of references with strings as keys.
    case referencesByText
  }

  /// Creates the field of a property. Nil if direct access to the property's type is not possible.
  init?(_ location: FieldLocation) {
    self.location = location
    if let kind = Self.kinds[ObjectIdentifier(location.type)] {
      self.kind = kind
    } else if location.type is AnyClass || location.type is any OptionalReference.Type {
      kind = .reference
    } else if location.type is any ListOfReferences.Type {
      kind = .references
    } else if location.type is any ReferencesByText.Type {
      kind = .referencesByText
    } else {
      return nil
    }
  }

  /// The declared class of the reference, or of the references in an array. Nil for all other kinds.
  var target: Any.Type? {
    switch kind {
    case .reference: (location.type as? any OptionalReference.Type)?.target ?? location.type
    case .references: (location.type as? any ListOfReferences.Type)?.elementType
    default: nil
    }
  }

  /// Calls `body` with each key and object of a dictionary of references.
  func forEachReferenceByText(
    of object: AnyObject, _ check: ExclusivityCheck, _ body: (String, AnyObject) throws -> Void
  ) rethrows {
    try (location.type as? any ReferencesByText.Type)?.forEach(in: location, of: object, check, body)
  }

  /// Whether the property is an optional reference.
  var isOptional: Bool { location.type is any OptionalReference.Type }

  private static let kinds: [ObjectIdentifier: Kind] = {
    var kinds: [ObjectIdentifier: Kind] = [
      ObjectIdentifier(String.self): .string, ObjectIdentifier(String?.self): .optionalString,
      ObjectIdentifier([String].self): .strings, ObjectIdentifier(Int64.self): .int,
      ObjectIdentifier(Int64?.self): .optionalInt, ObjectIdentifier([Int64].self): .ints,
      ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Bool?.self): .optionalBool,
      ObjectIdentifier(Double.self): .double, ObjectIdentifier(Double?.self): .optionalDouble,
      ObjectIdentifier([Double].self): .doubles, ObjectIdentifier(JSONValue.self): .json,
    ]
    // An `Int` is read and set as an integer of 64 bits.
    guard MemoryLayout<Int>.size == MemoryLayout<Int64>.size else { return kinds }
    kinds[ObjectIdentifier(Int.self)] = .int
    kinds[ObjectIdentifier(Int?.self)] = .optionalInt
    kinds[ObjectIdentifier([Int].self)] = .ints
    return kinds
  }()
}

/// An optional reference to an object, which occupies one word in memory.
private protocol OptionalReference { static var target: Any.Type { get } }
extension Optional: OptionalReference where Wrapped: Archivable {
  static var target: Any.Type { Wrapped.self }
}

/// A dictionary whose values are references and whose keys are strings.
private protocol ReferencesByText {
  static func forEach(
    in location: FieldLocation, of object: AnyObject, _ check: ExclusivityCheck,
    _ body: (String, AnyObject) throws -> Void
  ) rethrows
}
extension Dictionary: ReferencesByText where Key == String, Value: Archivable {
  static func forEach(
    in location: FieldLocation, of object: AnyObject, _ check: ExclusivityCheck,
    _ body: (String, AnyObject) throws -> Void
  ) rethrows {
    for (key, value) in unsafe location.value(Self.self, of: object, check) { try body(key, value) }
  }
}
