import Arc
import ArcArchive
import ArcTesting
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

/// Writes a file of the second release: a group with a member that refers to the group.
func writeVersion2(to url: URL) throws {
  let drawing = Version2.Drawing()
  let (group, star) = (Version2.Group(), Version2.Circle())
  (group.members, star.group, star.x, star.width) = ([star], group, 0.5, 2.5)
  (drawing.name, drawing.shapes, drawing.selection) = ("Stars", [group], [group, star])
  try Archiver().write(drawing, to: url)
}

await example("Files of the first two releases, read by the third") {
  try await withTemporaryFolder { folder in
    let (first, second) = (folder.appendingPathComponent("1.arc"), folder.appendingPathComponent("2.arc"))
    try writeVersion1(to: first)
    try writeVersion2(to: second)

    let sky = try await DrawingDocument(contentsOf: first).drawing
    let sun = sky.shapes[0] as? Circle
    print("  \(sky.name): \(sky.shapes.count) shapes, the first at \(sky.shapes[0].position)")
    claim("a title became a name", sky.name == "Sky")
    claim("two integers became a point", sun?.position == Point(x: 3, y: 4) && sun?.radius == 5)
    claim("tenths became points", sky.shapes[1].width == 2.5)
    claim("what was selected is a selection, of the same object", sky.selection.first === sky.shapes[1])
    claim("a new property has its initial value", sun?.colour == .black)

    let stars = try await DrawingDocument(contentsOf: second).drawing
    let group = stars.shapes[0] as? Group
    claim("a group has its member, the member its group", group?.members[0].group === group)
    claim("and both are selected", stars.selection[1] === group?.members[0])
    claim("real numbers stay", group?.members[0].position.x == 0.5 && group?.members[0].width == 2.5)

    try Unarchiver().check(archivesIn: folder, for: Drawing.self, reading: true)
  }
}

/// Returns a document with a circle in a group.
@MainActor func makeDocument() throws -> DrawingDocument {
  let document = DrawingDocument()
  try document.change { drawing in
    let (group, circle) = (Group(), Circle())
    (group.members, circle.group, circle.radius) = ([circle], group, 7)
    (drawing.name, drawing.shapes, drawing.selection) = ("Target", [group], [circle])
  }
  return document
}

struct TooSmall: Error {}

example("Undo, with identity") {
  let document = try makeDocument()
  let circle = document.drawing.selection[0]
  try document.change { $0.shapes.removeAll() }
  claim("removed", document.drawing.shapes.isEmpty && document.drawing.selection.count == 1)
  try document.undo()
  let group = document.drawing.shapes.first as? Group
  claim(
    "undone: what is selected is the member of the group", document.drawing.selection[0] === group?.members[0]
  )
  claim("the same object is selected", document.drawing.selection[0] === circle)
  try document.redo()
  claim("redone", document.drawing.shapes.isEmpty)
  try document.undo()
  try? document.change { drawing in
    drawing.name = "nothing"
    throw TooSmall()
  }
  claim("a change that fails leaves nothing", document.drawing.name == "Target")
}

await example("A save while the user draws on") {
  try await withTemporaryFolder { folder in
    let document = try makeDocument()
    let url = folder.appendingPathComponent("target.arc")
    let snapshot = try Archiver(compression: .zlib).snapshot(of: document.drawing)
    let saving = Task { try await snapshot.write(to: url) }
    try document.change { $0.name = "Later" }
    try await saving.value
    let saved = try await DrawingDocument(contentsOf: url)
    claim("the file has what was when the save began", saved.drawing.name == "Target")
    try await document.save(to: url)
    claim("and the next save the rest", try await DrawingDocument(contentsOf: url).drawing.name == "Later")
  }
}
