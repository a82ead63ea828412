import ArcFormat
import CArc

/// Which actor the objects of a class, or the values of roots, belong to.
///
/// The compiler refuses most calls from elsewhere, because the conformance of such a type is isolated too. It
/// overlooks those with a collection or an optional of it. Only the main actor is checked here; types of
/// other actors are left to the compiler.
struct ActorIsolation {
  /// The type, or one inside of it, that belongs to the main actor; nil if none does.
  let mainActorType: Any.Type?

  /// Whether the caller is where the values may be used. O(1).
  var isRespected: Bool { mainActorType == nil || arc_is_main_thread() }

  /// Throws `notArchivable` unless the caller is where the values may be used.
  func check() throws(ArchiveError) {
    guard !isRespected, let mainActorType else { return }
    let kind = mainActorType is AnyClass ? "class" : "type"
    throw ArchiveError(
      .notArchivable, found: "\(kind) '\(mainActorType)', which belongs to the main actor, outside of it",
      expected: "a call on the main actor", remedy: "call from a function that is marked @MainActor",
      className: (mainActorType as? any Archivable.Type)?.archiveSchema.name)
  }
}
