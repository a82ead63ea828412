import CArc

/// Whether each field that is read in memory must be checked for a change in progress, as Swift checks
/// properties. No checks are needed if the thread has no access in progress. Then no property is being
/// changed, and code that starts an access later ends this access before it returns. Therefore, one call of
/// `now()` replaces one check per field. The result is valid until the function that called `now()` returns.
@usableFromInline package struct ExclusivityCheck {
  /// Whether each field must be checked.
  @usableFromInline package let isNeeded: Bool

  /// Returns whether the caller must check each field. O(1).
  package static func now() -> ExclusivityCheck {
    ExclusivityCheck(isNeeded: !(isKnown && arc_has_no_access()))
  }

  /// Whether the runtime reports accesses in progress.
  private static let isKnown = RuntimeLayout.isTrusted && arc_notices_accesses()

  /// Traps, as Swift does, if the property at an address is being changed.
  @usableFromInline package static func trapIfChanging(_ property: UnsafeRawPointer) {
    unsafe arc_check_no_change(property)
  }
}
