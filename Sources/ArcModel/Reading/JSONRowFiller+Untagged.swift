import ArcFormat
import ArcJSON

/// The cases of untagged enumerations that are already determined, by JSON value.
///
/// A nested value is tried for each case of the outer value. If its case were determined each time, the time
/// would double with each nesting level. With the stored cases, the time is proportional to the length of the
/// text.
final class UntaggedCases {
  /// The position of the case of each value, or -1 if no case accepts the value.
  fileprivate var positions: [Value: Int] = [:]

  fileprivate struct Value: Hashable {
    let node: Int
    let index: Int
  }
}

extension JSONRowFiller {
  /// Appends a JSON value as the first case that accepts it without conversion. Returns false and reports an
  /// issue if no case accepts it.
  func fillUntagged(_ node: Int, _ index: Int) throws -> Bool {
    let isOutermost = untaggedCases.positions.isEmpty
    defer { if isOutermost { untaggedCases.positions.removeAll() } }
    if let position = try untaggedCase(node, index) {
      // In a trial, the caller reads the appended value only if the node has no nested nodes.
      return try isTrial && !nodes[node].isLeaf || fillCase(position, node, index)
    }
    try issues.note(
      .unknownCase, at: index, expected: "the associated values of one of these cases: \(caseNames(node))")
    return false
  }

  /// Returns the position of the first case that accepts a value. Returns nil if no case accepts the value.
  private func untaggedCase(_ node: Int, _ index: Int) throws -> Int? {
    let value = UntaggedCases.Value(node: node, index: index)
    if let known = untaggedCases.positions[value] { return known < 0 ? nil : known }
    // While the case is being determined, the value counts as a value without a case. So a case with an
    // associated value of the same enumeration accepts only values that another case accepts.
    untaggedCases.positions[value] = -1
    for position in shape.names[node].indices {
      let log = IssueLog(document, endsAtFirst: false)
      let trial = JSONRowFiller(trying: self, log)
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

  /// Appends a JSON value as the case at `position` of an enumeration. Returns false if the value does not
  /// fit the case. The caller then removes the values from the row.
  private func fillCase(_ position: Int, _ node: Int, _ index: Int) throws -> Bool {
    let cases = shape.descriptions[node]
    row.append(UInt32(truncatingIfNeeded: position), to: node)
    guard let child = cases.payloads[position].map({ cases.children[$0] }) else {
      return conversion.isString(index) && document.isString(at: index, shape.names[node][position])
    }
    let location = payloadLocation(child, index)
    return try fill(location.node, location.index)
  }
}
