public import Arc

/// A class whose objects are equal by what they contain, or by some of it, and hashed so.
///
///     extension User: ModelEquatable {}                                    // by all that is archived
///     extension Order: ModelEquatable { static var comparedProperties: [String] { ["number"] } }
///
/// Objects whose properties change while they are keys are lost in their set or dictionary, as with any
/// `Hashable` class.
public protocol ModelEquatable: Archivable, Hashable {
  /// The names of the properties that tell objects of the class apart; empty for all. With one that the class
  /// does not have, no two objects are equal.
  static var comparedProperties: [String] { get }
}

extension ModelEquatable {
  /// All properties.
  public static var comparedProperties: [String] { [] }

  /// Whether two objects are of one class and have the same values: those of
  /// ``comparedProperties``, or where none are named all that is archived of both and of what they lead to,
  /// as `isIsomorphic` does.
  ///
  /// What cannot be archived is equal to itself alone.
  ///
  /// - Complexity: O(compared properties); of all, O(values of both) where objects consist of plain
  ///   properties and references, else twice what archiving takes.
  public static func == (left: Self, right: Self) -> Bool {
    if left === right { return true }
    guard type(of: left) == type(of: right) else { return false }
    let names = type(of: left).comparedProperties
    if names.isEmpty { return (try? RowComparer.areEqual(left, right) ?? isIsomorphic(left, right)) ?? false }
    return names.allSatisfy { name in
      // Nothing is equal by a property that is not there.
      guard let mine = try? Value(left, name), let theirs = try? Value(right, name) else { return false }
      return areEqual(mine.value, theirs.value)
    }
  }

  private static func areEqual(_ mine: Any?, _ theirs: Any?) -> Bool {
    guard let mine, let theirs else { return mine == nil && theirs == nil }
    if let mine = mine as? AnyHashable, let theirs = theirs as? AnyHashable { return mine == theirs }
    return (mine as? any ArchivableValue).map { areIsomorphic($0, theirs) } ?? false
  }

  private static func areIsomorphic<Value: ArchivableValue>(_ value: Value, _ other: Any) -> Bool {
    guard let other = other as? Value else { return false }
    return (try? isIsomorphic(value, other)) ?? false
  }

  /// Hashes the compared properties, or those with numbers, texts and the like, also in collections.
  public func hash(into hasher: inout Hasher) {
    let names = type(of: self).comparedProperties
    for name in names.isEmpty ? HashedProperties.names(of: type(of: self)) : names {
      guard let value = try? value(forKey: name) as? AnyHashable else { continue }
      hasher.combine(value)
    }
  }
}

/// The value of a property, nil too.
private struct Value {
  let value: Any?

  init(_ object: any Archivable, _ name: String) throws { value = try object.value(forKey: name) }
}
