import ArcFormat

// Reading objects of Foundation that an archive stores as values: strings, data, dates and similar types. An
// object of such a class stays an object if its members are not as Foundation writes them.

extension KeyedGraphReader {
  /// Returns the value that an object of a Foundation class represents. Nil if the archive stores the object
  /// as an object.
  mutating func value(
    _ className: String, _ members: KeyedMembers, uid: Int
  ) throws(ImportError) -> ImportedValue? {
    switch className {
    case "NSString", "NSMutableString": text(className, members, uid)
    case "NSData", "NSMutableData": data(className, members, uid)
    case "NSDate": date(members)
    case "NSUUID": uuid(members)
    case "NSURL": try url(members)
    case "NSNull": members.items.count == 1 ? ImportedValue(.null) : nil
    case "NSNumber": number(members)
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": decimal(members)
    default: nil
    }
  }

  /// Returns the node of the only member besides `$class`. Nil if the object does not have exactly one such
  /// member, or if the key of the member is not in `keys`.
  private mutating func onlyMember(_ keys: [String], _ members: KeyedMembers) -> Int? {
    guard members.items.count == 2 else { return nil }
    for key in keys { if let node = member(key, members) { return node } }
    return nil
  }

  private mutating func text(_ className: String, _ members: KeyedMembers, _ uid: Int) -> ImportedValue? {
    guard let node = onlyMember(["NS.string"], members), let value = plainString(node) else { return nil }
    return unlessShared(value, className, uid)
  }

  private mutating func data(_ className: String, _ members: KeyedMembers, _ uid: Int) -> ImportedValue? {
    guard let node = onlyMember(["NS.data", "NS.bytes"], members) else { return nil }
    let target = plainNode(node)
    guard let target, graph.list.data(target) != nil else { return nil }
    noteNesting(target)
    return unlessShared(ImportedValue(.data, target), className, uid)
  }

  /// Returns the value of a string or data object, and adds a note if the object is mutable. Nil if the
  /// object is mutable and has several references: the archive then stores it as an object, because its
  /// identity matters.
  private mutating func unlessShared(
    _ value: ImportedValue, _ className: String, _ uid: Int
  ) -> ImportedValue? {
    guard className.contains("Mutable") else { return value }
    let isShared = referenceCounts[uid] > 1
    report.note(isShared ? .sharedMutableValue : .mutableValue, "object \(uid), class '\(className)'")
    return isShared ? nil : value
  }

  private mutating func date(_ members: KeyedMembers) -> ImportedValue? {
    guard let node = onlyMember(["NS.time"], members), graph.list.real(node) != nil else { return nil }
    return ImportedValue(.date, node)
  }

  private mutating func uuid(_ members: KeyedMembers) -> ImportedValue? {
    guard let node = onlyMember(["NS.uuidbytes"], members), let target = plainNode(node),
      graph.list.data(target)?.count == 16
    else { return nil }
    return ImportedValue(.uuid, target)
  }

  private mutating func number(_ members: KeyedMembers) -> ImportedValue? {
    guard let node = onlyMember(["NS.boolval", "NS.intval", "NS.dblval"], members) else { return nil }
    return switch graph.list.nodes[node] {
    case .bool: ImportedValue(.bool, node)
    case .integer: ImportedValue(.integer, node)
    case .real: ImportedValue(.real, node)
    default: nil
    }
  }

  /// Returns a URL. Nil if the members are irregular. Also nil if the base URL has a base URL itself, because
  /// an archive stores only one base.
  private mutating func url(_ members: KeyedMembers) throws(ImportError) -> ImportedValue? {
    guard members.items.count == 3, let relativeNode = member("NS.relative", members),
      let relative = try string(relativeNode), let base = member("NS.base", members)
    else { return nil }
    var baseText: String?
    if !isNothing(base) {
      guard let inner = try smallObject(base, keyCount: 3), let textNode = member("NS.relative", inner),
        let text = try string(textNode), let outer = member("NS.base", inner), isNothing(outer),
        try className(of: inner) == "NSURL"
      else { return nil }
      baseText = text
    }
    graph.urls.append((relative, baseText))
    return ImportedValue(.url, graph.urls.count - 1)
  }

