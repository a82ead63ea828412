import ArcFormat
import ArcJSON

// Filling collections and enumerations.

extension JSONRowFiller {
  /// Returns the document index of the array at `index`. .NET can write an array as an object with the
  /// members `$id` and `$values`. For such an object, returns the index of the array in `$values`.
  func array(at index: Int) -> Int {
    guard shape.hasMarkedArrays, document.word(at: index).kind == .object,
      let values = document.member(ModelReferences.valuesName, of: index),
      document.keys(of: index).allSatisfy({
        $0 + 1 == values || document.isString(at: $0, ModelReferences.identifierName)
      })
    else { return index }
    return values
  }

  /// Appends the elements of an array. Skips elements that do not fit.
  func fillCollection(_ node: Int, _ index: Int) throws -> Bool {
    let index = array(at: index)
    guard document.word(at: index).kind == .array else { return try mismatch(node, index) }
    if isChecking, nodes[node].kind == .set { return try fillCheckedSet(node, index) }
    let child = nodes[node].child
    return try fillCounted(node) { count in
      for element in document.elements(of: index) where try fillWhole(child, element) { count += 1 }
    }
  }

  /// Appends the length of a collection. `body` appends the elements and counts them. The length is set
  /// afterwards.
  func fillCounted(_ node: Int, _ body: (inout Int) throws -> Void) rethrows -> Bool {
    let position = row.count(ofNode: node)
    row.append(UInt64(0), to: node)
    var count = 0
    try body(&count)
    row.setLength(count, at: position, ofNode: node)
    return true
  }

  func fillEnumeration(_ node: Int, _ index: Int) throws -> Bool {
    if let plan = shape.codedPlans[node] { return try fillCoded(node, index, plan) }
    if case .untagged? = shape.formats[node]?.kind { return try fillUntagged(node, index) }
    guard let (position, child, payload) = enumerationCase(node, index) else {
      let isOther = document.word(at: index).kind == .array || document.word(at: index).kind == .null
      var wanted = "a case: \(caseNames(node))"
      var found: String?
      if case .tagged(let name)? = shape.formats[node]?.kind {
        wanted = "an object whose \"\(name)\" is a case: \(caseNames(node))"
        found = document.member(name, of: index).map {
          "an object whose \"\(name)\" is \(issues.words(at: $0))"
        }
      } else if document.word(at: index).kind == .object, document.word(at: index).length == 1 {
        found = "an object with the member \(issues.words(at: index + 2))"
      }
      try issues.note(isOther ? .typeMismatch : .unknownCase, at: index, found: found, expected: wanted)
      return false
    }
    guard let child else {
      let isTagged = if case .tagged? = shape.formats[node]?.kind { true } else { false }
      if let payload, !isTagged, !conversion.isLenient, document.word(at: payload).kind != .null,
        document.end(of: payload) > payload + 2 || !document.word(at: payload).isContainer
      {
        try issues.note(
          .typeMismatch, at: payload, expected: "null or {}, because the case has no associated values")
        return false
      }
      if isTagged { try noteUnknown(besides: [], index) }
      row.append(UInt32(truncatingIfNeeded: position), to: node)
      return true
    }
    row.append(UInt32(truncatingIfNeeded: position), to: node)
    guard let payload else {
      try issues.note(
        .typeMismatch, at: index,
        expected: "an object with the associated values of the case, {\"\(shape.names[node][position])\": …}")
      return false
    }
    let location = payloadLocation(child, payload, hasTag: payload == index)
    return try fill(location.node, location.index)
  }

  /// Returns the names of the cases of an enumeration, for issues.
  func caseNames(_ node: Int) -> String {
    let names = shape.names[node]
    return names.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}
