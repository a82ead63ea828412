import ArcRuntime

/// A field of a structure, or an associated value of a case, that the program gives no value of its own:
/// where a file lacks it, no value can be read. Spec: 06-evolution, rule M3.
///
/// The text of a snapshot does not say which those are, and a snapshot that was read knows none.
package struct RequiredField: Equatable, Sendable {
  /// The name of the structure or enumeration.
  let type: ExactName
  /// The case that the value is associated with; nil for a field.
  let caseName: ExactName?
  /// Which of the fields, or of the associated values, it is.
  let position: Int

  /// Describes a field.
  package init(type: String, caseName: String?, position: Int) {
    self.type = ExactName(type)
    self.caseName = caseName.map(ExactName.init)
    self.position = position
  }

  /// Whether it is one of a structure or enumeration with a name.
  package func isPart(ofType name: String) -> Bool { type == ExactName(name) }
}
