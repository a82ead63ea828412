import ArcFormat

/// Collects the reasons why this program cannot read an archive, if they can be found before values are read.
/// All reasons are reported together, so the user can fix all of them at once.
struct RefusalReasons {
  /// The maximum number of reasons that are stored. Further reasons are only counted.
  static let maximumCount = 20

  private var first: ArchiveError?

  /// Calls `body` and returns its result. If `body` throws an `ArchiveError`, records the error and returns
  /// nil.
  @discardableResult
  mutating func collect<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as ArchiveError {
      add(error)
      return nil
    }
  }

  private mutating func add(_ error: ArchiveError) {
    guard var all = first else {
      first = error
      return
    }
    var single = error
    (single.otherReasons, single.omittedReasonCount) = ([], 0)
    let reasons = [single] + error.otherReasons
    let added = reasons.prefix(max(Self.maximumCount - 1 - all.otherReasons.count, 0))
    all.otherReasons += added
    all.omittedReasonCount += error.omittedReasonCount + reasons.count - added.count
    first = all
  }

  /// Throws the first reason; the error also contains the other reasons. Does nothing if no reason was
  /// collected.
  func check() throws(ArchiveError) {
    if let first { throw first }
  }
}
