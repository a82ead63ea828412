import ArcRuntime

/// The fields of a structure, or the associated values of a case, that the program gives no value of its own:
/// where a file lacks one, no value can be read. Spec: 06-evolution, rule M3.
///
/// The text of a snapshot does not say which those are, and a snapshot that was read knows none.
package struct RequiredFields: Equatable, Sendable {
  /// The name of the structure or enumeration.
  private let type: ExactName
  /// The case that the values are associated with; nil for fields.
  private let caseName: ExactName?
  /// The names of all fields or values, which tell apart two types of one name.
  private let labels: [ExactName]
  /// Which of them have no initial value.
  private let positions: [Int]

  /// Describes the fields of a structure, or the values of a case.
  package init(type: String, caseName: String?, labels: [String], positions: [Int]) {
    self.type = ExactName(type)
    self.caseName = caseName.map(ExactName.init)
    self.labels = labels.map { ExactName($0) }
    self.positions = positions
  }

  /// Whether a field is known to have no initial value: of types that nothing tells apart, in none of them.
  static func contain(
    _ position: Int, of type: String, caseName: String?, labels: [String], in all: [RequiredFields]
  ) -> Bool {
    let asked = RequiredFields(type: type, caseName: caseName, labels: labels, positions: [])
    let known = all.filter {
      $0.type == asked.type && $0.caseName == asked.caseName && $0.labels == asked.labels
    }
    return !known.isEmpty && known.allSatisfy { $0.positions.contains(position) }
  }
}
