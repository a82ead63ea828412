import ArcJSON

/// The objects that several references refer to, and the `$id` of each object.
///
/// The writer visits all objects twice: to count the visits of each object, and then to write the objects.
/// This class retains the objects in between, because an address identifies an object only while the object
/// exists.
final class ObjectMarks {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var objects: [VisitedObject] = []
  private(set) var isCounting = true
  /// The `$id` of the object whose members are written next. 0 if this object has no `$id`.
  private var pendingIdentifier = 0

  private struct VisitedObject {
    let object: AnyObject
    var isShared = false
    /// The `$id` of the object, or 0 if the object has none.
    var identifier = 0
    var isWritten = false
  }

  /// Ends counting. Assigns an `$id` to each object that was visited more than once, in the order of the
  /// first visits.
  func finishCounting() {
    isCounting = false
    pendingIdentifier = 0
    var last = 0
    for index in objects.indices where objects[index].isShared {
      last += 1
      objects[index].identifier = last
    }
  }

  /// Records a visit of an object. `isFirst` is true if the members of the object must be written now.
  /// Otherwise, the object is already written, and `identifier` is its `$id`.
  func visit(_ object: AnyObject) -> (isFirst: Bool, identifier: Int) {
    pendingIdentifier = 0
    guard let number = numbers[ObjectIdentifier(object)] else {
      guard isCounting else { return (true, 0) }
      numbers[ObjectIdentifier(object)] = objects.count
      objects.append(VisitedObject(object: object))
      return (true, 0)
    }
    if isCounting {
      objects[number].isShared = true
      return (false, 0)
    }
    guard objects[number].isShared else { return (true, 0) }
    if objects[number].isWritten { return (false, objects[number].identifier) }
    objects[number].isWritten = true
    pendingIdentifier = objects[number].identifier
    return (true, objects[number].identifier)
  }

  /// Records a visit of an object, for references by identity instead of `$id`. Returns whether the object
  /// was visited before.
  func recordVisit(of object: AnyObject) -> Bool {
    if numbers[ObjectIdentifier(object)] != nil { return true }
    numbers[ObjectIdentifier(object)] = objects.count
    objects.append(VisitedObject(object: object))
    return false
  }

  /// Returns the `$id` of the object whose members are written next. Returns nil if the object has no `$id`.
  /// Each `$id` is returned once.
  func takeIdentifier() -> Int? {
    defer { pendingIdentifier = 0 }
    return pendingIdentifier > 0 ? pendingIdentifier : nil
  }
}

extension ObjectWriting {
  /// Writes a reference to an object if the object is already written. Otherwise returns false, and the
  /// caller writes the whole object.
  mutating func reference(to object: AnyObject, _ plan: WritingPlan, _ marks: ObjectMarks) throws -> Bool {
    guard rules.references.contains(.marked) else {
      guard plan.isIdentifiable, marks.recordVisit(of: object) else { return false }
      try identity(of: object, plan.tag?.type)
      return true
    }
    let (isFirst, identifier) = marks.visit(object)
    if isFirst { return false }
    try container { writing throws in
      writing.json.beginObject()
      writing.json.key(ModelReferences.referenceName)
      writing.json.string(String(identifier))
      writing.json.end()
    }
    return true
  }

  /// Writes the `$id` of the object that was begun last, if it has an `$id`.
  @inline(__always) mutating func identifier() {
    guard let identifier = marks?.takeIdentifier() else { return }
    json.key(ModelReferences.identifierName)
    json.string(String(identifier))
  }

  /// Whether the writer only counts the visits of objects, so that the written text is discarded.
  var isCounting: Bool { marks?.isCounting ?? false }
}
