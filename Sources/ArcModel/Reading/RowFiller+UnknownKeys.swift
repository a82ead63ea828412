import ArcJSON

// Members that no field is read from.

extension RowFiller {
  /// Whether what no field is read from is told: of what is only tried nothing is.
  private var notesUnknownKeys: Bool { shape.reportsUnknownKeys && !isTrial }

  /// Reports the members of an object that no path reads. Structures keep no members.
  func noteUnknown(besides paths: @autoclosure () -> [JSONPath], _ index: Int) throws {
    guard notesUnknownKeys, document.memberCount(of: index) > 0 else { return }
    let names = MemberNames(paths())
    for key in document.keys(of: index) where !issues.isTag(key, ofObjectAt: index) {
      try names.forEachUnknown(ofKeyAt: key, in: document) {
        try issues.noteUnknown($0, expected: shape.expectedForUnknownKeys)
      }
    }
  }

  /// Notes that a member tells the type or the case of an object: it is not unknown, whatever the type is.
  func noteTag(_ name: String, _ index: Int) {
    if notesUnknownKeys { issues.noteTag(name, ofObjectAt: index) }
  }
}
