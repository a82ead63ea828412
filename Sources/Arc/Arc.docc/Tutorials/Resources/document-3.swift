import Arc
import ArcArchive
import Foundation

/// A drawing in an editor, with its undo history and its file.
@MainActor final class DrawingDocument {
  private(set) var drawing = Drawing()
  private(set) var losses: ArchiveRecovery.Losses?

  init() {}

  /// Opens a file of any release. Recovers the intact objects of a damaged file.
  init(contentsOf url: URL) async throws {
    do {
      drawing = try await Unarchiver(limits: .untrusted).read(Drawing.self, from: url)
    } catch let error as ArchiveError where Self.damage.contains(error.code) {
      let recovery = try ArchiveRecovery(bytes: Data(contentsOf: url), limits: .untrusted)
      drawing = try await Unarchiver().unarchive(Drawing.self, from: recovery.archive())
      losses = recovery.losses
    }
  }

  private static let damage: Set<ArchiveError.Code> = [
    .truncated, .damagedHeader, .damagedTrailer, .damagedSegment, .indexMismatch,
  ]

  /// Saves the present drawing. The main actor waits while Arc walks the drawing, not for the disk.
  func save(to url: URL) async throws {
    try await Archiver(compression: .zlib).write(drawing, to: url)
  }
}
