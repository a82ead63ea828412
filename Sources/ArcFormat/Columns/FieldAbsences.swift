/// Which fields of the structures in a node of a filled row have no value: these take their initial values.
///
/// A column of an archive lacks a field in all of its values or in none; JSON can lack it in any. Of each
/// field that may be without a value the numbers of those without are kept, counted in the order in which
/// they are filled, which is that in which they are read.
@usableFromInline struct FieldAbsences {
  private var fields: [Field]
  /// Whether some value is without a field.
  private(set) var hasAbsences = false

  private struct Field {
    /// Whether it may be without a value.
    let isTracked: Bool
    /// How many values were filled, or are not there.
    var count = 0
    /// The numbers of those that are not there, ascending.
    var absent: [Int] = []
    /// The number of the value that is read next.
    var position = 0
    /// How many that are not there were read.
    var takenCount = 0
  }

  /// How much is filled.
  struct State {
    fileprivate let counts: [Int]
  }

  /// Follows the fields for which `isTracked` says so.
  init(_ isTracked: [Bool]) { fields = isTracked.map { Field(isTracked: $0) } }

  mutating func removeAll() {
    for index in fields.indices where fields[index].count > 0 {
      fields[index].count = 0
      if hasAbsences { fields[index].absent.removeAll(keepingCapacity: true) }
    }
    hasAbsences = false
  }

  // MARK: Filling

  /// Begins a value of a field.
  mutating func begin(_ field: Int) { fields[field].count += 1 }

  /// Says that the value that was begun last, and that nothing was filled for, is not there.
  mutating func setAbsent(_ field: Int) {
    fields[field].absent.append(fields[field].count - 1)
    hasAbsences = true
  }

  var state: State { State(counts: fields.map(\.count)) }

  mutating func restore(_ state: State) {
    for (index, count) in state.counts.enumerated() {
      fields[index].count = count
      while let last = fields[index].absent.last, last >= count { fields[index].absent.removeLast() }
    }
    hasAbsences = fields.contains { !$0.absent.isEmpty }
  }

  // MARK: Reading

  /// Whether a field is without a value somewhere.
  func hasAbsence(_ field: Int) -> Bool { fields.indices.contains(field) && !fields[field].absent.isEmpty }

  /// Moves to the first values, or to those that were filled behind a state.
  mutating func bind(to state: State? = nil) {
    guard hasAbsences else { return }
    for index in fields.indices {
      let start = state?.counts[index] ?? 0
      fields[index].position = start
      fields[index].takenCount = start == 0 ? 0 : fields[index].absent.prefix { $0 < start }.count
    }
  }

  /// Takes the next value of a field if it is not there; returns whether it was not.
  mutating func take(_ field: Int) -> Bool {
    guard hasAbsences, fields.indices.contains(field), fields[field].isTracked else { return false }
    let (position, taken) = (fields[field].position, fields[field].takenCount)
    fields[field].position += 1
    guard taken < fields[field].absent.count, fields[field].absent[taken] == position else { return false }
    fields[field].takenCount += 1
    return true
  }
}

extension ColumnReader {
  /// The column of a field of the next structure. Nil if the structure has no value for the field.
  ///
  /// Called once for each value of a field whose column `mayBeMissing`.
  @usableFromInline package func fieldIfPresent(_ index: Int) throws -> ColumnReader? {
    let child = child(index)
    if let absences = node.value.absences { return absences.value.take(index) ? nil : child }
    // The file has the field in no structure.
    if child.isMissing { return nil }
    guard child.node.value.isPresence else { return child }
    return try child.bit() ? child.child(0) : nil
  }
}

extension InputRow {
  /// Has fields of structures be without values: those for which `isTracked` says so, by node. Called once,
  /// before the row is filled.
  package func trackFields(_ isTracked: [Int: [Bool]]) {
    guard !isTracked.isEmpty else { return }
    // Structures of which no field is tracked must say that they have all of their values.
    for (node, description) in layout.nodes.enumerated() where description.kind == .structure {
      let handle = Handle(FieldAbsences(isTracked[node] ?? []))
      set.nodes[node].value.absences = handle
      tracked.value.append((node, handle))
    }
  }

  /// Begins the value of a field that is tracked, before it is appended.
  package func beginField(_ field: Int, ofNode node: Int) {
    set.nodes[node].value.absences?.value.begin(field)
  }

  /// Says that the value of a field that was begun is not there: nothing was appended for it.
  package func setFieldAbsent(_ field: Int, ofNode node: Int) {
    set.nodes[node].value.absences?.value.setAbsent(field)
    mayLackFields.value = true
  }

  /// Moves the fields that are tracked to the first values of the row, or to those behind a state.
  func bindFields(to state: State? = nil) {
    for (number, (node, absences)) in tracked.value.enumerated() where absences.value.hasAbsences {
      absences.value.bind(to: state?.fields[number])
      for (field, child) in layout.nodes[node].children.enumerated() where absences.value.hasAbsence(field) {
        set.nodes[child].value.mayBeMissing = true
      }
    }
  }

  /// Forgets which fields are not there.
  @usableFromInline func removeFields() {
    mayLackFields.value = false
    for (node, absences) in tracked.value {
      if absences.value.hasAbsences {
        for (field, child) in layout.nodes[node].children.enumerated() where absences.value.hasAbsence(field)
        {
          set.nodes[child].value.mayBeMissing = false
        }
      }
      absences.value.removeAll()
    }
  }

  // MARK: Several nodes

  /// How much all nodes have.
  package struct State {
    fileprivate let nodes: [InputNode.State]
    fileprivate let fields: [FieldAbsences.State]
  }

  /// How much is filled so far.
  package var state: State {
    State(
      nodes: layout.nodes.indices.map { columns[$0].state }, fields: tracked.value.map(\.absences.value.state)
    )
  }

  /// Calls `body` with the column of a node, at the value that was appended behind a state.
  package func withValue(
    ofNode node: Int, since state: State, _ body: (ColumnReader) throws -> Void
  ) rethrows {
    for index in layout.nodes.indices {
      columns[index].bind()
      columns[index].move(to: state.nodes[index])
    }
    bindFields(to: state)
    defer { for index in layout.nodes.indices { columns[index].unfinish() } }
    try body(set.column(ofNode: node))
  }
}
