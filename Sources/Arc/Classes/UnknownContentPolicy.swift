import ArcFormat
import ArcRuntime

/// What an unarchiver does with objects of classes that the program does not have, where something leads to
/// them that the program reads; and with cases of enumerations and raw values that it does not have.
///
///     let unarchiver = Unarchiver(unknownContent: .substitute(PlainShape.self))
///
/// Whatever it is, no class is built but those of the program that its declarations allow.
public struct UnknownContentPolicy: @unchecked Sendable {  // Metatypes do not change.
  /// Whether objects are refused.
  let refuses: Bool
  /// The classes whose objects are built in place of others.
  let standIns: [any Archivable.Type]
  /// Where what is not known is kept; nil if it is not.
  let content: UnknownContent?

  private init(refuses: Bool, standIns: [any Archivable.Type] = [], content: UnknownContent? = nil) {
    self.refuses = refuses
    self.standIns = standIns
    self.content = content
  }

  /// Reading fails with code `unknownClass` or `unknownCase`.
  public static let refuse = UnknownContentPolicy(refuses: true)

  /// References to the objects become nil, and they are left out of arrays, sets and dictionaries whose
  /// elements, keys or values cannot be nil. Where a property cannot be nil, reading fails with code
  /// `nilReference`.
  ///
  /// A case or raw value that the program does not have is lost with what is around it, up to the nearest
  /// optional, which is nil, the nearest element or entry of a collection, which is left out, or the
  /// property, which keeps its initial value; a class coded by hand decodes nil `ifPresent`. Where there is
  /// none of these, reading fails with code `unknownCase`.
  public static let leaveOut = UnknownContentPolicy(refuses: false)

  /// The objects are built as one of these classes, with the properties whose keys the class shares with
  /// theirs. Objects for which there is no such class are left out, as ``leaveOut`` says, and so are cases
  /// and raw values.
  ///
  /// An object is built as the first of these classes that is, or descends from, the nearest superclass of
  /// its own class in the file for which there is one. If there is none, the object is built as the first
  /// class that all properties can hold which refer to objects of its class: one that conforms to `P` for
  /// properties of type `any P`. Reading fails with code `invalidUse` if no property of the program can hold
  /// objects of one of the classes.
  ///
  /// - Parameter standIns: the classes.
  /// - Returns: the policy.
  public static func substitute(_ standIns: any Archivable.Type...) -> UnknownContentPolicy {
    UnknownContentPolicy(refuses: false, standIns: standIns)
  }

  /// The objects are left out as ``leaveOut`` says, or built as one of the stand-ins as ``substitute(_:)``
  /// says; they and all else that the program does not know survive when an archiver that keeps this content
  /// saves what was read. An ``ArchiveSession`` cannot follow this policy.
  ///
  /// - Parameters:
  ///   - content: what is not known is added to it.
  ///   - standIns: the classes that stand in.
  /// - Returns: the policy.
  public static func keep(
    in content: UnknownContent, substituting standIns: any Archivable.Type...
  ) -> UnknownContentPolicy {
    UnknownContentPolicy(refuses: false, standIns: standIns, content: content)
  }
}
