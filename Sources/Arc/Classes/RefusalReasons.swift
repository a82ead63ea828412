import ArcFormat

/// Why an archive cannot be read by this program, as far as that is known before anything is read: all of it
/// at once, so that it can be mended at once.
struct RefusalReasons {
  /// The maximum number of reasons that are kept; the others are counted.
  static let maximumCount = 20

  private var first: ArchiveError?

  /// Calls `body`; notes its error and returns nil if it throws one of the archive.
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
    let kept = reasons.prefix(max(Self.maximumCount - 1 - all.otherReasons.count, 0))
    all.otherReasons += kept
    all.omittedReasonCount += error.omittedReasonCount + reasons.count - kept.count
    first = all
  }

  /// Throws the first reason, which has the others with it; does nothing if there is none.
  func check() throws(ArchiveError) {
    if let first { throw first }
  }
}
