/// The phase of rebuilding a graph in which code of a class is called and properties are set. Spec: 05-graph,
/// section 3.
@usableFromInline package enum DecodingPhase: UInt8, CaseIterable, Sendable {
  /// Properties that `init(from:)` sets.
  case initializer = 0
  /// Properties that `link(from:)` sets directly after `init(from:)`, because the class has no initializer of
  /// its own.
  case fill
  /// Properties that are set when all objects exist.
  case link
  /// Properties that are set when all references are set, because setting them hashes objects.
  case hash
  /// Links are removed so that objects can be released: a hand-written `link(from:)` gets empty values. No
  /// property is set only in this phase.
  case unlinking

  /// The phases that set properties of objects that may refer to each other, in the order in which they run.
  package static let linkPhases: [DecodingPhase] = [.link, .hash]

  /// The phase as a bit in a set of phases.
  var bit: UInt8 { 1 << rawValue }
}
