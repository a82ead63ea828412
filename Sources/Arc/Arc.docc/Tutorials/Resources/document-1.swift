import Arc
import Foundation

/// A drawing in an editor, with what can be undone, and its file.
@MainActor final class DrawingDocument {
  private(set) var drawing = Drawing()

  init() {}

  /// Saves the drawing as it is now. The main actor waits for the walk through it, not for the disk.
  func save(to url: URL) async throws {
    try await Archiver(compression: .zlib).write(drawing, to: url)
  }
}
