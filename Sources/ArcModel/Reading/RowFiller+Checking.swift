import Arc
import ArcFormat
import ArcJSON

// Values that only their types can judge. A row is filled without asking them, and the object that is made of
// it asks all at once. If one refuses its value, the row is filled again with each value asked by itself: so
// it is known which one is wrong, and only that one is left out.

extension RowFiller {
  /// Appends the value of an entry to a node, and has it checked.
  func fillChecked(_ node: Int, _ index: Int, _ check: TypeNotes.Check) throws -> Bool {
    try appendWhole(node) {
      let state = nodes[node].isLeaf ? nil : row.state
      return try fillUnchecked(node, index) && isTaken(node, since: state, index, check)
    }
  }

  /// Whether a type takes the value that was appended last, or behind a state; what it says otherwise is
  /// reported.
  func isTaken(
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

  /// Reports a value that a type refuses.
  func noteRefused(_ node: Int, _ index: Int, _ error: any Error) throws {
    guard let error = error as? ArchiveError else { return try issues.noteRefusal(error, at: index) }
    if error.code == .unknownCase {
      try issues.note(.unknownCase, at: index, expected: error.expected ?? words(ofNode: node))
    } else {
      try issues.note(.refused, at: index, found: error.found, expected: error.expected)
    }
  }

  /// Whether elements of sets and keys of dictionaries are compared.
  var isChecking: Bool { !shape.keyReaders.isEmpty }

  /// Appends the elements of a set that are equal to none before.
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

  /// Whether an element or key that was appended behind a state is equal to none before; it is reported if it
  /// is.
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
