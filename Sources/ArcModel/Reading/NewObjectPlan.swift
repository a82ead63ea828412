import Arc
import ArcFormat
import ArcJSON
import ArcMemory

/// How objects of a class are created directly in memory, from a value for each slot.
final class NewObjectPlan {
  let allocator: ObjectAllocator
  /// The fields by slot.
  let fields: HandleBuffer<Field>
  /// Whether existing objects can be updated in one pass, because no value is read through a row.
  let isUpdatedInOnePass: Bool

  /// The initial values that are already known. Contains only initial values that are equal in all objects.
  let initialValues: InitialValues

  /// The readers of values, by slot. Nil if the type of the slot has a `MemberField.Kind`, so that no reader
  /// is needed, or if only a row can read the values.
  let readings: [OnePassField?]

  /// The facts about a field that are used for each value that is read. The type contains no references, so
  /// copying it retains nothing.
  struct Field {
    let location: FieldLocation
    /// The kind of the field's type. Nil if a `OnePassField` or a row reads the value.
    let kind: MemberField.Kind?
    let node: Int
    /// The node of an array's elements.
    let child: Int
    /// Whether the field is a reference that must not be nil.
    let refusesNull: Bool
    /// Whether a missing member sets the property to nil.
    let canBeMissing: Bool
    /// Whether a missing member leaves the property at its initial value.
    let keepsInitialValue: Bool
    /// Whether the property is declared with `let`. An update does not set the property, but compares its
    /// value.
    let isConstant: Bool
    /// Whether the values contain references.
    let holdsReferences: Bool

    /// Creates the field of a slot. `needsRow` is true if only a row can read the JSON of the values.
    fileprivate init(_ location: FieldLocation, _ slot: ClassPlan.Slot, needsRow: Bool, in shape: RowShape) {
      (self.location, node) = (location, slot.node)
      (child, refusesNull) = (shape.nodes[node].child, shape.nodes[node].refusesNull)
      canBeMissing = slot.absence == .becomesNil && !slot.isRequired
      keepsInitialValue = slot.absence == .keepsInitialValue && !slot.isRequired
      isConstant = slot.isConstant
      holdsReferences = shape.nodes[node].holdsReferences
      let member = needsRow ? nil : MemberField(location)
      kind =
        switch member?.kind {
        // Without a row, nothing checks at run time whether an object is missing or of another class. So the
        // declarations must match.
        case .reference
        where member?.target != shape.type(ofReference: node)
          || member?.isOptional == shape.nodes[node].refusesNull:
          nil
        case .references where member?.target != shape.type(ofReference: shape.nodes[node].child): nil
        // A `OnePassField` reads these objects.
        case .referencesByText: nil
        case let kind: kind
        }
    }
  }

  /// Creates the plan for objects of a class.
  ///
  /// - Parameters:
  ///   - allocator: how objects are created.
  ///   - slots: the slots of the class.
  ///   - embedded: the slots of embedded structures, whose fields are members of the object's JSON object.
  ///   - shape: how the rows of the class are filled.
  init(_ allocator: ObjectAllocator, _ slots: [ClassPlan.Slot], embedded: Set<Int>, _ shape: RowShape) {
    self.allocator = allocator
    initialValues = InitialValues(allocator)
    let needsRow = slots.enumerated().map { number, slot in
      slot.isCustom || embedded.contains(number)
        || shape.row.layout.nodes(ofRoot: number).contains { node in
          if case .date? = shape.formats[node]?.kind { false } else { shape.formats[node] != nil }
        }
    }
    let fields = slots.indices.map { number in
      Field(allocator.fieldLocations[number], slots[number], needsRow: needsRow[number], in: shape)
    }
    let readings = fields.enumerated().map { number, field in
      field.kind == nil && !needsRow[number]
        ? OnePassField(of: field.location.type, field.node, in: shape) : nil
    }
    isUpdatedInOnePass =
      !fields.isEmpty && allocator.settableFields != nil
      && zip(fields, readings).allSatisfy { $0.kind != nil || $1 != nil }
    self.fields = HandleBuffer(fields)
    self.readings = readings
  }

  deinit { fields.free() }

  /// Records initial values from an object that was created by the class's initializer. `isMissing` returns
  /// whether the JSON had no member for a slot. The property then still has its initial value.
  func learnInitialValues(from object: AnyObject, _ slots: [RowReader.Slot], isMissing: (Int) -> Bool) {
    for slot in slots.indices
    where slots[slot].hasLiteralInitialValue && fields[slot].keepsInitialValue && isMissing(slot)
      && isLiteralEqual(slot, in: object)
    {
      initialValues.learn(slot, from: object)
    }
  }

  /// Whether the literal initial value of a property is equal in all objects. A literal of a program's own
  /// type can differ, for example if the type counts its instances.
  private func isLiteralEqual(_ slot: Int, in object: AnyObject) -> Bool {
    switch fields[slot].kind {
    case .reference:
      let check = ExclusivityCheck.now()
      let value = unsafe fields[slot].location.value(AnyObject?.self, of: object, check)
      return !fields[slot].refusesNull && value == nil
    case .references: return true
    case .referencesByText, nil: return readings[slot] != nil
    default: return true
    }
  }
}
