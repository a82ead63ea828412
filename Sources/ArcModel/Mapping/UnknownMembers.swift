public import Arc
public import ArcJSON

/// A class whose objects preserve JSON members that no property reads, so that a writer writes them again.
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
/// Use this protocol for documents of a newer server or of another program. A ``ModelWriter`` writes the
/// preserved members after the members of properties. The writer omits a preserved member that has the name
/// of a property, and all preserved members if ``ModelWriter/only`` applies to the object. Archives, copies
/// and comparisons do not include the preserved members. Only members of objects of the class itself are
/// preserved, not members of structures, or of objects on the path of a property. `$id` and `$ref` in
/// preserved members are not changed.
public protocol UnknownMemberPreserving: Archivable {
  /// The members that no property reads, in the order of the text.
  ///
  /// Reading sets this property. An update adds new members, and replaces members with the same name.
  var unknownMembers: JSONObject { get set }
}
