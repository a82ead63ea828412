import CArc

extension ClassShape {
  /// Whether objects of the class may be touched by who calls this.
  ///
  /// The compiler refuses most calls from elsewhere, because the conformance of such a class is isolated too. It
  /// overlooks those with a collection or an optional of objects. Classes of other actors than the main one are left to
  /// the compiler.
  var isOnItsActor: Bool { !isOfMainActor || arc_is_main_thread() }

  /// Throws `notArchivable` where objects of the class must not be touched.
  func checkIsolation() throws(ArchiveError) {
    guard !isOnItsActor else { return }
    throw ArchiveError(
      .notArchivable, found: "class '\(schema.type)', which belongs to the main actor, outside of it",
      expected: "a call on the main actor", remedy: "call from a function that is marked @MainActor",
      className: schema.name)
  }
}
