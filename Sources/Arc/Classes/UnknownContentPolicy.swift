import ArcFormat
import ArcRuntime

/// The treatment of classes, cases and raw values that exist in a file but not in the program.
///
///     let unarchiver = Unarchiver(unknownContent: .substitute(PlainShape.self))
///
/// The policy applies only to objects and values that the requested root reaches. With every policy, a reader
/// builds only objects whose classes the program's declarations allow.
public struct UnknownContentPolicy: @unchecked Sendable {  // Metatypes do not change.
  /// Whether reading throws if objects have unknown classes.
  let refuses: Bool
  /// The classes of the substitutes.
  let substitutes: [any Archivable.Type]
  /// The collection to which unknown content is added. Nil if unknown content is not preserved.
  let content: PreservedContent?

  private init(refuses: Bool, substitutes: [any Archivable.Type] = [], content: PreservedContent? = nil) {
    self.refuses = refuses
    self.substitutes = substitutes
    self.content = content
  }

  /// The policy by which reading throws `unknownClass` for an object of an unknown class, and `unknownCase`
  /// for an unknown case or raw value.
  public static let refuse = UnknownContentPolicy(refuses: true)

  /// The policy that omits objects of unknown classes, and unknown cases and raw values.
  ///
  /// A reference to an omitted object becomes nil. In arrays, sets and dictionaries whose elements, keys or
  /// values cannot be nil, the element or entry is omitted. If a property cannot be nil, reading throws
  /// `nilReference`.
  ///
  /// For an unknown case or raw value, the reader finds the nearest enclosing item of these kinds, and omits
  /// everything in this item:
  ///
  /// - An optional becomes nil.
  /// - An element or entry of a collection is omitted.
  /// - A property keeps its initial value. In a hand-written class, `decodeIfPresent` returns nil.
  ///
  /// If no item of these kinds contains the unknown case or raw value, reading throws `unknownCase`.
  public static let leaveOut = UnknownContentPolicy(refuses: false)

  /// Returns a policy that builds objects of unknown classes as objects of one of the given classes.
  ///
  ///     let unarchiver = Unarchiver(unknownContent: .substitute(PlainShape.self, PlainText.self))
  ///
  /// The substitute gets the values of the properties that both classes have, by key. The class of the
  /// substitute is chosen as follows:
  ///
  /// 1. The reader examines the superclasses of the unknown class, nearest first. It chooses the first given
  ///    class that is the examined superclass, or inherits from it.
  /// 2. If there is no such class, the reader chooses the first given class that fits all properties that
  ///    refer to objects of the unknown class. For a property of type `any P`, the class must conform to `P`.
  /// 3. If there is no such class either, the object is omitted, see ``leaveOut``.
  ///
  /// Unknown cases and raw values are always omitted.
  ///
  /// If no property or root of the program can refer to objects of a given class, reading throws
  /// `invalidUse`.
  ///
  /// - Parameter substitutes: the classes of the substitutes.
  /// - Returns: the policy.
  public static func substitute(_ substitutes: any Archivable.Type...) -> UnknownContentPolicy {
    UnknownContentPolicy(refuses: false, substitutes: substitutes)
  }

  /// Returns a policy that adds unknown content to a collection, from which an archiver saves the content.
  ///
  ///     let unknown = PreservedContent()
  ///     let unarchiver = Unarchiver(unknownContent: .preserve(in: unknown))
  ///
  /// In the graph, unknown objects are omitted, see ``leaveOut``, or built as substitutes, see
  /// ``substitute(_:)``. A ``LazyArchive`` does not support this policy.
  ///
  /// - Parameters:
  ///   - content: the collection to which the unknown content is added.
  ///   - substitutes: the classes of the substitutes.
  /// - Returns: the policy.
  public static func preserve(
    in content: PreservedContent, substituting substitutes: any Archivable.Type...
  ) -> UnknownContentPolicy {
    UnknownContentPolicy(refuses: false, substitutes: substitutes, content: content)
  }
}
