/// A phase of rebuilding a graph. Each phase calls code of the classes and sets certain properties. Spec:
/// 05-graph, section 3.
@usableFromInline package enum DecodingPhase: UInt8, CaseIterable, Sendable {
  /// The phase in which `init(from:)` sets properties.
  case initializer = 0
  /// The phase directly after `init(from:)`. In this phase, `link(from:)` sets properties of a class without
  /// an initializer of its own.
  case fill
  /// The phase that sets properties when all objects exist.
  case link
  /// The phase after `link`. It sets the properties whose values hash objects, because the hash of an object
  /// may depend on its references.
  case hash
  /// The phase that removes links, so that objects can be released: a hand-written `link(from:)` receives
  /// empty values. No property belongs to this phase.
  case unlinking

  /// The phases that set properties when all objects exist, so that objects can refer to each other. In the
  /// order in which the phases run.
  package static let linkPhases: [DecodingPhase] = [.link, .hash]

  /// The phase as a bit in a set of phases.
  var bit: UInt8 { 1 << rawValue }
}
