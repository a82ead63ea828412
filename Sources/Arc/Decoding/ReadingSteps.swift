import ArcArchive

/// Tells how far a reading is, after each segment of each phase, and ends it where it is told to.
struct ReadingSteps {
  /// What takes most of the time, with the fraction of the whole that is done when it begins.
  enum Phase: Double {
    case counting = 0
    case verifying = 0.2
    case migrating = 0.35
    case building = 0.4
    case linking = 0.7
    case ending = 0.95
  }

  /// Receives a fraction from 0 to 1; what it throws ends the reading.
  typealias Report = (_ fraction: Double) throws -> Void

  /// Nil if nobody asks.
  private let report: Report?
  private let segmentCount: Int

  init(of file: ArchiveFile, _ report: Report?) {
    self.report = report
    segmentCount = file.segments.count
  }

  /// Reports that a phase is done with the segment at an index in the file. The next phase begins at `end`.
  func finish(segment: Int, in phase: Phase, until end: Phase) throws {
    try reach(Double(segment + 1) / Double(max(segmentCount, segment + 1)), of: phase, until: end)
  }

  /// Reports that a share of a phase is done, from 0 to 1. The next phase begins at `end`.
  func reach(_ share: Double, of phase: Phase, until end: Phase) throws {
    guard let report else { return }
    try report(phase.rawValue + (end.rawValue - phase.rawValue) * share)
  }

  /// Verifies the rows of the file.
  func verifyRows(of file: ArchiveFile) throws {
    guard report != nil else { return try file.verifyRows(isComplete: false) }
    var outcome = Result<Void, any Error>.success(())
    var (last, phase, end) = (-1, Phase.counting, Phase.verifying)
    try file.verifyRows(isComplete: false) { segment in
      if segment <= last { (phase, end) = (.verifying, .migrating) }
      last = segment
      outcome = Result { try finish(segment: segment, in: phase, until: end) }
      // The error is thrown when the verification has ended.
      return (try? outcome.get()) != nil
    }
    try outcome.get()
  }
}
