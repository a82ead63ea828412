/// The context that a hook receives: the `userInfo` that the program supplied for archiving or reading.
public struct ArchiveContext: Sendable {
  /// The supplied values by key, like the `userInfo` of an encoder or decoder of `Codable`.
  public let userInfo: [CodingUserInfoKey: any Sendable]

  /// Creates a context, for example to test a hook.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) { self.userInfo = userInfo }
}

/// The base protocol of all hook protocols. A class that does not conform to this protocol has no hooks.
public protocol __ArchiveHook {}

/// An archivable class whose objects are notified before they are archived.
///
///     @Archivable class Document: ArchivePreparing {
///       func willArchive(in context: ArchiveContext) { flushPendingEdits() }
///     }
///
/// The method is called only if the class or a superclass conforms to this protocol.
public protocol ArchivePreparing: Archivable, __ArchiveHook {
  /// Called once per object and archive, when the object is first reached, before its values are read.
  ///
  /// The method may change the object, and objects that only this object refers to. New objects are archived
  /// too. Values that were archived before, such as earlier properties of the object that refers to this one,
  /// are not read again.
  ///
  /// Objects are reached in the order of their rows: first the roots, then the objects that each object
  /// refers to. In a canonical archive whose sets or dictionaries have objects in their keys, the order is
  /// not defined.
  ///
  /// - Parameter context: the values that the caller of the archiver supplied.
  /// - Throws: your own errors. Archiving then fails.
  func willArchive(in context: ArchiveContext) throws
}

/// An archivable class whose objects can be replaced by other objects when they are archived.
///
///     @Archivable class CachedImage: ArchiveReplacing {
///       func replacementForArchiving(in context: ArchiveContext) -> any Archivable { original }
///     }
///
/// The method is called only if the class or a superclass conforms to this protocol.
public protocol ArchiveReplacing: Archivable, __ArchiveHook {
  /// Returns the object to archive instead of this object, or `self`.
  ///
  /// Called once per object and archive, when the object is first reached, before any `willArchive(in:)`. The
  /// method is then called for the replacement, and so on, until an object returns itself. This last object
  /// is archived instead of the others. If the replacement is a changed copy of the same class, the copy must
  /// therefore return `self`.
  ///
  /// Every reference to the object then refers to the replacement. The replacement must have a class that all
  /// of these references allow. If the graph also refers to the replacement directly, the archive contains
  /// the replacement only once.
  ///
  /// - Parameter context: the values that the caller of the archiver supplied.
  /// - Returns: the object to archive.
  /// - Throws: your own errors; archiving then fails. Archiving throws `wrongClass` if a reference does not
  ///   allow the class of the replacement, and `invalidUse` if replacements have no end.
  func replacementForArchiving(in context: ArchiveContext) throws -> any Archivable
}

/// An archivable class whose objects can be replaced by other objects when they are read.
///
///     @Archivable class Symbol: UnarchiveReplacing {
///       func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
///         Symbol.named(name)
///       }
///     }
///
/// The method is called only if the class or a superclass conforms to this protocol.
public protocol UnarchiveReplacing: Archivable, __ArchiveHook {
  /// Returns the object that every reference uses instead of this object, or `self`.
  ///
  /// The replacement may be a new object or an object that the program already has.
  ///
  /// Called directly after `init(from:)`. At that time the object has its values and the objects that it was
  /// built with, but no other references. If the object is replaced, `link(from:)` and `didUnarchive(in:)`
  /// are called neither for the object nor for its replacement. The replacement is not replaced in turn.
  ///
  /// Arc treats the objects that this object was built with as objects that the replacement retains. The
  /// method is called for these objects before it is called for this object. Otherwise, the order of the
  /// calls is not defined.
  ///
  /// - Parameter context: the values that the caller of the unarchiver supplied.
  /// - Returns: the object to use. Reading throws `wrongClass` if a reference does not allow its class.
  /// - Throws: your own errors. Reading then fails, and all objects of the graph are released.
  func replacementAfterUnarchiving(in context: ArchiveContext) throws -> any Archivable
}

/// An archivable class whose objects are notified when the graph that is read is complete.
///
///     @Archivable class Document: UnarchiveFinishing {
///       func didUnarchive(in context: ArchiveContext) { rebuildCaches() }
///     }
///
/// The method is called only if the class or a superclass conforms to this protocol.
public protocol UnarchiveFinishing: Archivable, __ArchiveHook {
  /// Called once per object that the roots retain, when all objects are linked and all sets and dictionaries
  /// are filled.
  ///
  /// An object is notified after the objects that it retains, directly or through other objects, except in
  /// cycles. The order is the order in which a depth-first walk from the roots leaves the objects. The walk
  /// follows strong references in the order in which they were read. The order is the same each time a file
  /// is read. If a file has objects of such classes, reading records all references, with 8 bytes for each.
  ///
  /// - Parameter context: the values that the caller of the unarchiver supplied.
  /// - Throws: your own errors. Reading then fails, and all objects of the graph are released.
  func didUnarchive(in context: ArchiveContext) throws
}

/// The hooks that a class has.
struct ArchiveHooks: OptionSet {
  let rawValue: UInt8

  static let preparing = ArchiveHooks(rawValue: 1 << 0)
  static let replacing = ArchiveHooks(rawValue: 1 << 1)
  static let replacingAfterwards = ArchiveHooks(rawValue: 1 << 2)
  static let finishing = ArchiveHooks(rawValue: 1 << 3)

  /// The hooks that are called when an object is archived.
  static let whenArchiving: ArchiveHooks = [.preparing, .replacing]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Finds the hooks of a class. For most classes, a single check suffices. Each check is expensive, because
  /// the runtime searches the whole program.
  init(of type: AnyClass) {
    self = []
    guard type is any __ArchiveHook.Type else { return }
    if type is any ArchivePreparing.Type { insert(.preparing) }
    if type is any ArchiveReplacing.Type { insert(.replacing) }
    if type is any UnarchiveReplacing.Type { insert(.replacingAfterwards) }
    if type is any UnarchiveFinishing.Type { insert(.finishing) }
  }
}
