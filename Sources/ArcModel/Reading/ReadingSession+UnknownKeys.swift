import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Collecting members that no property reads.

extension ReadingSession {
  /// Adds the unknown members of a JSON object, which no property reads, to `members`. Returns the result. An
  /// unknown member replaces a member with the same name.
  func unknownMembers(
    of index: Int, _ plan: ClassReadingState, addedTo members: JSONObject = JSONObject()
  ) throws -> JSONObject {
    var all = members
    var names: Set<ExactName> = []
    for key in document.keys(of: index)
    where plan.keys.number(at: key, in: document) == nil
      && !plan.plan.isTagOrMark(key, of: index, in: document, issues)
    {
      try add(key, besides: plan.plan.otherNames, to: &all, &names)
    }
    return all
  }

  /// Adds a member if no property reads the member. If properties read only some members of the member's
  /// value, adds only the other members of this value.
  private func add(
    _ key: Int, besides known: MemberNames, to members: inout JSONObject, _ names: inout Set<ExactName>
  ) throws {
    let name = document.string(at: key)
    switch known.part(ofKeyAt: key, in: document) {
    case .whole: break
    case .nothing:
      if !names.insert(ExactName(name)).inserted {
        if document.duplicateKeys == .first { return }
        try issues.noteDuplicate(ofKeyAt: key)
      }
      try issues.noteDuplicate(inside: key + 1)
      if let value = try value(at: key + 1) { members[name] = value }
    case .members(let inner):
      var nested = if case .object(let object)? = members[name] { object } else { JSONObject() }
      var nestedNames: Set<ExactName> = []
      for key in document.keys(of: key + 1) { try add(key, besides: inner, to: &nested, &nestedNames) }
      if nested.count > 0 { members[name] = .object(nested) }
    }
  }

  /// Stores the unknown members of a JSON object in an object that preserves them.
  func keepUnknownMembers(of index: Int, _ plan: ClassReadingState, by object: AnyObject?) throws {
    guard let object = object as? any UnknownMemberPreserving else { return }
    object.unknownMembers = try unknownMembers(of: index, plan)
  }
}
