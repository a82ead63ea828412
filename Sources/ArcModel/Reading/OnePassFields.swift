import Arc
import ArcFormat
import ArcJSON
import ArcMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Setting the fields of new objects, in one pass through a text.

extension NewObjectPlan {
  /// Reads the value of a member and sets the field of an object to it.
  @inline(__always) func set(
    _ slot: Int, of object: inout UnfinishedObject, _ plan: ClassPlan, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    let location = fields[slot].location
    // `kind` was derived from the field's type, so the type of each value matches the field.
    switch fields[slot].kind {
    case .string: unsafe object.set(slot, location, to: try cursor.string())
    case .optionalString: unsafe object.set(slot, location, to: try cursor.takeNull() ? nil : cursor.string())
    case .int: unsafe object.set(slot, location, to: try cursor.integer())
    case .optionalInt: unsafe object.set(slot, location, to: try cursor.takeNull() ? nil : cursor.integer())
    case .bool: unsafe object.set(slot, location, to: try cursor.bool())
    case .optionalBool: unsafe object.set(slot, location, to: try cursor.takeNull() ? nil : cursor.bool())
    case .double: unsafe object.set(slot, location, to: try cursor.double())
    case .optionalDouble: unsafe object.set(slot, location, to: try cursor.takeNull() ? nil : cursor.double())
    case .strings: unsafe object.set(slot, location, to: try [String].read(from: &cursor, levels: levels))
    case .ints: unsafe object.set(slot, location, to: try [Int64].read(from: &cursor, levels: levels))
    case .doubles: unsafe object.set(slot, location, to: try [Double].read(from: &cursor, levels: levels))
    case .reference:
      let isNil = try !fields[slot].refusesNull && cursor.takeNull()
      let value =
        isNil ? nil : try plan.target(ofNode: fields[slot].node).object(from: &cursor, levels: levels)
      unsafe object.set(slot, location, to: value)
    case .references:
      let target = try plan.target(ofNode: fields[slot].child)
      unsafe object.set(slot, location, to: try target.objects(from: &cursor, levels: levels))
    case .json, .referencesByText, nil: try setOther(slot, of: &object, plan, from: &cursor, levels: levels)
    }
  }

  /// Reads a value of a rare kind and sets the field. Not inlined, so that the function for frequent kinds
  /// stays small.
  @inline(never) private func setOther(
    _ slot: Int, of object: inout UnfinishedObject, _ plan: ClassPlan, from cursor: inout JSONCursor,
    levels: Int
  ) throws {
    let location = fields[slot].location
    if fields[slot].kind == .json {
      unsafe object.set(slot, location, to: try JSONValue.read(from: &cursor, levels: levels))
    } else if let reading = readings[slot] {
      try reading.set(slot, location, &object, plan, &cursor, levels)
    } else {
      try plan.setByRow(slot, location, of: &object, from: &cursor, levels: levels)
    }
  }

  /// Sets a field to nil, because it has no member. Throws `Refusal` if the property must have a member.
  func setNil(_ slot: Int, of object: inout UnfinishedObject, _ plan: ClassPlan) throws {
    guard fields[slot].canBeMissing else { throw JSONCursor.Refusal() }
    let location = fields[slot].location
    switch fields[slot].kind {
    case .optionalString: unsafe object.set(slot, location, to: String?.none)
    case .optionalInt: unsafe object.set(slot, location, to: Int64?.none)
    case .optionalBool: unsafe object.set(slot, location, to: Bool?.none)
    case .optionalDouble: unsafe object.set(slot, location, to: Double?.none)
    case .reference where !fields[slot].refusesNull: unsafe object.set(slot, location, to: AnyObject?.none)
    case .referencesByText, nil:
      if let reading = readings[slot] {
        try reading.setNil(slot, location, &object)
      } else {
        try plan.setNilByRow(slot, location, of: &object)
      }
    default: throw JSONCursor.Refusal()
    }
  }
}

