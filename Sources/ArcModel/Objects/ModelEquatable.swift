public import Arc

/// A class whose objects are compared and hashed by their values.
///
///     extension User: ModelEquatable {}              // by all archived values
///     @Archivable final class Order: ModelEquatable {
///       var number = 0
///       static var comparedProperties: [String] { ["number"] }
///     }
///
/// As with any mutable `Hashable` class, do not change compared properties of an object that is a key of a
/// dictionary or an element of a set.
public protocol ModelEquatable: Archivable, Hashable {
  /// The names of the compared properties. Empty to compare all archived values.
  ///
  /// If the class does not have one of the properties, no two objects are equal.
  static var comparedProperties: [String] { get }
}

extension ModelEquatable {
  /// The names of the compared properties. Empty by default, so that all archived values are compared.
  public static var comparedProperties: [String] { [] }

  /// Returns whether two objects have the same class and equal values.
  ///
  /// The method compares the values of ``comparedProperties``. If ``comparedProperties`` is empty, the method
  /// compares all archived values of both objects and of the objects that they reach, as
  /// `ObjectGraph.isIsomorphic` does. An object that cannot be archived is then equal only to itself.
  ///
  /// - Complexity: O(*n*) for *n* properties in ``comparedProperties``. If ``comparedProperties`` is empty,
  ///   the complexity of `ObjectGraph.isIsomorphic`: O(*m*) for *m* values, or the time of archiving both
  ///   objects.
  public static func == (left: Self, right: Self) -> Bool {
    if left === right { return true }
    guard type(of: left) == type(of: right) else { return false }
    let names = type(of: left).comparedProperties
    if names.isEmpty {
      // Objects that cannot be archived are not equal.
      return (try? ObjectGraph.areIsomorphic(left, right)) ?? false
    }
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
    // Values that cannot be archived are not equal.
    return (try? ObjectGraph.isIsomorphic(value, other)) ?? false
  }

  /// Hashes the values of ``comparedProperties``.
  ///
  /// If ``comparedProperties`` is empty, the method hashes the properties that contain numbers, strings and
  /// similar plain values, or collections of plain values.
  public func hash(into hasher: inout Hasher) {
    let names = type(of: self).comparedProperties
    for name in names.isEmpty ? HashedProperties.names(of: type(of: self)) : names {
      // A name that the class does not have is part of no hash.
      guard let value = try? value(forKey: name) as? AnyHashable else { continue }
      hasher.combine(value)
    }
  }
}

/// The value of a property, which can be nil.
private struct Value {
  let value: Any?

  init(_ object: any Archivable, _ name: String) throws { value = try object.value(forKey: name) }
}
