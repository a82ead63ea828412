import ArcFormat
import ArcRuntime

/// The step from a value to a directly nested value.
package enum ValueStep: Sendable {
  /// An element of an array, or of a set in the order of the file.
  case element(Int)
  /// The key of an entry of a dictionary: the index of the entry.
  case key(Int)
  /// The value of an entry of a dictionary: the index of the entry, and its key.
  case value(Int, key: ArchiveValue)
  /// A field of a structure, or one of several associated values of a case.
  case field(Int, name: String)
  /// The only associated value of a case, if it has no label. Paths have no step for it.
  case onlyField
  /// The associated values of a case.
  case payload(caseName: String)

  /// The index of the element, entry or field. 0 for associated values.
  var index: Int {
    switch self {
    case .element(let index), .key(let index), .value(let index, _), .field(let index, _): index
    case .onlyField, .payload: 0
    }
  }

  /// Whether the value is an element of an array or set, or belongs to an entry of a dictionary.
  var isInCollection: Bool {
    switch self {
    case .element, .key, .value: true
    case .field, .onlyField, .payload: false
    }
  }
}

extension ColumnLayout {
  /// Returns the index, in the `children` of a node, of the child that a step selects. Nil if the node has no
  /// such child.
  func position(of step: ValueStep, in node: Int) -> Int? {
    // The node is not copied, because a copy would retain its lists for each value.
    let position: Int? =
      switch step {
      case .element, .key, .onlyField: 0
      case .value: 1
      case .field(let index, _): index
      case .payload(let name): self.position(ofCase: name, in: node).flatMap { nodes[node].payloads[$0] }
      }
    return position.flatMap { $0 < nodes[node].children.count ? $0 : nil }
  }

  /// Returns the index of the case with a name. Nil if the enumeration at the node has no such case.
  func position(ofCase name: String, in node: Int) -> Int? {
    nodes[node].labels.firstIndex { $0.hasSameBytes(as: name) }
  }
}
