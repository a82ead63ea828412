import Arc
import Foundation

/// A drawing in an editor, with its undo history and its file.
@MainActor final class DrawingDocument {
  private(set) var drawing = Drawing()

  init() {}

  /// Saves the present drawing. The main actor waits while Arc walks the drawing, not for the disk.
  func save(to url: URL) async throws {
    try await Archiver(compression: .zlib).write(drawing, to: url)
  }
}
