import Arc
import ArcJSON

// Objects whose JSON determines their type by a tag.

extension ReadingSession {
  /// Returns the number of the plan for an object whose type is chosen from its JSON. Returns nil and reports
  /// an issue if the type is unknown, or is neither the declared class nor a subclass.
  mutating func plan(
    of object: JSONRowFiller.PendingObject, chosenBy choice: TypeChoice, in filler: JSONRowFiller
  ) throws -> Int? {
    guard let type = choice.choose(JSONNode(document, object.index)) else {
      try issues.note(.refused, at: object.index, expected: choice.words)
      return nil
    }
    let chosen = RowReader.objectType(of: type)
    if let declared = filler.shape.type(ofReference: object.node),
      !ClassTable.isSubclass(chosen, of: declared)
    {
      try issues.note(
        .refused, at: object.index, found: "an object of class '\(type)'",
        expected: "an object of class '\(declared)' or a subclass")
      return nil
    }
    return try plan(of: chosen)
  }
}
