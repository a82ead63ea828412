/// When a property is set while a graph is rebuilt. Spec: 05-graph, section 3.
@usableFromInline enum LinkPhase: UInt8, CaseIterable {
  /// In `init(from:)`.
  case initializer = 0
  /// By `link(from:)` directly after `init(from:)`: values of classes without an initializer of their own.
  case fill
  /// When all objects exist.
  case link
  /// When all plain links are set, because setting it runs an observer.
  case observedLink
  /// When all links are set, because setting it hashes objects.
  case hash
  /// Never: the file has no such column.
  case missing
  /// Not a phase of a property: a `link(from:)` by hand sets links to their empty values, so that a graph can
  /// be released.
  case cut

  /// The phase as a bit, for sets of phases.
  var bit: UInt8 { 1 << rawValue }
}
