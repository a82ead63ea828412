import ArcFormat

// Attributed strings as structures of the program.

extension KeyedGraphReader {
  /// Returns an attributed string as a structure with the field `string`, `runs` or both. A run can have the
  /// fields `text`, `location`, `length` and `attributes`; it has the fields that the program declares.
  mutating func attributedString(
    _ object: ArchivedObject, _ form: Structure
  ) throws(ImportError) -> ImportedValue? {
    guard let source = try value("NSString", of: object) else { return nil }
    let plain = source.kind == .string ? source : try text(of: source)
    guard let plain, plain.kind == .string else { return nil }
    var fields: [ImportedValue] = []
    for field in form.fields {
      switch (field.label, field.shape.unwrapped) {
      case ("string", .value(.string)): fields.append(plain)
      case ("runs", .list(.structure(let run))):
        guard let runs = try runs(of: object, plain, run) else { return nil }
        fields.append(try collect(.list, runs))
      default: return nil
      }
    }
    return try structure(form, fields)
  }

  private mutating func runs(
    of object: ArchivedObject, _ text: ImportedValue, _ form: Structure
  ) throws(ImportError) -> [ImportedValue]? {
    try charge(text)
    let units = Array((graph.list.string(Int(text.index)) ?? "").utf16)
    var attributes: [ImportedValue] = []
    if let value = try value("NSAttributes", of: object) { attributes.append(value) }
    var numbers = [Int128(units.count), 0]
    if member("NSAttributeInfo", object.members) != nil {
      guard let packed = try packedNumbers("NSAttributeInfo", object), packed.count % 2 == 0,
        let list = attributes.first, let dictionaries = try contents(of: list), dictionaries.keyNodes == nil,
        let nodes = dictionaries.nodes
      else { return nil }
      attributes = try values(nodes)
      numbers = packed
    }
    var runs: [ImportedValue] = []
    var start = 0
    for position in stride(from: 0, to: numbers.count, by: 2) {
      guard numbers[position] <= units.count - start, let index = Int(exactly: numbers[position + 1]) else {
        return nil
      }
      let end = start + Int(numbers[position])
      var fields: [ImportedValue] = []
      for field in form.fields {
        switch field.label {
        case "text":
          let part = String(decoding: units[start..<end], as: UTF16.self)
          try budget.charge(bytes: part.utf8.count)
          try charge(elements: 1, at: Int(text.index))
          let offset = graph.list.byteOffsets[Int(text.index)]
          fields.append(ImportedValue(.string, graph.list.append(part, at: offset)))
        case "location": fields.append(try add(Int128(start)))
        case "length": fields.append(try add(numbers[position]))
        case "attributes":
          let value = attributes.indices.contains(index) ? attributes[index] : ImportedValue(.missing)
          fields.append(try fitted(value, to: field.shape))
        default: return nil
        }
      }
      runs.append(try structure(form, fields))
      start = end
    }
    return start == units.count ? runs : nil
  }
}
