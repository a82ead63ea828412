import Arc
import ArcFormat
import ArcJSON

// Checking values that only their types can check. A row is first filled without these checks, and building
// the object checks all values. If a type refuses a value, the row is filled again and each value is checked
// by itself. So the reader knows which value is refused, and omits only this value.

extension JSONRowFiller {
  /// Appends a JSON value to a node, and lets the value's type check it. Returns false if the value does not
  /// fit or the type refuses it.
  func fillChecked(_ node: Int, _ index: Int, _ check: TypeNotes.Check) throws -> Bool {
    try appendWhole(node) {
      let state = nodes[node].isLeaf ? nil : row.state
      return try fillUnchecked(node, index) && isAccepted(node, since: state, index, check)
    }
  }

  /// Whether the type accepts a value that was appended. Reports an issue if the type refuses the value. The
  /// value consists of everything that was appended after `state` was recorded. If `state` is nil, the value
  /// is the last value of the node.
  func isAccepted(
    _ node: Int, since state: InputRow.State?, _ index: Int, _ check: TypeNotes.Check
  ) throws -> Bool {
    do {
      if let state {
        try row.withValue(ofNode: node, since: state, check)
      } else {
        try row.withLastValue(ofNode: node, check)
      }
      return true
    } catch {
      try noteRefused(node, index, error)
      return false
    }
  }

  /// Reports a value that its type refuses.
  func noteRefused(_ node: Int, _ index: Int, _ error: any Error) throws {
    guard let error = error as? ArchiveError else { return try issues.noteRefusal(error, at: index) }
    if error.code == .unknownCase {
      try issues.note(.unknownCase, at: index, expected: error.expected ?? words(ofNode: node))
    } else {
      try issues.note(.refused, at: index, found: error.found, expected: error.expected)
    }
  }

  /// Whether the filler detects repeated elements of sets and repeated keys of dictionaries.
  var isChecking: Bool { !shape.keyReaders.isEmpty }

  /// Appends the elements of a set. Reports repeated elements and does not append them.
  func fillCheckedSet(_ node: Int, _ index: Int) throws -> Bool {
    let child = nodes[node].child
    var known: Set<AnyHashable> = []
    return try fillCounted(node) { count in
      for element in document.elements(of: index) {
        let isNew = try appendWhole(child) {
          let state = row.state
          return try fill(child, element) && insert(&known, child, since: state, element, "element")
        }
        if isNew { count += 1 }
      }
    }
  }

  /// Adds an element or key to `known`: the value that was appended since `state` was recorded. If `known`
  /// already contains an equal value, reports an issue and returns false.
  func insert(
    _ known: inout Set<AnyHashable>, _ node: Int, since state: InputRow.State, _ index: Int, _ noun: String
  ) throws -> Bool {
    guard let read = shape.keyReaders[node] else { return true }
    var isNew = true
    try row.withValue(ofNode: node, since: state) { isNew = known.insert(try read($0)).inserted }
    if !isNew {
      try issues.note(
        .duplicateKey, at: index, found: "a repeated \(noun)", expected: "distinct \(noun)s")
    }
    return isNew
  }
}