  /// Returns the decimal `mantissa` · 10 ^ `exponent`. Nil if the members are irregular. The mantissa has up
  /// to eight words of 16 bits, lowest word first.
  private mutating func decimal(_ members: KeyedMembers) -> ImportedValue? {
    let known = ["NS.compact", "NS.exponent", "NS.length", "NS.mantissa", "NS.mantissa.bo", "NS.negative"]
    let nodes = known.map { member($0, members) }
    let numbers = [classKey] + known.map { keys.number(of: $0) }
    guard members.items.allSatisfy({ numbers.contains($0.key) }),
      let exponent = integer(nodes[1]), -128...127 ~= exponent, let length = integer(nodes[2]),
      0...8 ~= length, let mantissa = nodes[3].flatMap({ plainNode($0) }).flatMap({ graph.list.data($0) }),
      mantissa.count == 16, let negative = nodes[5], case .bool(let isNegative) = graph.list.nodes[negative]
    else { return nil }
    // As in CFByteOrder: 1 is little-endian, 2 is big-endian.
    let order = integer(nodes[4]) ?? 1
    guard order == 1 || order == 2 else { return nil }
    let bytes = Array(mantissa)
    var number: UInt128 = 0
    for word in (0..<Int(length)).reversed() {
      let (low, high) = order == 1 ? (2 * word, 2 * word + 1) : (2 * word + 1, 2 * word)
      number = number << 16 | UInt128(bytes[high]) << 8 | UInt128(bytes[low])
    }
    let isNaN = length == 0 && isNegative
    let text = (isNegative ? "-" : "") + "\(number)e\(exponent)"
    guard let notation = isNaN ? "NaN" : DecimalNotation.normalized(text) else { return nil }
    graph.decimals.append(notation)
    return ImportedValue(.decimal, graph.decimals.count - 1)
  }

  private func integer(_ node: Int?) -> Int128? {
    guard let node, case .integer(let value) = graph.list.nodes[node] else { return nil }
    return value
  }

  /// Returns the members of the object that a node contains or refers to. Nil if there is no object with
  /// exactly `keyCount` keys.
  ///
  /// The function rejects larger objects, because many URLs can share one object, and reading a large object
  /// for each URL would take too long.
  private mutating func smallObject(_ node: Int, keyCount: Int) throws(ImportError) -> KeyedMembers? {
    guard let object = plainNode(node), graph.list.entries(object)?.keys.count == keyCount else { return nil }
    return try KeyedMembers(graph.list, object, &keys)
  }

  /// Returns the string that a node contains or refers to: a plain string, or an object of NSString. Nil for
  /// other values.
  ///
  /// Each call charges the bytes of the string, because each use of the string stores a copy.
  private mutating func string(_ node: Int) throws(ImportError) -> String? {
    var value = plainString(node)
    if value == nil, let members = try smallObject(node, keyCount: 2),
      try className(of: members)?.hasSuffix("String") ?? false, let inner = onlyMember(["NS.string"], members)
    {
      value = plainString(inner)
    }
    guard let value else { return nil }
    try charge(value)
    return graph.list.string(Int(value.index))
  }

  /// Returns the string in a node, or in the object to which its UID refers. Nil for other values.
  private mutating func plainString(_ node: Int) -> ImportedValue? {
    guard let target = plainNode(node), case .string = graph.list.nodes[target] else { return nil }
    return ImportedValue(.string, target)
  }

  /// Adds a note if data begins like a keyed archive.
  mutating func noteNesting(_ node: Int) {
    guard let bytes = graph.list.data(node), bytes.starts(with: "bplist00".utf8) else { return }
    report.note(.nestedArchive, "data at byte \(graph.list.byteOffsets[node])")
  }
}
