import Arc
import ArcJSON
import ArcMemory

// Writing members directly from the memory of an object.

extension ObjectWriting {
  /// Writes all members of an object directly from its memory. `plan.fields` must contain a field for each
  /// member.
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
    let location = plan.fields[index].location
    let number = plan.objectMembers.lowerBound &+ index
    // `kind` was derived from the field's type, so the type of each value matches the field.
    switch plan.fields[index].kind {
    case .string:
      key(number, plan)
      unsafe location.withUTF8(of: object, exclusivity) { json.string(utf8: $0) }
    case .optionalString:
      if key(number, plan, isNil: unsafe location.isNilText(of: object, exclusivity)) {
        unsafe location.withUTF8(of: object, exclusivity) { json.string(utf8: $0) }
      }
    case .int:
      key(number, plan)
      unsafe json.integer(location.value(Int64.self, of: object, exclusivity))
    case .optionalInt:
      if let value = unsafe key(number, plan, of: location.value(Int64?.self, of: object, exclusivity)) {
        json.integer(value)
      }
    case .bool:
      key(number, plan)
      unsafe json.bool(location.value(Bool.self, of: object, exclusivity))
    case .optionalBool:
      if let value = unsafe key(number, plan, of: location.value(Bool?.self, of: object, exclusivity)) {
        json.bool(value)
      }
    case .double:
      key(number, plan)
      unsafe try self.number(location.value(Double.self, of: object, exclusivity))
    case .optionalDouble:
      if let value = unsafe key(number, plan, of: location.value(Double?.self, of: object, exclusivity)) {
        try self.number(value)
      }
    case .strings:
      let values = unsafe location.value([String].self, of: object, exclusivity)
      try list(number, plan, values.count) { writing, index in
        location.withUTF8(ofElement: index, in: values) { writing.json.string(utf8: $0) }
      }
    case .ints:
      let values = unsafe location.value([Int64].self, of: object, exclusivity)
      try list(number, plan, values.count) { writing, index in writing.json.integer(values[index]) }
    case .doubles:
      let values = unsafe location.value([Double].self, of: object, exclusivity)
      try list(number, plan, values.count) { writing, index in try writing.number(values[index]) }
    case .json:
      key(number, plan)
      unsafe json.value(location.value(JSONValue.self, of: object, exclusivity), sortsKeys: rules.sortsKeys)
    case .reference:
      // The enclosing object retains the object. Before code of the program runs, `enclosing` retains both.
      try unsafe location.withObject(of: object, exclusivity) { value in
        if let value = key(number, plan, of: value) {
          try reference(value, from: plan.members[number].node, plan)
        }
      }
    case .references:
      let child = plan.nodes[plan.members[number].node].firstChild
      let values = unsafe location.value([AnyObject].self, of: object, exclusivity)
      key(number, plan)
      try references(values, from: child, plan)
    case .referencesByText:
      key(number, plan)
      try container { try $0.referencesByText(of: object, index, plan) }
    }
  }

  @inline(__always) private mutating func key(_ number: Int, _ plan: WritingPlan) {
    json.key(plan.members[number].name, of: plan.names)
  }

  /// Writes the name of a member, followed by `null` if the value is nil. Writes nothing if the member omits
  /// nil. Returns the value, which the caller writes.
  @inline(__always) private mutating func key<Value>(
    _ number: Int, _ plan: WritingPlan, of value: Value?
  ) -> Value? {
    key(number, plan, isNil: value == nil) ? value : nil
  }

  /// Writes the name of a member, followed by `null` if the value is nil. Writes nothing if the member omits
  /// nil. Returns whether the caller must write a value.
  @inline(__always) private mutating func key(_ number: Int, _ plan: WritingPlan, isNil: Bool) -> Bool {
    if isNil, plan.members[number].omitsNil { return false }
    key(number, plan)
    if isNil { json.null() }
    return !isNil
  }

  @inline(__always) private mutating func list(
    _ number: Int, _ plan: WritingPlan, _ count: Int,
    _ element: (inout ObjectWriting, _ index: Int) throws -> Void
  ) throws {
    key(number, plan)
    try array(count, element)
  }

  @inline(__always) private mutating func array(
    _ count: Int, _ element: (inout ObjectWriting, _ index: Int) throws -> Void
  ) throws {
    try container { writing throws in
      writing.json.beginArray()
      for index in 0..<count {
        do { try element(&writing, index) } catch {
          writing.note(.element(index))
          throw error
        }
      }
      writing.json.end()
    }
  }

  /// Writes an array of objects to which references of a node refer.
  mutating func references(_ objects: [AnyObject], from node: Int, _ plan: WritingPlan) throws {
    try array(objects.count) { writing, index in
      try objects.withUnretained(index) { try writing.reference($0, from: node, plan) }
    }
  }

  private mutating func referencesByText(of object: AnyObject, _ index: Int, _ plan: WritingPlan) throws {
    let child = plan.nodes[plan.members[plan.objectMembers.lowerBound &+ index].node].secondChild
    json.beginObject()
    try plan.fields[index].forEachReferenceByText(of: object, exclusivity) { key, value in
      json.key(key)
      do { try reference(value, from: child, plan) } catch {
        note(.name(key))
        throw error
      }
    }
    json.end()
  }
}

extension [AnyObject] {
  /// Calls `body` with an element without retaining it, because the array retains it.
  @inline(__always) fileprivate func withUnretained<Result>(
    _ index: Int, _ body: (AnyObject) throws -> Result
  ) rethrows -> Result {
    unsafe try Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef(body)
  }
}
