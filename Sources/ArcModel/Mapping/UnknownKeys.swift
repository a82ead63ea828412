public import Arc
public import ArcJSON

/// What becomes of members of an object that no property of its class is read from.
public enum UnknownKeys: Hashable, Sendable {
  /// They are passed over.
  case ignored
  /// They are issues, which end a strict reading.
  case reported
  /// Objects whose class is ``ModelKeeping`` keep them; those of other objects are issues, so that nothing is
  /// lost without a word.
  case kept

  /// What would be right in place of such a member, in words.
  var expected: String { self == .kept ? "none, or a class that is ModelKeeping" : "none" }
}

/// A class whose objects keep members of JSON that no property is read from, so that they are written again:
/// those of a newer server, or of another program.
///
///     import ArcJSON                                  // JSONObject
///
///     @Archivable final class Card: ModelKeeping {
///       var name = ""
///       @Transient var otherMembers = JSONObject()
///     }
///     let card = try ModelReader(unknownKeys: .kept).read(Card.self, from: text)
///     try ModelWriter().text(of: card)   // the name, then what else was there
///
/// A ``ModelWriter`` writes them behind the members of properties, but none that has the name of one, and
/// none of objects of which it writes some properties ``ModelWriter/only``. They are in no archive, copy or
/// comparison. Kept are members of objects of the class itself, not those of structures, or of what the path
/// of a property leads through. `$id` and `$ref` in what is kept stay as they were.
public protocol ModelKeeping: Archivable {
  /// The members that no property is read from, in the order of the text. Reading sets them; an update adds
  /// to them, or replaces those of the same name.
  var otherMembers: JSONObject { get set }
}
