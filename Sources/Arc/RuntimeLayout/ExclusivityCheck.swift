import CArc

/// Whether fields that are read in memory are checked, as Swift checks properties, for changes that go on:
/// asked once, for all that the caller does before it returns.
///
/// Where no access to any property goes on in the thread, nothing is being changed, and code that begins an
/// access later ends it before it returns. One question then replaces one for each field.
@usableFromInline package struct ExclusivityCheck {
  /// Whether each field has to be asked about.
  @usableFromInline package let isNeeded: Bool

  /// What the caller needs now. O(1).
  package static func now() -> ExclusivityCheck {
    ExclusivityCheck(isNeeded: !(isTold && arc_has_no_access()))
  }

  /// Whether the runtime lets itself be asked.
  private static let isTold = RuntimeLayout.isTrusted && arc_notices_accesses()

  /// Traps, as Swift does, if a property is being changed whose address is given.
  @usableFromInline static func trapIfChanging(_ property: UnsafeRawPointer) {
    unsafe arc_check_no_change(property)
  }
}
