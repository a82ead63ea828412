public import Arc
public import ArcJSON

/// A class whose objects preserve the JSON members that no property reads.
///
///     import ArcJSON                                  // JSONObject
///
///     @Archivable final class Card: UnknownMemberPreserving {
///       var name = ""
///       @Transient var unknownMembers = JSONObject()
///     }
///     let card = try ModelReader(unknownKeys: .preserved).read(Card.self, from: text)
///     try ModelWriter().text(of: card)   // the name, then the preserved members
///
/// Use this protocol for JSON that a newer server or another program wrote. A ``ModelWriter`` writes the
/// preserved members after the members of properties. The writer omits a preserved member that has the name
/// of a property. If ``ModelWriter/only`` selects properties of the object, the writer omits all preserved
/// members.
///
/// Archives, copies and comparisons do not include a transient property. To include the preserved members,
/// store them in a property that is archived but is not a member of the JSON:
///
///     @Archivable final class ArchivedCard: UnknownMemberPreserving {
///       var name = ""
///       private var extra = JSONValue.object(JSONObject())
///       var unknownMembers: JSONObject {
///         get { if case .object(let members) = extra { members } else { JSONObject() } }
///         set { extra = .object(newValue) }
///       }
///     }
///
/// A reader also preserves unknown members of nested objects in which a JSON path continues. For example, the
/// path `a.b` continues in the object `a`: `unknownMembers` then has a member `a` with the unknown members of
/// this object. An unknown member of a structure is an issue. The values of `$id` and `$ref` within preserved
/// members are not changed.
public protocol UnknownMemberPreserving: Archivable {
  /// The members that no property reads, in the order of the text.
  ///
  /// A reader sets this property. An update of the object adds new members, and replaces members with the
  /// same name.
  var unknownMembers: JSONObject { get set }
}
