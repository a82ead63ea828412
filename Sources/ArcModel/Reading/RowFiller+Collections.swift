import ArcFormat
import ArcJSON

// Values that have others inside: collections, structures, enumerations.

extension RowFiller {
  /// Appends the elements that can be read.
  func fillCollection(_ node: Int, _ index: Int) throws -> Bool {
    guard document.word(at: index).kind == .array else { return try mismatch(node, index) }
    let child = nodes[node].child
    return try fillCounted(node) { count in
      for element in document.elements(of: index) where try fillWhole(child, element) { count += 1 }
    }
  }

  func fillDictionary(_ node: Int, _ index: Int) throws -> Bool {
    let (key, value) = (nodes[node].child, nodes[node].secondChild)
    guard document.word(at: index).isContainer else { return try mismatch(node, index) }
    // Names of members are text, whatever the keys are.
    let keyConversion = ValueConversion(document: document, isLenient: true)
    return try fillCounted(node) { count in
      for name in document.keys(of: index) {
        let isRead = try appendWhole(key) {
          try fillScalar(key, name, keyConversion) && fill(value, name + 1)
        }
        if isRead { count += 1 }
      }
      for pair in document.elements(of: index) {
        let isRead = try appendWhole(key) {
          guard let place = keyAndValue(ofPair: pair) else {
            try issues.note(.typeMismatch, at: pair, expected: "an array of a key and a value")
            return false
          }
          return try fill(key, place.key) && fill(value, place.value)
        }
        if isRead { count += 1 }
      }
    }
  }

  /// Appends a length that is known when `body` has counted.
  private func fillCounted(_ node: Int, _ body: (inout Int) throws -> Void) rethrows -> Bool {
    let position = row.count(ofNode: node)
    row.append(UInt64(0), to: node)
    var count = 0
    try body(&count)
    row.setLength(count, at: position, ofNode: node)
    return true
  }

  func fillStructure(_ node: Int, _ index: Int) throws -> Bool {
    let description = descriptions[node]
    let kind = document.word(at: index).kind
    let hasNames = description.labels.contains { !$0.isEmpty }
    guard kind == .object || kind == .array && !hasNames else { return try mismatch(node, index) }
    var missing: [(JSONPath, String)] = []
    var isWhole = true
    if kind == .object { try noteDuplicates(names[node], index) }
    for (position, child) in description.children.enumerated() {
      if let part = part(position, of: node, at: index) {
        isWhole = try fill(child, part) && isWhole
      } else if !fillNothing(child) {
        missing.append((JSONPath(member: names[node][position]), nodes[child].kind.words))
      }
    }
    if missing.isEmpty { return isWhole }
    try issues.noteMissing(missing, at: index)
    return false
  }

  /// Reports the members of an object that it has twice.
  private func noteDuplicates(_ names: [String], _ index: Int) throws {
    guard document.duplicateKeys != .first else { return }
    for name in names {
      var isKnown = false
      for key in document.keys(of: index) where document.isString(at: key, name) {
        if isKnown {
          try issues.note(.duplicateKey, at: key + 1, found: "a second member of that name", expected: "one")
        }
        isKnown = true
      }
    }
  }

  func fillEnumeration(_ node: Int, _ index: Int) throws -> Bool {
    if case .untagged? = formats[node]?.kind { return try fillUntagged(node, index) }
    guard let (position, child, payload) = enumerationCase(node, index) else {
      let names = descriptions[node].labels.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
      let isOther = document.word(at: index).kind == .array || document.word(at: index).kind == .null
      var wanted = "one of the cases \(names)"
      if case .tagged(let name)? = formats[node]?.kind { wanted = "an object with \(wanted) as \"\(name)\"" }
      try issues.note(isOther ? .typeMismatch : .unknownCase, at: index, expected: wanted)
      return false
    }
    guard let child else {
      let isTagged = if case .tagged? = formats[node]?.kind { true } else { false }
      if let payload, !isTagged, !conversion.isLenient, document.word(at: payload).kind != .null,
        document.end(of: payload) > payload + 2 || !document.word(at: payload).isContainer
      {
        try issues.note(.typeMismatch, at: payload, expected: "null or {}, since the case has no values")
        return false
      }
      row.append(UInt32(truncatingIfNeeded: position), to: node)
      return true
    }
    row.append(UInt32(truncatingIfNeeded: position), to: node)
    guard let payload else {
      try issues.note(
        .typeMismatch, at: index,
        expected: "an object with the values of the case, {\"\(descriptions[node].labels[position])\": …}")
      return false
    }
    let place = placeOfPayload(child, payload)
    return try fill(place.node, place.index)
  }

  /// Appends the first case that takes a value exactly as it is.
  private func fillUntagged(_ node: Int, _ index: Int) throws -> Bool {
    let cases = descriptions[node]
    for (position, label) in cases.labels.enumerated() {
      let log = IssueLog(document, endsAtFirst: false)
      let trial = RowFiller(self, document, log, isLenient: false)
      let isCase = try row.appendWhole(toRootOf: node) {
        row.append(UInt32(truncatingIfNeeded: position), to: node)
        guard let child = cases.payloads[position].map({ cases.children[$0] }) else {
          return conversion.isString(index) && document.isString(at: index, label)
        }
        let place = placeOfPayload(child, index)
        return try trial.fill(place.node, place.index) && log.isEmpty
      }
      if isCase { return true }
    }
    let names = cases.labels.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    try issues.note(.unknownCase, at: index, expected: "a value of one of the cases \(names)")
    return false
  }
}
