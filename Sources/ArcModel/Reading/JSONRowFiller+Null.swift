import ArcFormat
import ArcJSON

// The meaning of JSON `null`, and of a missing member, for values in rows.

extension RowShape {
  /// Appends nil to a node for a missing value. Returns false if the node cannot be nil.
  func fillNil(_ node: Int) -> Bool {
    guard let nullCase = codedPlans[node]?["null"] else { return fillNothing(node) }
    row.append(nullCase.position, to: node)
    return true
  }

  /// Appends nil or a null reference to a node. Returns false if the node must have a value.
  func fillNothing(_ node: Int) -> Bool {
    switch nodes[node].kind {
    case .optional: row.append(bit: false, to: node)
    case .reference where nodes[node].refusesNull: return false
    case .reference, .weak: row.append(UInt32(0), to: node)
    default: return false
    }
    return true
  }
}

extension JSONRowFiller {
  /// Appends nil or a null reference to a node. Returns false if the node must have a value.
  func fillNothing(_ node: Int) -> Bool { shape.fillNothing(node) }

  /// Appends the value of an optional: nil for `null`, or the wrapped value for other JSON.
  func fillOptional(_ node: Int, _ index: Int) throws -> Bool {
    // `null` is nil of the innermost of several nested optionals. The outer optionals are nil only if the
    // member is missing.
    let child = nodes[nodes[node].child]
    let isInnermost = child.kind != .optional && (child.kind != .reference || child.refusesNull)
    if isInnermost, document.word(at: index).kind == .null { return fillNothing(node) }
    row.append(bit: true, to: node)
    return try fill(nodes[node].child, index)
  }
}
