import Arc
import ArcArchive
import Foundation

/// A drawing in an editor, with its undo history and its file.
@MainActor final class DrawingDocument {
  private(set) var drawing = Drawing()
  private(set) var losses: ArchiveRecovery.Losses?
  private var undoSteps: [GraphCheckpoint] = []
  private var redoSteps: [GraphCheckpoint] = []

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

  /// Changes the drawing. If `edit` throws, the drawing is unchanged.
  func change(_ edit: (Drawing) throws -> Void) throws {
    let before = try GraphCheckpoint(of: drawing)
    do {
      try edit(drawing)
    } catch {
      before.restore()
      throw error
    }
    undoSteps.append(before)
    redoSteps = []
  }

  /// Restores the values before the last change, in the same objects.
  func undo() throws {
    guard let step = undoSteps.last else { return }
    redoSteps.append(try GraphCheckpoint(of: drawing))
    undoSteps.removeLast()
    step.restore()
  }

  func redo() throws {
    guard let step = redoSteps.last else { return }
    undoSteps.append(try GraphCheckpoint(of: drawing))
    redoSteps.removeLast()
    step.restore()
  }

  /// Saves the present drawing. The main actor waits while Arc walks the drawing, not for the disk.
  func save(to url: URL) async throws {
    try await Archiver(compression: .zlib).write(drawing, to: url)
  }
}
