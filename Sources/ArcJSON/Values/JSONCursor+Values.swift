extension JSONCursor {
  /// Reads a value of any kind.
  ///
  /// - Parameter levels: the maximum nesting depth of arrays and objects in the value.
  /// - Returns: the value.
  /// - Throws: `Refusal` if the value is not valid JSON, is nested more deeply than `levels`, or contains an
  ///   object with two members of the same name.
  package mutating func value(levels: Int) throws(Refusal) -> JSONValue {
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try skipElements(levels: levels, upTo: UInt8(ascii: "]")) { (cursor) throws(Refusal) in
        elements.append(try cursor.value(levels: levels - 1))
        cursor.skipSpace()
      }
      return .array(elements)
    case UInt8(ascii: "{"):
      var object = JSONObject()
      try skipElements(levels: levels, upTo: UInt8(ascii: "}")) { (cursor) throws(Refusal) in
        let name = try cursor.string()
        cursor.skipSpace()
        try cursor.take(UInt8(ascii: ":"))
        guard object.add(name, try cursor.value(levels: levels - 1)) else { throw Refusal() }
        cursor.skipSpace()
      }
      return .object(object)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try exactNumber())
    default:
      switch try literal() {
      case .true: return .bool(true)
      case .false: return .bool(false)
      default: return .null
      }
    }
  }
}
