public import Arc
public import Foundation

extension Progress {
  /// Follows a save or a reading: pass it as what is told the progress.
  ///
  ///     let bar = Progress(totalUnitCount: 100)
  ///     try await archiver.write(document, to: url, progress: bar.follow)
  ///
  /// Sets `completedUnitCount` to the part of `totalUnitCount` that is done; a total that is not set becomes
  /// 1000. `cancel()` ends the save or the reading between two segments of about a megabyte.
  ///
  /// - Parameter progress: how far it is.
  /// - Throws: `CancellationError` if this progress is cancelled.
  @Sendable public func follow(_ progress: ArchiveProgress) throws {
    guard !isCancelled else { throw CancellationError() }
    if totalUnitCount <= 0 { totalUnitCount = 1000 }
    completedUnitCount = Int64(progress.fractionCompleted * Double(totalUnitCount))
  }
}
