public import ArcFormat
public import ArcRuntime

/// A reference whose object is read when it is first asked for, out of an ``ArchiveSession``.
///
///     @Archivable final class Library { var albums: [Lazy<Album>] = [] }
///
///     let library = try ArchiveSession(mapping: url).object(Library.self)   // reads no album
///     print(try library.albums[3].load().title)                             // reads one
///
/// In files it is the reference alone: what was written as `[Album]` is read as `[Lazy<Album>]`, and the
/// other way round. An `Unarchiver` builds the whole graph: then the reference has its object already, as it
/// has in a session where something else that is read leads to the object, or where that is in memory.
///
/// Copies of the value share what was read. A reference that was not read yet keeps its session; one that was
/// keeps its object. Whatever walks the graph, as archiving, copying and comparing do, reads what was not
/// read; so the archive of such a graph is that of the whole.
public struct Lazy<Object: Archivable>: ArchivableValue {
  /// Where the object is; shared by all copies.
  private final class Place {
    var object: Object?
    var unread: UnreadObject?

    init(_ object: Object?, _ unread: UnreadObject?) { (self.object, self.unread) = (object, unread) }
  }

  private let place: Place

  /// Creates a reference to an object that is there.
  public init(_ object: Object) { place = Place(object, nil) }

  private init(_ unread: UnreadObject) { place = Place(nil, unread) }

  /// The object if it was read; nil before.
  public var loadedObject: Object? { place.object }

  /// The object, which the first call reads with what it leads to; its session gives what it has already.
  ///
  /// - Returns: the object.
  /// - Throws: as `object(_:id:leavingOut:)` of ``ArchiveSession`` does, and the next call tries again;
  ///   `invalidUse` while the session reads something else, as in a hook.
  @discardableResult public func load() throws -> Object {
    if let object = place.object { return object }
    guard let unread = place.unread else {
      throw ArchiveError(.invalidUse, found: "a lazy reference without an object")
    }
    let object = try unread.source.read(Object.self, row: unread.row)
    (place.object, place.unread) = (object, nil)
    return object
  }

  // MARK: Coding

  /// The name of the object's class.
  public static var __archiveName: ArchiveName { Object.__archiveName }

  /// The encoding of a reference, `@"Name"`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    context.noted(.lazy) { context.detached { context.computed { Object.__typeEncoding(in: context) } } }
  }

  /// Says that values are references.
  public static var __traits: __ValueTraits { .reference }

  /// Reads a reference, and leaves its object unread where the object is not part of what is read.
  ///
  /// - Throws: `ArchiveError` with code `nilReference` for nil, and `wrongClass` for an object of another
  ///   class. Spec: 05-graph, rule G5.
  public static func __read(from column: ColumnReader) throws -> Lazy {
    if let unread = column.takeUnreadObject() { return Lazy(unread) }
    return try Lazy(Object.__read(from: column))
  }

  /// Appends a reference to the object, which is read if it was not.
  ///
  /// - Throws: what reading it throws.
  public func __write(to column: ColumnWriter) throws {
    if place.object == nil {
      if column.writesOnlyWhatIsThere { return column.append(0 as UInt32) }
      column.noteReading()
    }
    try column.append(computedReference: load())
  }
}

/// An object that was not read yet.
@usableFromInline struct UnreadObject {
  let source: any UnreadObjects
  /// Its row in the file.
  let row: Int
}

/// What reads objects when they are asked for: a session.
@usableFromInline protocol UnreadObjects: AnyObject {
  /// Reads the object of a row of the file.
  func read<Object: Archivable>(_ type: Object.Type, row: Int) throws -> Object
}
