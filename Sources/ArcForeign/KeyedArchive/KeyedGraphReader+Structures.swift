import ArcFormat

// Objects and strings of a file as structures of the program: ranges, geometry, dates, measurements, and
// objects whose keys are the fields of a structure.

extension KeyedGraphReader {
  typealias Structure = ImportGuide.Shape.Structure

  /// Returns a value as a structure of the program. Nil if the value does not have the fields of the
  /// structure.
  mutating func structure(of value: ImportedValue, _ form: Structure) throws(ImportError) -> ImportedValue? {
    if value.kind == .string { return try structure(ofText: value, form) }
    guard value.kind == .object else { return nil }
    if let object = try archivedObject(value) {
      guard programClasses[object.classIndex] == nil else { return nil }
      switch object.kind {
      case .value: return try structure(ofValue: object, form)
      case .dateInterval: return try dateInterval(object, form)
      case .measurement: return try measurement(object, form)
      case .affineTransform: return try affineTransform(object, form)
      case .attributedString: return try attributedString(object, form)
      case .none, .calendar, .dateComponents, .regularExpression, .notification, .unit:
        guard shapes[object.classIndex] == .object else { break }
        return try structure(form) { reader, label in
          reader.node(ofField: label, object.members)
        } isNil: { reader, node in
          object.kind == .dateComponents && reader.isUndefined(node)
        }
      default: return nil
      }
    }
    guard let contents = try contents(of: value) else { return nil }
    try charge(contents)
    guard contents.keyNodes != nil else { return nil }
    let entries = try properties(ofDictionary: Int(value.index)).rest
    let nodes = Dictionary(entries.map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })
    return try structure(form) { reader, label in
      nodes[reader.keys.number(of: label)]
    } isNil: { _, _ in
      false
    }
  }

  /// Adds a structure with the values of its fields.
  mutating func structure(_ form: Structure, _ fields: [ImportedValue]) throws(ImportError) -> ImportedValue {
    try charge(elements: 1 + fields.count, at: graph.list.top)
    for field in fields { try charge(field) }
    graph.structures.append((form, graph.elements.count..<graph.elements.count + fields.count))
    graph.elements += fields
    return ImportedValue(.structure, graph.structures.count - 1)
  }

  /// Returns a structure. `node` returns the node of each field's value, by the label of the field. Nil if no
  /// field has a node.
  private mutating func structure(
    _ form: Structure, node: (inout KeyedGraphReader, String) -> Int?,
    isNil: (KeyedGraphReader, Int) -> Bool
  ) throws(ImportError) -> ImportedValue? {
    var fields: [ImportedValue] = []
    for field in form.fields {
      guard let node = node(&self, field.label) else {
        fields.append(ImportedValue(.missing))
        continue
      }
      let value = isNil(self, node) ? ImportedValue(.nothing) : try fieldValue(node)
      fields.append(try fitted(value, to: field.shape))
    }
    guard fields.contains(where: { $0.kind != .missing }) || form.fields.isEmpty else { return nil }
    return try structure(form, fields)
  }

  /// Foundation's keys for fields of Swift's types that have another name.
  private static let foundationKeys = [
    "nanosecond": "NS.nanosec", "yearForWeekOfYear": "NS.yearForWOY", "timeZone": "NS.timezone",
    "firstWeekday": "NS.firstwkdy", "minimumDaysInFirstWeek": "NS.mindays",
  ]

  /// Returns the node of the member that contains a field's value. The member has the name of the field, or
  /// the name under which Foundation's classes store the field, such as `NS.year` and `NSPattern`. Nil if
  /// there is no such member.
  private mutating func node(ofField label: String, _ members: KeyedMembers) -> Int? {
    let first = label.prefix(1).uppercased()
    for key in [label, "NS." + label, Self.foundationKeys[label] ?? "", "NS" + first + label.dropFirst()] {
      if let node = member(key, members) { return node }
    }
    return nil
  }

  /// Whether a node is the number that date components have for an undefined component.
  private func isUndefined(_ node: Int) -> Bool {
    var node = node
    if case .uid(let uid) = graph.list.nodes[node], uid < UInt64(objects.count) {
      node = Int(objects[Int(uid)])
    }
    guard case .integer(let number) = graph.list.nodes[node] else { return false }
    return number == Int128(Int64.max) || number == Int128(Int32.max)
  }

  // MARK: Values

  /// Returns a range as a structure of the program: its location and length, or its bounds. Nil if the
  /// structure has other fields, or cannot represent the range.
  mutating func range(_ location: Int128, _ length: Int128, _ form: Structure) throws(ImportError)
    -> ImportedValue?
  {
    // The sum of larger numbers could overflow, and no range has such bounds.
    guard Int64(exactly: location) != nil, Int64(exactly: length) != nil else { return nil }
    if form.hasFields("location", "length") { return try structure(form, [add(location), add(length)]) }
    guard form.hasFields("lowerBound", "upperBound"), length >= 0 else { return nil }
    let isClosed = form.name.hasPrefix("ClosedRange")
    guard !isClosed || length > 0 else { return nil }
    return try structure(form, [add(location), add(location + length - (isClosed ? 1 : 0))])
  }

  private mutating func structure(
    ofValue object: ArchivedObject, _ form: Structure
  ) throws(ImportError) -> ImportedValue? {
    if let location = try integer("NS.rangeval.location", of: object),
      let length = try integer("NS.rangeval.length", of: object)
    {
      return try range(location, length, form)
    }
    for key in ["NS.pointval", "NS.sizeval", "NS.rectval"] {
      if let text = try value(key, of: object), text.kind == .string {
        return try structure(ofText: text, form)
      }
    }
    return try structure(form) { reader, label in
      reader.member("NS.edgeval." + label, object.members)
    } isNil: { _, _ in
      false
    }
  }

  /// Returns a structure from the notation of geometry and ranges, such as `{{0, 0}, {1, 2}}`. Nil if the
  /// string is in another notation, or if its numbers do not match the fields of the structure.
  private mutating func structure(
    ofText text: ImportedValue, _ form: Structure
  ) throws(ImportError) -> ImportedValue? {
    let node = Int(text.index)
    guard graph.list.contentByteCount(node) <= NumberText.maximumByteCount,
      let numbers = NumberText(graph.list.string(node) ?? "")
    else { return nil }
    return try structure(of: numbers, form)
  }

  private mutating func structure(of text: NumberText, _ form: Structure) throws(ImportError)
    -> ImportedValue?
  {
    guard case .list(let items) = text, items.count == form.fields.count else { return nil }
    if form.hasFields("lowerBound", "upperBound") {
      guard case .integer(let location) = items[0], case .integer(let length) = items[1] else { return nil }
      return try range(location, length, form)
    }
    var fields: [ImportedValue] = []
    for (item, field) in zip(items, form.fields) {
      switch (item, field.shape) {
      case (.integer(let number), .value(.number)): fields.append(try add(number))
      case (.real(let number), .value(.number)): fields.append(try add(number))
      case (.list, .structure(let inner)):
        guard let value = try structure(of: item, inner) else { return nil }
        fields.append(value)
      default: return nil
      }
    }
    return try structure(form, fields)
  }

  private mutating func dateInterval(
    _ object: ArchivedObject, _ form: Structure
  ) throws(ImportError) -> ImportedValue? {
    guard let start = try value("NS.startDate", of: object), let first = try real("NS.startDate", of: object)
    else { return nil }
    let end = try real("NS.endDate", of: object)
    guard let duration = try real("NS.duration", of: object) ?? end.map({ $0 - first }) else { return nil }
    var fields: [ImportedValue] = []
    for field in form.fields {
      switch field.label {
      case "start": fields.append(start)
      case "end": fields.append(try value("NS.endDate", of: object) ?? ImportedValue(.missing))
      case "duration": fields.append(try add(duration))
      default: return nil
      }
    }
    return try structure(form, fields)
  }

  /// Returns a measurement. Nil if the unit has another dimension than the type in the program.
  private mutating func measurement(
    _ object: ArchivedObject, _ form: Structure
  ) throws(ImportError) -> ImportedValue? {
    guard let unitValue = try value("NS.unit", of: object), let unit = try archivedObject(unitValue),
      unit.kind == .unit
    else { return nil }
    let dimension = "NS" + form.name.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    let unitClass = graph.classes[unit.classIndex].name
    guard !form.name.hasPrefix("Measurement<") || dimension == "NSUnit" || dimension == unitClass else {
      return nil
    }
    var conversion: ArchivedObject?
    if let converter = try value("NS.converter", of: unit) { conversion = try archivedObject(converter) }
    return try structure(form) { reader, label in
      switch label {
      case "value": reader.member("NS.value", object.members)
      case "symbol": reader.member("NS.symbol", unit.members)
      default: conversion.map { reader.member("NS." + label, $0.members) } ?? nil
      }
    } isNil: { _, _ in
      false
    }
  }

  /// Returns the coefficients of a transform, which Foundation writes as a C array.
  private mutating func affineTransform(
    _ object: ArchivedObject, _ form: Structure
  ) throws(ImportError) -> ImportedValue? {
    guard let array = try value("$0", of: object), let list = try archivedObject(array),
      list.kind == .oldStyleArray
    else { return nil }
    let numbers = try numberedValues("$", list)
    guard numbers.count == 6, form.fields.count == 6 else { return nil }
    return try structure(form, numbers)
  }
}
