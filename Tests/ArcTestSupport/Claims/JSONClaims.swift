import ArcJSON

/// Claims that must hold for any bytes that are read as JSON.
package enum JSONClaims {
  /// Returns the first claim that does not hold. Nil if all hold.
  package static func violation(by bytes: [UInt8]) -> String? {
    for duplicateKeys in [JSONDocument.DuplicateKeys.last, .first, .refused] {
      let document: JSONDocument
      do {
        document = try JSONDocument(bytes, limits: JSONLimits(depth: 100), duplicateKeys: duplicateKeys)
      } catch {
        guard 0...bytes.count ~= error.byteOffset, error.line >= 1, error.column >= 1 else {
          return "an error outside of the text: \(error)"
        }
        continue
      }
      if let claim = violation(in: document, bytes) { return claim }
    }
    return nil
  }

  /// Checks that a document is written as JSON text that is read as the same value, and that each value has
  /// the location that the document states.
  private static func violation(in document: JSONDocument, _ bytes: [UInt8]) -> String? {
    let value = JSONValue(document.root)
    do {
      guard try JSONValue(parsing: value.description) == value else { return "another value: \(value)" }
      var writer = JSONWriter(isPretty: true, escaping: .ascii)
      writer.value(value)
      guard try JSONValue(JSONDocument(writer.bytes).root) == value else {
        return "another value: \(writer.text)"
      }
    } catch { return "what was written is no JSON: \(value): \(error)" }
    var next = 0
    var indices: [Int] = []
    var open = [document.root]
    while let node = open.popLast(), next < 200 {
      next += 1
      indices.append(node.index)
      guard 0..<bytes.count ~= node.byteOffset else { return "a value outside of the text" }
      if let number = node.number {
        if let integer = number.integer(Int64.self), abs(Double(integer) - (number.double ?? 0)) > 1024 {
          return "an integer and a double of \(number) that differ"
        }
        guard JSONNumber(number.text) == number else { return "a number that is none: \(number)" }
      }
      open += Array(node.elements) + node.members.map(\.value)
    }
    return violation(in: document.locations(of: indices.sorted()), indices.sorted(), document)
  }

  /// Checks that the path to each value refers to this value.
  private static func violation(
    in places: [JSONLocation], _ indices: [Int], _ document: JSONDocument
  ) -> String? {
    for (place, index) in zip(places, indices) where !place.path.contains("…") && !place.path.contains("\\u{")
    {
      guard let path = JSONPath(place.path) else { return "no path: \(place.path)" }
      // If several members have the same name, a path refers to only one of them.
      if document.duplicateKeys == .refused, document.index(at: path) != index {
        return "a path to another value: \(place.path)"
      }
    }
    return nil
  }
}
