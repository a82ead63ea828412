import ArcArchive

/// Reports the progress of reading an archive, after each segment of each phase. If the receiver throws an
/// error, reading ends.
struct ReadingSteps {
  /// A phase of reading that takes a large part of the time. Its raw value is the progress when the phase
  /// begins, from 0 to 1.
  enum Phase: Double {
    case counting = 0
    case verifying = 0.2
    case migrating = 0.35
    case building = 0.4
    case linking = 0.7
    case ending = 0.95
  }

  /// Called with the progress, from 0 to 1. If the function throws an error, reading ends.
  typealias Report = (_ fraction: Double) throws -> Void

  /// The receiver of the progress. Nil if the caller does not observe the progress.
  private let report: Report?
  private let segmentCount: Int

  init(of file: ArchiveFile, _ report: Report?) {
    self.report = report
    segmentCount = file.segments.count
  }

  /// Reports the progress after a segment is finished in a phase. `segment` is the index of the segment in
  /// the file. `end` is the phase after `phase`.
  func finish(segment: Int, in phase: Phase, until end: Phase) throws {
    try reach(Double(segment + 1) / Double(max(segmentCount, segment + 1)), of: phase, until: end)
  }

  /// Reports that a share of a phase is done. `share` is a number from 0 to 1. `end` is the phase that comes
  /// next, so its raw value is the progress at the end of `phase`.
  func reach(_ share: Double, of phase: Phase, until end: Phase) throws {
    guard let report else { return }
    try report(phase.rawValue + (end.rawValue - phase.rawValue) * share)
  }

  /// Verifies the rows of the file. Reports the progress of each segment twice: after its rows are counted,
  /// and after they are verified.
  func verifyRows(of file: ArchiveFile) throws {
    guard report != nil else { return try file.verifyRows(isComplete: false) }
    var outcome = Result<Void, any Error>.success(())
    var (last, phase, end) = (-1, Phase.counting, Phase.verifying)
    try file.verifyRows(isComplete: false) { segment in
      if segment <= last { (phase, end) = (.verifying, .migrating) }
      last = segment
      outcome = Result { try finish(segment: segment, in: phase, until: end) }
      // The error is stored here, and thrown after the verification.
      return (try? outcome.get()) != nil
    }
    try outcome.get()
  }
}
