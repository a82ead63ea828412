import ArcFormat
import ArcJSON

/// Which cases values of enumerations without tags are of, as far as they were tried.
///
/// A value that is in another one is tried for each case of that: what was found for it is kept, so that the
/// time is that of the text, and not twice as much for each level.
final class UntaggedCases {
  /// The numbers of the cases, -1 for none.
  fileprivate var positions: [Value: Int] = [:]

  fileprivate struct Value: Hashable {
    let node: Int
    let index: Int
  }
}

extension RowFiller {
  /// Appends the first case that takes a value exactly as it is.
  func fillUntagged(_ node: Int, _ index: Int) throws -> Bool {
    let isOutermost = untaggedCases.positions.isEmpty
    defer { if isOutermost { untaggedCases.positions.removeAll() } }
    if let position = try untaggedCase(node, index) {
      // Of one without nested nodes whoever tries may look at what is appended.
      return try isTrial && !nodes[node].isLeaf || fillCase(position, node, index)
    }
    try issues.note(
      .unknownCase, at: index, expected: "the associated values of one of these cases: \(caseNames(node))")
    return false
  }

  /// The number of the first case that takes a value; nil for none.
  private func untaggedCase(_ node: Int, _ index: Int) throws -> Int? {
    let value = UntaggedCases.Value(node: node, index: index)
    if let known = untaggedCases.positions[value] { return known < 0 ? nil : known }
    // A case whose associated value is of the same enumeration does not take what no other case takes.
    untaggedCases.positions[value] = -1
    for position in shape.names[node].indices {
      let log = IssueLog(document, endsAtFirst: false)
      let trial = RowFiller(trying: self, log)
      var isCase = false
      _ = try row.appendWhole(toRootOf: node) {
        isCase = try trial.fillCase(position, node, index) && log.isEmpty
        return false
      }
      if isCase {
        untaggedCases.positions[value] = position
        return position
      }
    }
    return nil
  }

  /// Appends a case if a value is of it.
  private func fillCase(_ position: Int, _ node: Int, _ index: Int) throws -> Bool {
    let cases = shape.descriptions[node]
    row.append(UInt32(truncatingIfNeeded: position), to: node)
    guard let child = cases.payloads[position].map({ cases.children[$0] }) else {
      return conversion.isString(index) && document.isString(at: index, shape.names[node][position])
    }
    let place = placeOfPayload(child, index)
    return try fill(place.node, place.index)
  }
}
