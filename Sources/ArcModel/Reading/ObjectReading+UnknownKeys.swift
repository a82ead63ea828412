import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Members that no property is read from.

extension ObjectReading {
  /// The members of an object that no property is read from, added to others, which they replace.
  func unknownMembers(
    of index: Int, _ plan: ClassReading, addedTo members: JSONObject = JSONObject()
  ) throws -> JSONObject {
    var all = members
    var names: Set<ExactName> = []
    for key in document.keys(of: index)
    where plan.keys.number(at: key, in: document) == nil
      && plan.plan.isUnknown(key, of: index, in: document, issues)
    {
      let name = document.string(at: key)
      if !names.insert(ExactName(name)).inserted {
        if document.duplicateKeys == .first { continue }
        try issues.noteDuplicate(ofKeyAt: key)
      }
      try issues.noteDuplicate(inside: key + 1)
      if let value = try value(at: key + 1) { all[name] = value }
    }
    return all
  }

  /// Has an object keep the members that no property is read from.
  func keepUnknownMembers(of index: Int, _ plan: ClassReading, by object: AnyObject?) throws {
    guard let object = object as? any UnknownMemberPreserving else { return }
    object.unknownMembers = try unknownMembers(of: index, plan)
  }
}
