/// A class of Foundation whose objects represent a value of a Swift type.
enum FoundationKind: String, CaseIterable {
  case string = "NSString"
  case data = "NSData"
  case attributedString = "NSAttributedString"
  case timeZone = "NSTimeZone"
  case locale = "NSLocale"
  case calendar = "NSCalendar"
  case dateComponents = "NSDateComponents"
  case dateInterval = "NSDateInterval"
  case unit = "NSUnit"
  case measurement = "NSMeasurement"
  case notification = "NSNotification"
  case regularExpression = "NSRegularExpression"
  case indexSet = "NSIndexSet"
  case indexPath = "NSIndexPath"
  case characterSet = "NSCharacterSet"
  case countedSet = "NSCountedSet"
  case value = "NSValue"
  case affineTransform = "NSAffineTransform"
  /// A C array that a program encoded without a key.
  case oldStyleArray = "_NSKeyedCoderOldStyleArray"

  /// Finds the kind of a class by the names of the class and its superclasses. Nil for other classes.
  init?(_ description: ImportedClass) {
    var names = Set(description.superclasses)
    names.insert(description.name)
    // An old file may describe only the class itself.
    let mutable = "NSMutable"
    if description.name.hasPrefix(mutable) { names.insert("NS" + description.name.dropFirst(mutable.count)) }
    guard let kind = Self.allCases.first(where: { names.contains($0.rawValue) }) else { return nil }
    self = kind
  }

  /// The key of the member whose string represents the object. Nil if no string can represent an object of
  /// this kind.
  var textKey: String? {
    switch self {
    case .string: "NS.string"
    case .attributedString: "NSString"
    case .timeZone, .notification: "NS.name"
    case .locale, .calendar: "NS.identifier"
    case .unit: "NS.symbol"
    case .regularExpression: "NSPattern"
    default: nil
    }
  }
}

/// An archived object, with its members and its class.
struct ArchivedObject {
  let classIndex: Int
  /// The kind of the object's class. Nil if the object is not an object of Foundation that represents a
  /// value.
  let kind: FoundationKind?
  let members: KeyedMembers
}

extension KeyedGraphReader {
  /// Returns the members and the class of an archived object. Nil for other values.
  ///
  /// Each call charges the members, because many values may refer to the object.
  mutating func archivedObject(_ value: ImportedValue) throws(ImportError) -> ArchivedObject? {
    guard value.kind == .object, case .archived(let uid) = sources[Int(value.index)] else { return nil }
    let node = Int(objects[uid])
    try charge(elements: 1 + (graph.list.entries(node)?.keys.count ?? 0), at: node)
    guard let members = try KeyedMembers(graph.list, node, &keys), let description = members[classKey] else {
      return nil
    }
    let classIndex = try classIndex(ofClassNode: description, uid: uid)
    return ArchivedObject(classIndex: classIndex, kind: kinds[classIndex], members: members)
  }

  /// Returns the value of an object's member. Nil if there is no such member.
  mutating func value(_ key: String, of object: ArchivedObject) throws(ImportError) -> ImportedValue? {
    guard let node = member(key, object.members) else { return nil }
    return try value(ofNode: node)
  }

  /// Returns the integer that a member of an object contains. Nil if there is no such member, or if it does
  /// not contain an integer.
  mutating func integer(_ key: String, of object: ArchivedObject) throws(ImportError) -> Int128? {
    guard let value = try value(key, of: object), value.kind == .integer,
      case .integer(let number) = graph.list.nodes[Int(value.index)]
    else { return nil }
    return number
  }

  /// Returns the real that a member of an object contains. Nil if there is no such member, or if it does not
  /// contain a real.
  mutating func real(_ key: String, of object: ArchivedObject) throws(ImportError) -> Double? {
    guard let value = try value(key, of: object), value.kind == .real || value.kind == .date else {
      return nil
    }
    return graph.list.real(Int(value.index))
  }

  /// Returns the string that represents a value. Nil if no string represents the value.
  mutating func text(of value: ImportedValue) throws(ImportError) -> ImportedValue? {
    guard let object = try archivedObject(value), let key = object.kind?.textKey,
      let text = try self.value(key, of: object)
    else { return nil }
    if text.kind == .string { return text }
    // The string may be an object that other values share. Such an object contains a string, not an object.
    guard let inner = try archivedObject(text), inner.kind == .string,
      let string = try self.value("NS.string", of: inner), string.kind == .string
    else { return nil }
    return string
  }

  /// Returns the data of an archived object of `NSData`. Nil for other values.
  mutating func data(of value: ImportedValue) throws(ImportError) -> ImportedValue? {
    guard let object = try archivedObject(value), object.kind == .data else { return nil }
    for key in ["NS.data", "NS.bytes"] {
      if let data = try self.value(key, of: object), data.kind == .data { return data }
    }
    return nil
  }

  /// Adds an integer that was computed from other values, and that the file does not contain directly.
  mutating func add(_ number: Int128) throws(ImportError) -> ImportedValue {
    try charge(elements: 1, at: graph.list.top)
    return ImportedValue(
      .integer, graph.list.append(.integer(number), at: graph.list.byteOffsets[graph.list.top]))
  }

  /// Adds a real that was computed from other values, and that the file does not contain directly.
  mutating func add(_ number: Double) throws(ImportError) -> ImportedValue {
    try charge(elements: 1, at: graph.list.top)
    return ImportedValue(.real, graph.list.append(.real(number), at: graph.list.byteOffsets[graph.list.top]))
  }
}
