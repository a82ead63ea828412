import Arc
import ArcTestSupport

/// The number of calls, by function and object name.
final class CallCounts: @unchecked Sendable {  // Each test has its own.
  private(set) var counts: [String: Int] = [:]

  func note(_ call: String) { counts[call, default: 0] += 1 }

  /// The calls that occurred more than once.
  var repeated: [String] { counts.filter { $0.value > 1 }.map { "\($0.key): \($0.value)" }.sorted() }

  /// Returns the functions that were called since the last `take()`, and the repeated calls.
  func take() -> (calls: Set<String>, repeated: [String]) {
    defer { counts = [:] }
    return (Set(counts.keys.map { String($0.prefix { $0 != " " }) }), repeated)
  }
}

extension CodingUserInfoKey {
  static let callCounts = CodingUserInfoKey(rawValue: "callCounts").unsafelyUnwrapped
}

extension ArchiveContext {
  var callCounts: CallCounts? { userInfo[.callCounts] as? CallCounts }
}

/// An object with each hook.
@Archivable("Counted call")
final class CountedCall: ArchivePreparing, ArchiveReplacing, UnarchiveReplacing,
  UnarchiveFinishing
{
  var name: String
  var next: CountedCall?
  var byHand: HandCountedCall?
  var later: Lazy<CountedCall>?
  var others: Set<CountedCall> = []
  weak var previous: CountedCall?
  init(_ name: String) { self.name = name }

  func willArchive(in context: ArchiveContext) throws { context.callCounts?.note("willArchive \(name)") }
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable {
    context.callCounts?.note("replacementForArchiving \(name)")
    return self
  }
  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable {
    context.callCounts?.note("replacementAfterUnarchiving \(name)")
    return self
  }
  func didUnarchive(in context: ArchiveContext) throws { context.callCounts?.note("didUnarchive \(name)") }
}

extension CountedCall: Hashable {
  static func == (left: CountedCall, right: CountedCall) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The same class in a version of the program that lacks the class of `byHand` and some properties.
@Archivable("Counted call")
final class FewerCountedCall: ArchivePreparing, ArchiveReplacing,
  UnarchiveFinishing
{
  var name: String
  var next: FewerCountedCall?
  init(_ name: String) { self.name = name }
  func willArchive(in context: ArchiveContext) throws { context.callCounts?.note("willArchive \(name)") }
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable {
    context.callCounts?.note("replacementForArchiving \(name)")
    return self
  }
  func didUnarchive(in context: ArchiveContext) throws { context.callCounts?.note("didUnarchive \(name)") }
}

/// A hand-written coder whose initializer counts.
final class HandCountedCall: HandWrittenClass {
  let name: String
  weak var owner: CountedCall?
  init(_ name: String) { self.name = name }
  init(from decoder: borrowing ObjectDecoder) throws {
    name = try decoder.decode(String.self, forKey: "name")
    (decoder.userInfo[.callCounts] as? CallCounts)?.note("init \(name)")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(name, forKey: "name") }
}

/// A class of an older version, which wrote tenths.
@Archivable("Counted line") final class OldCountedLine {
  var width: Int
  var next: OldCountedLine?
  init(_ width: Int) { self.width = width }
}
@Archivable("Counted line") final class CountedLine {
  static let archiveVersion = 2
  static let counts = CallCounts()
  var width = 0.0
  var next: CountedLine?
  init() {}
  static func migrate(_ line: inout MigratedObject, from version: Int) throws {
    counts.note("migrate \(line.id.rawValue)")
    if let tenths = line["width"]?.int { line["width"] = .double(Double(tenths) / 10) }
  }
}
