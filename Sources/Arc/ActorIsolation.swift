import CArc

/// Who may touch the objects of a class, or the values of roots.
///
/// The compiler refuses most calls from elsewhere, because the conformance of such a type is isolated too. It overlooks
/// those with a collection or an optional of it. Types of other actors than the main one are left to the compiler.
struct ActorIsolation {
  /// The type, or one inside of it, that belongs to the main actor; nil if none does.
  let mainActorType: Any.Type?

  /// Whether the caller may touch them. O(1).
  var isRespected: Bool { mainActorType == nil || arc_is_main_thread() }

  /// Throws `notArchivable` where they must not be touched.
  func check() throws(ArchiveError) {
    guard !isRespected, let mainActorType else { return }
    let kind = mainActorType is AnyClass ? "class" : "type"
    throw ArchiveError(
      .notArchivable, found: "\(kind) '\(mainActorType)', which belongs to the main actor, outside of it",
      expected: "a call on the main actor", remedy: "call from a function that is marked @MainActor",
      className: (mainActorType as? any Archivable.Type)?.archiveSchema.name)
  }
}
