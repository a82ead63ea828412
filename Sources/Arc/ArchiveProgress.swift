/// The progress of saving or reading an archive.
///
///     try await archiver.write(document, to: url) { progress in
///       Task { @MainActor in bar.value = progress.fractionCompleted }
///     }
public struct ArchiveProgress: Hashable, Sendable {
  /// The completed fraction of the work, from 0 to 1.
  ///
  /// The fraction is an estimate, never decreases, and is 1 when the work is complete.
  public let fractionCompleted: Double

  /// Called with the progress after each segment of about 1 MB, in order.
  ///
  /// The handler runs on the thread that does the work. If the handler throws, the work ends with the error
  /// of the handler, and a save leaves the old file unchanged. At a fraction of 1 the work is complete, so an
  /// error of the handler has no effect.
  public typealias Handler = @Sendable (ArchiveProgress) throws -> Void
}

/// Reports the progress of one save or reading to a handler, and ends the work if its task is cancelled.
final class ProgressReporter {
  /// The progress of a save when all segments are packed, from 0 to 1. The remaining progress is for writing
  /// the file.
  private static let packedShare = 0.95

  private let handler: ArchiveProgress.Handler?
  /// Whether cancellation of the current task ends the work.
  private let endsWithTask: Bool
  private var last = -1.0

  init(_ handler: ArchiveProgress.Handler?, endsWithTask: Bool) {
    self.handler = handler
    self.endsWithTask = endsWithTask
  }

  /// Reports a fraction below 1.
  ///
  /// - Throws: `CancellationError`, or what the handler throws.
  func report(_ fraction: Double) throws {
    if let handler, fraction > last {
      last = fraction
      try handler(ArchiveProgress(fractionCompleted: fraction))
    }
    try checkCancellation()
  }

  /// Throws `CancellationError` if the current task is cancelled. Does nothing if the work continues after a
  /// cancellation (`endsWithTask` is false).
  func checkCancellation() throws {
    if endsWithTask { try Task.checkCancellation() }
  }

  /// Reports the progress of a save. `packed` is the number of bytes that are packed, and `total` is the
  /// number of all bytes.
  func report(packed: Int, of total: Int) throws {
    try report(Self.packedShare * (total > 0 ? Double(packed) / Double(total) : 1))
  }

  /// Reports that the work is complete. Errors of the handler are ignored.
  func finish() { try? handler?(ArchiveProgress(fractionCompleted: 1)) }
}
