import ArcJSON

// Reporting members that no field reads.

extension JSONRowFiller {
  /// Whether the filler reports unknown members. A trial reports nothing.
  private var notesUnknownKeys: Bool { shape.reportsUnknownKeys && !isTrial }

  /// Reports the members of an object that no path in `paths` reads. Used for objects that are read as
  /// structures, because structures cannot preserve unknown members.
  func noteUnknown(besides paths: @autoclosure () -> [JSONPath], _ index: Int) throws {
    guard notesUnknownKeys, document.memberCount(of: index) > 0 else { return }
    let names = MemberNames(paths())
    for key in document.keys(of: index) where !issues.isTag(key, ofObjectAt: index) {
      try names.forEachUnknown(ofKeyAt: key, in: document) {
        try issues.noteUnknown($0, expected: shape.expectedForUnknownKeys)
      }
    }
  }

  /// Records that a member is the tag for the type or case of an object. The member is then not reported as
  /// unknown.
  func noteTag(_ name: String, _ index: Int) {
    if notesUnknownKeys { issues.noteTag(name, ofObjectAt: index) }
  }
}
