import ArcRuntime

/// States which fields of a structure, or which associated values of a case, have no initial value in the
/// program. A file whose values lack such a field cannot be read. Spec: 06-evolution, rule M3.
///
/// The text of a schema snapshot does not contain this information, so a parsed snapshot has no required
/// fields.
package struct RequiredFields: Equatable, Sendable {
  /// The name of the structure or enumeration.
  private let type: ExactName
  /// The name of the case with the associated values. Nil for the fields of a structure.
  private let caseName: ExactName?
  /// The names of all fields or associated values. They distinguish types that have the same name.
  private let labels: [ExactName]
  /// The positions of the fields or associated values that have no initial value.
  private let positions: [Int]

  /// Describes the fields of a structure, or the values of a case.
  package init(type: String, caseName: String?, labels: [String], positions: [Int]) {
    self.type = ExactName(type)
    self.caseName = caseName.map(ExactName.init)
    self.labels = labels.map { ExactName($0) }
    self.positions = positions
  }

  /// Returns whether a field is known to have no initial value. If several types have this name and these
  /// labels, the field must have no initial value in any of them.
  static func contain(
    _ position: Int, of type: String, caseName: String?, labels: [String], in all: [RequiredFields]
  ) -> Bool {
    let wanted = RequiredFields(type: type, caseName: caseName, labels: labels, positions: [])
    let known = all.filter {
      $0.type == wanted.type && $0.caseName == wanted.caseName && $0.labels == wanted.labels
    }
    return !known.isEmpty && known.allSatisfy { $0.positions.contains(position) }
  }
}
