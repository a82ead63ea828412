import Arc
import ArcJSON

// Members that are read right from the memory of an object.

extension ObjectWriting {
  /// Writes all members of an object, of whose plan all are in its memory.
  mutating func fields(of object: AnyObject, _ plan: WritingPlan) throws {
    var index = 0
    do {
      while index < plan.fields.count {
        try field(index, of: object, plan)
        index &+= 1
      }
    } catch {
      note(.name(plan.name(ofMember: plan.objectMembers.lowerBound + index)))
      throw error
    }
  }

  @inline(__always) private mutating func field(
    _ index: Int, of object: AnyObject, _ plan: WritingPlan
  ) throws {
    let place = plan.fields[index].place
    let number = plan.objectMembers.lowerBound &+ index
    // The kind of a field is that of its type.
    switch plan.fields[index].kind {
    case .string:
      key(number, plan)
      unsafe json.string(place.value(String.self, of: object, exclusivity))
    case .optionalString:
      if let value = unsafe key(number, plan, of: place.value(String?.self, of: object, exclusivity)) {
        json.string(value)
      }
    case .int:
      key(number, plan)
      unsafe json.integer(place.value(Int64.self, of: object, exclusivity))
    case .optionalInt:
      if let value = unsafe key(number, plan, of: place.value(Int64?.self, of: object, exclusivity)) {
        json.integer(value)
      }
    case .bool:
      key(number, plan)
      unsafe json.bool(place.value(Bool.self, of: object, exclusivity))
    case .optionalBool:
      if let value = unsafe key(number, plan, of: place.value(Bool?.self, of: object, exclusivity)) {
        json.bool(value)
      }
    case .double:
      key(number, plan)
      unsafe try self.number(place.value(Double.self, of: object, exclusivity))
    case .optionalDouble:
      if let value = unsafe key(number, plan, of: place.value(Double?.self, of: object, exclusivity)) {
        try self.number(value)
      }
    case .strings:
      let values = unsafe place.value([String].self, of: object, exclusivity)
      try list(number, plan, values) { writing, value in writing.json.string(value) }
    case .ints:
      let values = unsafe place.value([Int64].self, of: object, exclusivity)
      try list(number, plan, values) { writing, value in writing.json.integer(value) }
    case .doubles:
      let values = unsafe place.value([Double].self, of: object, exclusivity)
      try list(number, plan, values) { writing, value in try writing.number(value) }
    case .reference:
      let value = unsafe place.value(AnyObject?.self, of: object, exclusivity)
      if let value = key(number, plan, of: value) {
        try reference(value, from: plan.members[number].node, plan)
      }
    case .references:
      let child = plan.nodes[plan.members[number].node].firstChild
      let values = unsafe place.value([AnyObject].self, of: object, exclusivity)
      try list(number, plan, values) { writing, value in try writing.reference(value, from: child, plan) }
    }
  }

  @inline(__always) private mutating func key(_ number: Int, _ plan: WritingPlan) {
    json.key(plan.members[number].name, of: plan.names)
  }

  /// Writes the name of a member unless that is left out, and null for nil; returns the value.
  @inline(__always) private mutating func key<Value>(
    _ number: Int, _ plan: WritingPlan, of value: Value?
  ) -> Value? {
    guard let value else {
      if !plan.members[number].leavesOutNil {
        key(number, plan)
        json.null()
      }
      return nil
    }
    key(number, plan)
    return value
  }

  @inline(__always) private mutating func list<Element>(
    _ number: Int, _ plan: WritingPlan, _ values: [Element],
    _ element: (inout ObjectWriting, Element) throws -> Void
  ) throws {
    key(number, plan)
    try container { writing throws in
      writing.json.beginArray()
      for index in values.indices {
        do { try element(&writing, values[index]) } catch {
          writing.note(.element(index))
          throw error
        }
      }
      writing.json.end()
    }
  }
}
