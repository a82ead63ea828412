/// What the caller of an `Archiver` or `Unarchiver` gave it for the program's own code.
public struct ArchiveContext: Sendable {
  /// Values by keys of the program's choice, as coders of `Codable` have them.
  public let userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates a context, such as one for the test of a hook.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }
}

/// What the protocols of hooks have in common: asking for it tells classes without any hook.
public protocol __ArchiveHook {}

/// An archivable class whose objects are told before they are archived.
///
///     extension Document: ArchivePreparing {
///       func willArchive(in context: ArchiveContext) { flushPendingEdits() }
///     }
public protocol ArchivePreparing: Archivable, __ArchiveHook {
  /// Called once for each object of an archive when it is first reached, before any of its values is read.
  ///
  /// It may change the object, and what only the object leads to: new objects are reached in turn. What was
  /// archived before, such as earlier properties of the object that leads here, is not read again.
  ///
  /// Objects are reached in the order of their rows: first the roots, then what each object refers to. An
  /// archive in canonical form with objects in keys of sets or dictionaries reaches them in any order.
  ///
  /// - Throws: your own errors: archiving then fails.
  func willArchive(in context: ArchiveContext) throws
}

/// An archivable class whose objects can have others archived in their place.
///
///     extension CachedImage: ArchiveReplacing {
///       func replacementForArchiving(in context: ArchiveContext) -> any Archivable { original }
///     }
public protocol ArchiveReplacing: Archivable, __ArchiveHook {
  /// The object that is archived instead, or `self`. Called once for each object of an archive when it is
  /// first reached, before any `willArchive(in:)`.
  ///
  /// A replacement is asked in turn, until an object answers with itself: that one is archived for all of
  /// them, in whatever order they are reached. So a changed copy of the object returns `self`.
  ///
  /// Every reference to the object leads to the replacement, which must be of a class that all of them are
  /// declared to lead to, or of a subclass. It is the same object as where the graph refers to it otherwise.
  ///
  /// - Returns: the object to archive.
  /// - Throws: your own errors: archiving then fails, as it does with code `wrongClass` for a replacement
  ///   that some reference cannot lead to, and `invalidUse` for replacements without an end.
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable
}

/// An archivable class whose objects can have others take their place when they are read.
///
///     extension Symbol: UnarchiveReplacing {
///       func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
///         Symbol.named(name)
///       }
///     }
public protocol UnarchiveReplacing: Archivable, __ArchiveHook {
  /// The object that every reference leads to instead, or `self`: a new one, or one that the program has
  /// already.
  ///
  /// Called directly after `init(from:)`, when the object has its values and what it was built with, but no
  /// links. They are not set any more: neither `link(from:)` nor `didUnarchive(in:)` is called for an object
  /// that was replaced, nor for its replacement, which is not asked in turn.
  ///
  /// What the object was built with counts as held by the replacement. Objects are asked in the order in
  /// which they are built: after those that they are built with, otherwise in no order to rely on.
  ///
  /// - Returns: the object to use. A reference that is declared to lead to another class throws
  ///   `ArchiveError` with code `wrongClass`.
  /// - Throws: your own errors: reading then fails, and nothing of the graph is left.
  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable
}

/// An archivable class whose objects are told when the graph around them is complete.
public protocol UnarchiveFinishing: Archivable, __ArchiveHook {
  /// Called once for each object that the roots hold, when all objects are linked and all sets and
  /// dictionaries are filled.
  ///
  /// An object is told after all that it holds, directly and through others, unless these lead back to it:
  /// the order is that in which a walk from the roots leaves the objects, depth first and by strong
  /// references in the order in which they were read. It is the same each time a file is read. To know it,
  /// reading notes all references of a file with such objects, in 8 bytes each.
  ///
  /// - Throws: your own errors: reading then fails, and nothing of the graph is left.
  func didUnarchive(in context: ArchiveContext) throws
}

/// The hooks that a class has.
struct ArchiveHooks: OptionSet {
  let rawValue: UInt8

  static let preparing = ArchiveHooks(rawValue: 1 << 0)
  static let replacing = ArchiveHooks(rawValue: 1 << 1)
  static let replacingAfterwards = ArchiveHooks(rawValue: 1 << 2)
  static let finishing = ArchiveHooks(rawValue: 1 << 3)

  /// Those that are called when an object is archived.
  static let whenArchiving: ArchiveHooks = [.preparing, .replacing]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The hooks of a class. For most one question tells: the runtime searches the whole program for each.
  init(of type: AnyClass) {
    self = []
    guard type is any __ArchiveHook.Type else { return }
    if type is any ArchivePreparing.Type { insert(.preparing) }
    if type is any ArchiveReplacing.Type { insert(.replacing) }
    if type is any UnarchiveReplacing.Type { insert(.replacingAfterwards) }
    if type is any UnarchiveFinishing.Type { insert(.finishing) }
  }
}
