/// When a class's code is called while a graph is rebuilt, and sets properties. Spec: 05-graph, section 3.
@usableFromInline package enum DecodingPhase: UInt8, CaseIterable, Sendable {
  /// In `init(from:)`.
  case initializer = 0
  /// By `link(from:)` directly after `init(from:)`: values of classes without an initializer of their own.
  case fill
  /// When all objects exist.
  case link
  /// When all links are set, because setting it hashes objects.
  case hash
  /// When links are undone, so that objects can be released: a `link(from:)` by hand sets them to their empty
  /// values. No property is set in this phase alone.
  case unlinking

  /// The phases that set properties of objects that may refer to each other, in order.
  package static let linkPhases: [DecodingPhase] = [.link, .hash]

  /// The phase as a bit, for sets of phases.
  var bit: UInt8 { 1 << rawValue }
}
