/// Records which fields have no value in the structures of one node of an `InputRow`. When the program reads
/// the structures, it sets such fields to their initial values.
///
/// In an archive, either all structures of a column have a field or none does. In JSON, each structure can
/// lack any field. For each field that may have no value, this type stores which structures lack it.
/// Structures are numbered in the order in which they are filled, which is also the order in which they are
/// read.
@usableFromInline struct FieldAbsences {
  private var fields: [Field]
  /// Whether any structure lacks any field.
  private(set) var hasAbsences = false

  private struct Field {
    /// Whether structures may lack the field.
    let isTracked: Bool
    /// The number of structures that were begun.
    var count = 0
    /// The numbers of the structures that lack the field, in ascending order.
    var absent: [Int] = []
    /// The number of the structure that is read next.
    var position = 0
    /// The number of structures in `absent` that precede `position`.
    var takenCount = 0
  }

  /// For each field, the number of structures that were begun when the state was recorded.
  struct State {
    fileprivate let counts: [Int]
  }

  /// Creates a record of the fields. `isTracked` contains, for each field, whether structures may lack it.
  init(_ isTracked: [Bool]) { fields = isTracked.map { Field(isTracked: $0) } }

  mutating func removeAll() {
    for index in fields.indices where fields[index].count > 0 {
      fields[index].count = 0
      if hasAbsences { fields[index].absent.removeAll(keepingCapacity: true) }
    }
    hasAbsences = false
  }

  // MARK: Filling

  /// Records that the value of a structure for a field begins. If the structure lacks the field, a call of
  /// `setAbsent` follows.
  mutating func begin(_ field: Int) { fields[field].count += 1 }

  /// Records that the most recently begun structure lacks a field.
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

  /// Whether any structure lacks this field.
  func hasAbsence(_ field: Int) -> Bool { fields.indices.contains(field) && !fields[field].absent.isEmpty }

  /// Moves all fields to the structure that is read next: the first structure of the node or, if `state` is
  /// supplied, the first structure that was begun after `state` was recorded.
  mutating func bind(to state: State? = nil) {
    guard hasAbsences else { return }
    for index in fields.indices {
      let start = state?.counts[index] ?? 0
      fields[index].position = start
      fields[index].takenCount = start == 0 ? 0 : fields[index].absent.prefix { $0 < start }.count
    }
  }

  /// Returns whether the next structure lacks a field, and advances the field's position by one structure.
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
  /// Returns the column of a field of the next structure. Nil if the structure has no value for the field.
  ///
  /// If `mayBeMissing` is true for the field's column, this method must be called once for each structure.
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
  /// Allows structures to lack some fields. The keys of `isTracked` are nodes of structures. Each element
  /// states whether the structures may lack the field with this index. Called once, before the row is filled.
  package func trackFields(_ isTracked: [Int: [Bool]]) {
    guard !isTracked.isEmpty else { return }
    // Structures without tracked fields need a record too: it states that they have all values.
    for (node, description) in layout.nodes.enumerated() where description.kind == .structure {
      let handle = Handle(FieldAbsences(isTracked[node] ?? []))
      set.nodes[node].value.absences = handle
      tracked.value.append((node, handle))
    }
  }

  /// Begins a value of a tracked field. The caller then either appends the value or calls `setFieldAbsent`.
  package func beginField(_ field: Int, ofNode node: Int) {
    set.nodes[node].value.absences?.value.begin(field)
  }

  /// Records that the structure has no value for the field that was begun. Called instead of appending a
  /// value.
  package func setFieldAbsent(_ field: Int, ofNode node: Int) {
    set.nodes[node].value.absences?.value.setAbsent(field)
    mayLackFields.value = true
  }

  /// Moves each tracked field to the structure that is read next: the first structure of the row or, if
  /// `state` is supplied, the first structure that was appended after `state` was recorded.
  func bindFields(to state: State? = nil) {
    for (number, (node, absences)) in tracked.value.enumerated() where absences.value.hasAbsences {
      absences.value.bind(to: state?.fields[number])
      for (field, child) in layout.nodes[node].children.enumerated() where absences.value.hasAbsence(field) {
        set.nodes[child].value.mayBeMissing = true
      }
    }
  }

  /// Removes the records of all structures.
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

  /// The number of values in each node, and the number of structures in each record of absent fields.
  package struct State {
    fileprivate let nodes: [InputNode.State]
    fileprivate let fields: [FieldAbsences.State]
  }

  /// The number of values so far. `withValue(ofNode:since:_:)` can read values that are appended after this
  /// state was recorded.
  package var state: State {
    State(
      nodes: layout.nodes.indices.map { columns[$0].state }, fields: tracked.value.map(\.absences.value.state)
    )
  }

  /// Calls `body` with the column of a node. The column is at the first value that was appended after `state`
  /// was recorded.
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
