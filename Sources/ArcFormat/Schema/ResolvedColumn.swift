/// How a node of the program's type is read from a file. `ColumnResolver` determines this by comparing the
/// program's type with the file's type.
package struct ResolvedColumn: Equatable, Sendable {
  /// The node in the layout of the file. Nil if the file has no such node, or if the program's node is only a
  /// wrapper around the file's value.
  package var node: Int?
  package var isMissing = false
  /// Whether the program has an optional where the file has a value that is always present.
  package var isAlwaysPresent = false
  /// Whether the program has an array of bytes where the file has data.
  package var isBytes = false
  package var isSigned = false
  /// For each case of the file, the index of the case in the program. Nil if the program does not have the
  /// case.
  package var cases: [Int?] = []
  /// The names of the cases of the file's enumeration.
  package var caseNames: [String] = []
  /// For each field of the program's structure, the position of the field in the file. Empty if the structure
  /// is not recursive. A recursive structure needs the positions, because the values of some fields are
  /// stored in the columns of the structure itself.
  package var fieldPositions: [Int?] = []
  /// If a structure may lack a field, the file stores the field as an optional. This dictionary contains the
  /// source of the presence bits of each such optional. The key is the position of the field in the program.
  /// Spec: 06-evolution, section 6.
  package var fieldPresence: [Int: ResolvedColumn] = [:]
  /// Whether the program reads the nested values in a different order than the file's order, or does not read
  /// all of them.
  package var isRearranged = false
  /// Whether the file has fields or associated values that the program does not have.
  package var dropsParts = false
  /// The conversion of the values. Nil if they are read unchanged.
  package var conversion: ColumnConversion?

  /// A source without values, for a node that the file does not have.
  package static let missing = ResolvedColumn(isMissing: true)
}

extension ResolvedColumn {
  /// Creates the source of a node of the program that is equal to a node of the file, and is therefore read
  /// unchanged.
  package init(identity node: Int, in layout: ColumnLayout) {
    self.init(
      node: node, isSigned: layout.nodes[node].kind.integerType?.isSigned ?? false,
      cases: Array(layout.nodes[node].labels.indices), caseNames: layout.nodes[node].labels)
  }
}
