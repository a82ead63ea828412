import ArcFormat
import CArc
import Dispatch

/// The actor to which the objects of a class, or the values of roots, belong.
///
/// The compiler refuses most calls from outside the actor, because the conformance of such a type is also
/// isolated. The compiler does not refuse calls with a collection or an optional of the type. Only the main
/// actor is checked here. For types of other actors, Arc relies on the compiler.
struct ActorIsolation {
  /// The type of the objects or values, or the type of a part of the values, that belongs to the main actor.
  /// Nil if none of these types belongs to the main actor.
  let mainActorType: Any.Type?

  /// Whether the caller runs on the actor of the values, so that it may use the values. O(1).
  var isRespected: Bool { mainActorType == nil || arc_is_main_thread() || MainQueue.isCurrent }

  /// Throws `notArchivable` if the values belong to the main actor but the caller does not run on it.
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

  /// Returns the error for a value whose type is archivable only on an actor, if the caller does not run on
  /// this actor. The error does not name the actor, because Arc cannot determine it.
  static func error(outside found: String) -> ArchiveError {
    ArchiveError(
      .notArchivable, found: found + ", whose conformance is isolated to an actor, off this actor",
      expected: "a call on the actor of the type", remedy: remedy)
  }

  /// The remedy for the errors of `check()` and `error(outside:)`. It advises against the async functions for
  /// reading. If the requested type belongs to no actor, such a function builds all objects on the concurrent
  /// executor, also objects of an actor.
  private static let remedy =
    "call from a function marked @MainActor; for reading, the function must not be async"
}

/// The queue of the main actor. On Linux, if a program's `main` is async, threads other than the main thread
/// serve the queue.
private enum MainQueue {
  /// A key that is set only for the main queue. It never changes.
  private static let mark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the caller runs on the queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
}
