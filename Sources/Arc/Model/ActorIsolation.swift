import ArcFormat
import CArc
import Dispatch

/// Which actor the objects of a class, or the values of roots, belong to.
///
/// The compiler refuses most calls from elsewhere, because the conformance of such a type is isolated too. It
/// overlooks those with a collection or an optional of it. Only the main actor is checked here; types of
/// other actors are left to the compiler.
struct ActorIsolation {
  /// The type, or one inside of it, that belongs to the main actor; nil if none does.
  let mainActorType: Any.Type?

  /// Whether the caller is where the values may be used. O(1).
  var isRespected: Bool { mainActorType == nil || arc_is_main_thread() || MainQueue.isCurrent }

  /// Throws `notArchivable` unless the caller is where the values may be used.
  func check() throws(ArchiveError) {
    guard !isRespected, let mainActorType else { return }
    let kind = mainActorType is AnyClass ? "class" : "type"
    throw ArchiveError(
      .notArchivable,
      found:
        "a call off the main actor with \(kind) '\(mainActorType)', which is isolated to the main actor",
      expected: "a call on the main actor", remedy: Self.remedy,
      className: (mainActorType as? any Archivable.Type)?.archiveSchema.name)
  }

  /// The error for something of a type that is archivable on its actor alone, to a caller elsewhere, who
  /// cannot ask which actor that is.
  static func error(outside found: String) -> ArchiveError {
    ArchiveError(
      .notArchivable, found: found + ", whose conformance is isolated to an actor, off this actor",
      expected: "a call on the actor of the type", remedy: remedy)
  }

  /// Asynchronous functions read types of no actor elsewhere, whatever their objects hold.
  private static let remedy =
    "call from a function marked @MainActor; for reading, the function must not be async"
}

/// The queue of the main actor. Where a program's `main` is asynchronous, on Linux, other threads than the
/// main one serve it.
private enum MainQueue {
  /// Set for that queue alone; never changed.
  private static let mark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the caller runs on it.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
}
