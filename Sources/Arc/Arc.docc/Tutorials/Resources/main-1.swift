import Arc
import ArcArchive
import Claims
import Foundation

/// Writes a file of the first release: two circles, one of them selected.
func writeVersion1(to url: URL) throws {
  let drawing = Version1.Drawing()
  let (sun, moon) = (Version1.Circle(), Version1.Circle())
  (sun.x, sun.y, sun.radius, moon.lineWidth) = (3, 4, 5, 25)
  (drawing.title, drawing.shapes, drawing.selected) = ("Sky", [sun, moon], moon)
  try Archiver().write(drawing, to: url)
}
