import ArcJSON

/// Which objects are referred to more than once, and what they are named in the text.
///
/// A value is walked through twice: first to count, then to write. The objects are kept alive meanwhile: an
/// address tells who an object is only as long as it lives.
final class ObjectMarks {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var objects: [Entry] = []
  private(set) var isCounting = true
  /// The name of the object whose members come next; 0 for none.
  private var pendingIdentifier = 0

  private struct Entry {
    let object: AnyObject
    var isShared = false
    /// Its name, 0 for none.
    var identifier = 0
    var isWritten = false
  }

  /// Ends counting: the objects that were met more than once get names, in the order in which they were met.
  func finishCounting() {
    isCounting = false
    pendingIdentifier = 0
    var last = 0
    for index in objects.indices where objects[index].isShared {
      last += 1
      objects[index].identifier = last
    }
  }

  /// Notes that an object is met: returns whether its members are written, and if not the name of the object
  /// that has them already.
  func meet(_ object: AnyObject) -> (isFirst: Bool, identifier: Int) {
    pendingIdentifier = 0
    guard let number = numbers[ObjectIdentifier(object)] else {
      guard isCounting else { return (true, 0) }
      numbers[ObjectIdentifier(object)] = objects.count
      objects.append(Entry(object: object))
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

  /// Notes that an object is met which nothing marks; returns whether it was met before.
  func isKnown(_ object: AnyObject) -> Bool {
    if numbers[ObjectIdentifier(object)] != nil { return true }
    numbers[ObjectIdentifier(object)] = objects.count
    objects.append(Entry(object: object))
    return false
  }

  /// The name of the object whose members come next, which is asked for once; nil for none.
  func takeIdentifier() -> Int? {
    defer { pendingIdentifier = 0 }
    return pendingIdentifier > 0 ? pendingIdentifier : nil
  }
}

extension ObjectWriting {
  /// Writes a reference to an object whose members were written; returns false for any other.
  mutating func reference(to object: AnyObject, _ plan: WritingPlan, _ marks: ObjectMarks) throws -> Bool {
    guard rules.references.contains(.marked) else {
      guard plan.isIdentifiable, marks.isKnown(object) else { return false }
      try identity(of: object, plan.tag?.type)
      return true
    }
    let (isFirst, identifier) = marks.meet(object)
    if isFirst { return false }
    try container { writing throws in
      writing.json.beginObject()
      writing.json.key(ModelReferences.referenceName)
      writing.json.string(String(identifier))
      writing.json.end()
    }
    return true
  }

  /// Writes the name of the object that was begun last, if it has one.
  @inline(__always) mutating func identifier() {
    guard let identifier = marks?.takeIdentifier() else { return }
    json.key(ModelReferences.identifierName)
    json.string(String(identifier))
  }

  /// Whether objects are counted, and nothing of the text is used.
  var isCounting: Bool { marks?.isCounting ?? false }
}
