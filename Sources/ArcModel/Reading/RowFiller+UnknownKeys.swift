import ArcJSON

// Reporting members that no field reads.

extension RowFiller {
  /// Whether unknown members are reported. False in trials, because a trial reports nothing.
  private var notesUnknownKeys: Bool { shape.reportsUnknownKeys && !isTrial }

  /// Reports the members of an object that no path reads. Structures preserve no members.
  func noteUnknown(besides paths: @autoclosure () -> [JSONPath], _ index: Int) throws {
    guard notesUnknownKeys, document.memberCount(of: index) > 0 else { return }
    let names = MemberNames(paths())
    for key in document.keys(of: index) where !issues.isTag(key, ofObjectAt: index) {
      try names.forEachUnknown(ofKeyAt: key, in: document) {
        try issues.noteUnknown($0, expected: shape.expectedForUnknownKeys)
      }
    }
  }

  /// Records that a member states the type or the case of an object. It is then a known member for all types.
  func noteTag(_ name: String, _ index: Int) {
    if notesUnknownKeys { issues.noteTag(name, ofObjectAt: index) }
  }
}
