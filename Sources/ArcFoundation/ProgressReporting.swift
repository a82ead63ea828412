public import Arc
public import Foundation

extension Progress {
  /// Shows the progress of saving or reading in this `Progress`.
  ///
  ///     let bar = Progress(totalUnitCount: 100)
  ///     try await archiver.write(document, to: url, progress: bar.follow)
  ///
  /// Pass this method as the `progress` argument. The method sets `completedUnitCount` to the completed
  /// fraction of `totalUnitCount`. If `totalUnitCount` is not positive, the method first sets it to 1,000.
  /// After `cancel()`, saving or reading ends between two segments, each of about 1 MB.
  ///
  /// - Parameter progress: the progress of saving or reading.
  /// - Throws: `CancellationError` if this `Progress` is cancelled.
  @Sendable public func follow(_ progress: ArchiveProgress) throws {
    guard !isCancelled else { throw CancellationError() }
    if totalUnitCount <= 0 { totalUnitCount = 1000 }
    completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
  }
}
