import Arc

/// A log of the calls of hooks, in order.
final class Recorder: @unchecked Sendable {  // Each test has its own.
  var calls: [String] = []
  /// The objects that a program already has, by name.
  var known: [String: any Archivable] = [:]
  /// The read objects, by name. If `unites` is true, the first object with a name replaces the others.
  var built: [String: any Archivable] = [:]
  var substitutes: [String: String] = [:]
  /// Whether the first object with a name replaces all others with this name.
  var unites = false
  /// The hook that throws, as the call that it would log, and its error.
  var failing: (call: String, error: any Error)?

  func note(_ call: String) throws {
    calls.append(call)
    if let failing, failing.call == call { throw failing.error }
  }
}

/// An error of the program.
struct HookFailure: Error {}

extension CodingUserInfoKey {
  static let recorder = CodingUserInfoKey(rawValue: "recorder").unsafelyUnwrapped
}

extension [CodingUserInfoKey: any Sendable] {
  var recorder: Recorder? { self[.recorder] as? Recorder }
}

extension ArchiveContext {
  func note(_ call: String) throws { try userInfo.recorder?.note(call) }
}

extension Archiver {
  init(_ recorder: Recorder, isCanonical: Bool = false) {
    self.init(isCanonical: isCanonical, userInfo: [.recorder: recorder])
  }
}

extension Unarchiver {
  init(_ recorder: Recorder, classes: ClassTable = ClassTable()) {
    self.init(classes: classes, userInfo: [.recorder: recorder])
  }
}