/// Reads values of a type that has no `MemberField.Kind`, in one pass through a text.
struct OnePassField {
  /// Reads the value of a member and sets the field of an object to it.
  let set:
    (Int, FieldLocation, inout UnfinishedObject, ClassPlan, inout JSONCursor, _ levels: Int) throws -> Void
  /// Sets the field of an object to nil.
  let setNil: (Int, FieldLocation, inout UnfinishedObject) throws -> Void

  /// Creates the reader of a type's values. Nil if values of the type cannot be read in one pass.
  init?(of type: Any.Type, _ node: Int, in shape: RowShape) {
    let child = shape.nodes[node].secondChild
    if let dates = Self.dates(type, node, in: shape) {
      self = dates
    } else if let known = Self.known(type) {
      self = known
    } else if let type = type as? any OnePassValue.Type {
      self = Self.values(of: type)
    } else if shape.nodes[node].kind == .dictionary, let type = type as? any CollectionOfObjects.Type,
      shape.type(ofReference: child) == type.target
    {
      self = Self.objects(type, child)
    } else {
      return nil
    }
  }

  /// Returns the reader of `Date` or `Date?`, in the format of the property. Nil for other types.
  private static func dates(_ type: Any.Type, _ node: Int, in shape: RowShape) -> OnePassField? {
    let isOptional = type is Date?.Type
    guard type is Date.Type || isOptional else { return nil }
    let format = shape.dateFormat(ofNode: isOptional ? shape.nodes[node].child : node)
    return OnePassField { slot, location, object, _, cursor, _ in
      if isOptional {
        let isNil = try cursor.takeNull()
        let date = isNil ? nil : Date(timeIntervalSinceReferenceDate: try cursor.date(format))
        unsafe object.set(slot, location, to: date)
      } else {
        unsafe object.set(slot, location, to: Date(timeIntervalSinceReferenceDate: try cursor.date(format)))
      }
    } setNil: { slot, location, object in
      guard isOptional else { throw JSONCursor.Refusal() }
      unsafe object.set(slot, location, to: Date?.none)
    }
  }

  private init(
    set:
      @escaping (Int, FieldLocation, inout UnfinishedObject, ClassPlan, inout JSONCursor, Int) throws -> Void,
    setNil: @escaping (Int, FieldLocation, inout UnfinishedObject) throws -> Void
  ) {
    (self.set, self.setNil) = (set, setNil)
  }

  @inline(__always) private static func values<Value: OnePassValue>(of type: Value.Type) -> OnePassField {
    OnePassField { slot, location, object, _, cursor, levels in
      unsafe object.set(slot, location, to: try Value.read(from: &cursor, levels: levels))
    } setNil: { slot, location, object in
      guard let absent = Value.absent else { throw JSONCursor.Refusal() }
      unsafe object.set(slot, location, to: absent)
    }
  }

  private static func objects<Objects: CollectionOfObjects>(_ type: Objects.Type, _ node: Int) -> OnePassField
  {
    OnePassField { slot, location, object, plan, cursor, levels in
      let target = try plan.target(ofNode: node)
      unsafe object.set(slot, location, to: try Objects.read(target, from: &cursor, levels: levels))
    } setNil: { _, _, _ in
      throw JSONCursor.Refusal()
    }
  }

  /// Returns a specialized reader for types that are frequent in large JSON texts. Nil for other types.
  private static func known(_ type: Any.Type) -> OnePassField? {
    switch type {
    case is [[Double]].Type: values(of: [[Double]].self)
    case is [[[Double]]].Type: values(of: [[[Double]]].self)
    case is [[Int]].Type: values(of: [[Int]].self)
    case is [String: String].Type: values(of: [String: String].self)
    case is [String: Int].Type: values(of: [String: Int].self)
    case is [String: Double].Type: values(of: [String: Double].self)
    case is JSONValue?.Type: values(of: JSONValue?.self)
    case is Decimal.Type: values(of: Decimal.self)
    case is Decimal?.Type: values(of: Decimal?.self)
    case is URL.Type: values(of: URL.self)
    case is URL?.Type: values(of: URL?.self)
    case is UUID.Type: values(of: UUID.self)
    case is UUID?.Type: values(of: UUID?.self)
    default: nil
    }
  }
}
