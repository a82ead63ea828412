import Arc
import ArcFormat
import ArcJSON

/// How objects of a class are made right in memory, of a value for each slot.
final class NewObjectPlan {
  let making: ObjectMaking
  /// The fields by slot.
  let fields: HandleBuffer<Field>
  /// Whether they can be read in one pass: all values are of types that can.
  let isReadInOnePass: Bool
  /// Whether objects that are there can take values in one pass.
  let isUpdatedInOnePass: Bool

  /// What reads values of types that have no kind in one pass, by slot.
  let readings: [OnePassField?]

  /// What is asked of a field for each value: nothing that would have to be retained.
  struct Field {
    let place: FieldPlace
    /// Nil if the values of its type come from a row.
    let kind: MemberField.Kind?
    let node: Int
    /// The node of the elements of an array.
    let child: Int
    /// Whether it is a reference that must lead to an object.
    let refusesNull: Bool
    /// Whether the property is nil where no member is for it.
    let canBeMissing: Bool
    /// Whether the property is a `let`, which an update compares and does not set.
    let isConstant: Bool

    fileprivate init(_ place: FieldPlace, _ slot: ClassPlan.Slot, in shape: RowShape) {
      (self.place, node) = (place, slot.node)
      (child, refusesNull) = (shape.nodes[node].child, shape.nodes[node].refusesNull)
      canBeMissing = slot.absence == .becomesNil && !slot.isRequired
      isConstant = slot.isConstant
      let member = MemberField(place)
      kind =
        switch member?.kind {
        // Nobody asks again whether there is an object, and of which class.
        case .reference
        where member?.target != shape.type(ofReference: node)
          || member?.takesNil == shape.nodes[node].refusesNull:
          nil
        case .references where member?.target != shape.type(ofReference: shape.nodes[node].child): nil
        // It has a way of its own.
        case .referencesByText: nil
        case let kind: kind
        }
    }
  }

  /// The plan for objects of a class whose slots are given, which are read from members of these names.
  init(
    _ making: ObjectMaking, _ type: any Archivable.Type, _ slots: [ClassPlan.Slot], _ keys: JSONKeyTable,
    _ shape: RowShape
  ) {
    self.making = making
    let fields = zip(making.places, slots).map { Field($0, $1, in: shape) }
    let readings = fields.map { field in
      field.kind == nil ? OnePassField(of: field.place.type, field.node, in: shape) : nil
    }
    isReadInOnePass =
      !fields.isEmpty && keys.arePlain
      && zip(fields, readings).allSatisfy { $0.kind != nil || $1 != nil }
    isUpdatedInOnePass =
      isReadInOnePass && making.settableFields != nil && !slots.contains(where: \.isMerged)
      && !(type is any JSONClassChoosing.Type)
    self.fields = HandleBuffer(fields)
    self.readings = readings
  }

  deinit { fields.free() }
}

// MARK: Values

extension DirectObjects {
  /// Makes an object whose members were given to its properties, of which none keeps its initial value.
  func object(of plan: ClassPlan, _ own: NewObjectPlan, _ text: JSONDocument) throws -> AnyObject {
    plan.rows.row.unbind()
    return try own.making.makeObject { object in
      for slot in 0..<own.fields.count { try set(slot, own, of: &object, plan, text) }
    }
  }

  @inline(__always) private func set(
    _ slot: Int, _ own: NewObjectPlan, of object: inout UnfinishedObject, _ plan: ClassPlan,
    _ text: JSONDocument
  ) throws {
    let place = own.fields[slot].place
    let entry = plan.values.next[own.fields[slot].node]
    // The kind of a field is that of its type.
    switch own.fields[slot].kind {
    case .string: unsafe object.set(slot, place, to: try text.text(at: entry))
    case .optionalString:
      unsafe object.set(slot, place, to: text.isNil(at: entry) ? nil : try text.text(at: entry))
    case .int: unsafe object.set(slot, place, to: try text.number(at: entry))
    case .optionalInt:
      unsafe object.set(slot, place, to: text.isNil(at: entry) ? nil : try text.number(at: entry))
    case .bool: unsafe object.set(slot, place, to: try text.truth(at: entry))
    case .optionalBool:
      unsafe object.set(slot, place, to: text.isNil(at: entry) ? nil : try text.truth(at: entry))
    case .double: unsafe object.set(slot, place, to: try text.fraction(at: entry))
    case .optionalDouble:
      unsafe object.set(slot, place, to: text.isNil(at: entry) ? nil : try text.fraction(at: entry))
    case .strings: unsafe object.set(slot, place, to: try text.list(at: entry) { try text.text(at: $0) })
    case .ints: unsafe object.set(slot, place, to: try text.list(at: entry) { try text.number(at: $0) })
    case .doubles:
      unsafe object.set(slot, place, to: try text.list(at: entry) { try text.fraction(at: $0) })
    case .reference:
      let value = try plan.values.object(entry, ofNode: own.fields[slot].node, text)
      unsafe object.set(slot, place, to: value)
    case .references, .referencesByText, nil: try plan.rows.set(slot, place, of: &object)
    }
  }
}
