import ArcFormat

// Objects of Foundation that contain numbers in a packed form: index sets, index paths, character sets.

extension KeyedGraphReader {
  /// Returns the elements of an object of a Foundation class that represents a list, such as `NSIndexSet`.
  /// Nil for objects of other classes, or if the members are not in the form that Foundation writes.
  mutating func foundationElements(
    of value: ImportedValue, _ element: ImportGuide.Shape
  ) throws(ImportError) -> [ImportedValue]? {
    guard value.kind == .object, let object = try archivedObject(value), let kind = object.kind else {
      return nil
    }
    switch kind {
    case .indexSet: return try indexSet(object, element)
    case .indexPath: return try indexPath(object)
    case .characterSet: return try characterSet(object, element)
    case .countedSet: return try numberedValues("NS.object", object)
    case .oldStyleArray: return try numberedValues("$", object)
    default: return nil
    }
  }

  /// Returns the values of the members `prefix` + number, such as `NS.object0`, up to the first missing
  /// number.
  mutating func numberedValues(
    _ prefix: String, _ object: ArchivedObject
  ) throws(ImportError) -> [ImportedValue] {
    var values: [ImportedValue] = []
    while values.count < object.members.items.count,
      let value = try value("\(prefix)\(values.count)", of: object)
    {
      values.append(value)
    }
    return values
  }

  private mutating func indexPath(_ object: ArchivedObject) throws(ImportError) -> [ImportedValue]? {
    guard let count = try integer("NSIndexPathLength", of: object) else { return nil }
    if count == 0 { return [] }
    if count == 1, let index = try value("NSIndexPathValue", of: object) { return [index] }
    guard let numbers = try packedNumbers("NSIndexPathData", object), Int128(numbers.count) == count else {
      return nil
    }
    var indices: [ImportedValue] = []
    for number in numbers { indices.append(try add(number)) }
    return indices
  }

  /// Returns the ranges of an index set, or its indices if the program's elements are integers.
  private mutating func indexSet(
    _ object: ArchivedObject, _ element: ImportGuide.Shape
  ) throws(ImportError) -> [ImportedValue]? {
    guard let count = try integer("NSRangeCount", of: object) else { return nil }
    var numbers: [Int128] = []
    if let location = try integer("NSLocation", of: object), let length = try integer("NSLength", of: object)
    {
      numbers = [location, length]
    } else if count > 0 {
      guard let packed = try packedNumbers("NSRangeData", object) else { return nil }
      numbers = packed
    }
    guard numbers.count % 2 == 0, Int128(numbers.count / 2) == count else { return nil }
    var values: [ImportedValue] = []
    for start in stride(from: 0, to: numbers.count, by: 2) {
      let (location, length) = (numbers[start], numbers[start + 1])
      guard 0...Int128(Int64.max) ~= location, 0...Int128(Int64.max) ~= length else { return nil }
      if case .structure(let form) = element {
        guard let range = try range(location, length, form) else { return nil }
        values.append(range)
      } else {
        // Charged before the indices are created, because a few bytes can represent any number of indices.
        try charge(elements: Int(length), at: graph.list.top)
        for index in 0..<length { values.append(try add(location + index)) }
      }
    }
    return values
  }

  /// Returns the scalar values of a character set, as ranges. Nil unless the set was created from a string.
  private mutating func characterSet(
    _ object: ArchivedObject, _ element: ImportGuide.Shape
  ) throws(ImportError) -> [ImportedValue]? {
    guard case .structure(let form) = element, let text = try value("NSString", of: object),
      text.kind == .string
    else { return nil }
    try charge(elements: graph.list.contentByteCount(Int(text.index)), at: Int(text.index))
    let scalars = Set((graph.list.string(Int(text.index)) ?? "").unicodeScalars.map { Int128($0.value) })
    var ranges: [ImportedValue] = []
    var pending: ClosedRange<Int128>?
    for scalar in scalars.sorted() {
      if let open = pending, open.upperBound + 1 == scalar {
        pending = open.lowerBound...scalar
        continue
      }
      if let open = pending, let range = try range(open.lowerBound, Int128(open.count), form) {
        ranges.append(range)
      }
      pending = scalar...scalar
    }
    if let open = pending, let range = try range(open.lowerBound, Int128(open.count), form) {
      ranges.append(range)
    }
    return ranges
  }

  /// Returns the unsigned numbers in data. Each byte of a number contains 7 bits, the lowest bits first, and
  /// its highest bit is set if another byte follows. Nil if the member is not data of such numbers.
  mutating func packedNumbers(_ key: String, _ object: ArchivedObject) throws(ImportError) -> [Int128]? {
    guard let value = try value(key, of: object) else { return nil }
    let data = value.kind == .data ? value : try data(of: value)
    guard let data, let bytes = graph.list.data(Int(data.index)) else { return nil }
    try charge(elements: bytes.count, at: Int(data.index))
    var numbers: [Int128] = []
    var (number, shift): (Int128, Int128) = (0, 0)
    for byte in bytes {
      guard shift < 64 else { return nil }
      number |= Int128(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 {
        numbers.append(number)
        (number, shift) = (0, 0)
      }
    }
    return shift == 0 ? numbers : nil
  }
}
