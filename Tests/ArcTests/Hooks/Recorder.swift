import Arc

/// What hooks say that they were called for, in order.
final class Recorder: @unchecked Sendable {  // Each test has its own.
  var calls: [String] = []
  /// Objects that a program has already, by name.
  var known: [String: any Archivable] = [:]
  /// Objects that were read, by name, and names of those that others of them take the place of.
  var built: [String: any Archivable] = [:]
  var substitutes: [String: String] = [:]
  /// Whether the first object of a name takes the place of all others.
  var unites = false
  /// The hook that throws, by what it would note, and what it throws.
  var failing: (call: String, error: any Error)?

  func note(_ call: String) throws {
    calls.append(call)
    if let failing, failing.call == call { throw failing.error }
  }
}

/// An error of the program's own.
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
