import Arc
import ArcFormat
import Claims
import Foundation

/// A document with a circle in a group.
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
  try document.change { $0.shapes.removeAll() }
  claim("removed", document.drawing.shapes.isEmpty && document.drawing.selection.count == 1)
  document.undo()
  let group = document.drawing.shapes.first as? Group
  claim(
    "undone: what is selected is the member of the group", document.drawing.selection[0] === group?.members[0]
  )
  document.redo()
  claim("redone", document.drawing.shapes.isEmpty)
  document.undo()
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
