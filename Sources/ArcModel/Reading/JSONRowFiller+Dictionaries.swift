import Arc
import ArcFormat
import ArcJSON

// Filling dictionaries from objects, whose names are the keys, or from arrays of pairs.

extension JSONRowFiller {
  func fillDictionary(_ node: Int, _ index: Int) throws -> Bool {
    let (key, value) = (nodes[node].child, nodes[node].secondChild)
    guard document.word(at: index).isContainer else { return try mismatch(node, index) }
    // The names of members are strings, whatever the type of the keys is.
    let keyConversion = JSONScalarConversion(document: document, isLenient: true)
    var known: Set<AnyHashable> = []
    return try fillCounted(node) { count in
      for name in document.keys(of: index) {
        let isRead = try appendWhole(key) {
          let state = isChecking ? row.state : nil
          guard try fillKey(key, name, keyConversion) else { return false }
          if let state, !(try insert(&known, key, since: state, name + 1, "key")) { return false }
          return try fill(value, name + 1)
        }
        if isRead { count += 1 }
      }
      for pair in document.elements(of: index) {
        let isRead = try appendWhole(key) {
          guard let entry = keyAndValue(ofPair: pair) else {
            try issues.note(.typeMismatch, at: pair, expected: "an array of one key and one value")
            return false
          }
          let state = isChecking ? row.state : nil
          guard try fill(key, entry.key) else { return false }
          if let state, !(try insert(&known, key, since: state, pair, "key")) { return false }
          return try fill(value, entry.value)
        }
        if isRead { count += 1 }
      }
    }
  }

  /// Appends the name of a member as the key of a dictionary. Returns false if the name does not fit.
  private func fillKey(_ node: Int, _ name: Int, _ keyConversion: JSONScalarConversion) throws -> Bool {
    guard conversion.isLenient || isExactKey(node, name) else { return try mismatch(node, name) }
    guard nodes[node].isChecked, let check = shape.checks[node] else {
      return try fillScalar(node, name, keyConversion)
    }
    let state = nodes[node].isLeaf ? nil : row.state
    return try fillScalar(node, name, keyConversion) && isAccepted(node, since: state, name, check)
  }

  /// Whether the name of a member is a key in the form that a writer writes. A key that is not a string has
  /// the form of the JSON value, without quotes. An integer consists of digits, after a minus sign if it is
  /// negative.
  private func isExactKey(_ node: Int, _ name: Int) -> Bool {
    let kind = nodes[node].kind
    if kind == .string { return true }
    let text = document.string(at: name)
    switch kind {
    case .bool: return text == "true" || text == "false"
    case .int8, .int16, .int32, .int64, .int128, .uint8, .uint16, .uint32, .uint64, .uint128:
      let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
      return JSONNumber(text) != nil && text != "-0"
        && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    case .float16, .float32, .float64: return JSONNumber(text) != nil
    case .date:
      let number = JSONNumber(text)
      return switch dateFormat(node) {
      case nil: number != nil || DateNotation.seconds(text) != nil
      case .iso8601: DateNotation.seconds(text) != nil
      case .rfc1123: HTTPDate.seconds(text) != nil
      case .seconds, .milliseconds: number != nil
      }
    case .uuid: return UUIDNotation.bytes(text) != nil
    case .decimal: return DecimalNotation.normalized(text) != nil
    default: return true
    }
  }
}
