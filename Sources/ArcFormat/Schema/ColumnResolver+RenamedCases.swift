import ArcRuntime

// The partners of fields and cases of a file in the program. They are found by their names and older names.

extension ColumnResolver {
  /// Returns the older names of a field or a case of the program.
  private func olderNames(of label: String, in record: ColumnLayout.Node) -> [String] {
    olderNames[ExactName(record.name ?? "")]?[ExactName(label)] ?? []
  }

  /// Returns the position in the file of a field of the program. Nil if the file does not have the field.
  /// Fields are matched by label first, then by older names. If a label is repeated, its occurrences are
  /// matched in order.
  func filePosition(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ position: Int) -> Int? {
    let label = want.labels[position]
    let occurrence = want.labels[..<position].count { $0.hasSameBytes(as: label) }
    for name in [label] + olderNames(of: label, in: want) {
      let occurrences = have.labels.indices.filter { have.labels[$0].hasSameBytes(as: name) }
      if occurrence < occurrences.count { return occurrences[occurrence] }
    }
    return nil
  }

  /// Returns the program's index of a case of the file. Nil if the program does not have the case. Cases are
  /// matched by label first, then by older names.
  func wantedCase(_ want: ColumnLayout.Node, _ have: ColumnLayout.Node, _ fileCase: Int) -> Int? {
    let label = have.labels[fileCase]
    return want.labels.firstIndex { $0.hasSameBytes(as: label) }
      ?? want.labels.firstIndex { current in
        olderNames(of: current, in: want).contains { $0.hasSameBytes(as: label) }
      }
  }
}
