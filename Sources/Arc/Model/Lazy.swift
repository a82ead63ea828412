public import ArcFormat
public import ArcRuntime

/// A reference whose object is read from a ``LazyArchive`` at the first access.
///
///     @Archivable final class Library { var albums: [Lazy<Album>] = [] }
///
///     let library = try LazyArchive(mapping: url).object(Library.self)   // reads no album
///     print(try library.albums[3].load().title)                             // reads one
///
/// A file stores a lazy reference as a plain reference: a property that was written as `[Album]` can be read
/// as `[Lazy<Album>]`, and vice versa. An `Unarchiver` builds the whole graph, so all lazy references are
/// loaded. A ``LazyArchive`` loads a lazy reference at once if the object is already in memory, or if a plain
/// strong reference also reaches the object in the same read.
///
/// Copies of a lazy reference share the loaded object. A reference that is not loaded retains its
/// `LazyArchive`. A loaded reference retains its object. Archiving, copying and comparing a graph load all
/// lazy references of the graph, so the archive contains the whole graph.
public struct Lazy<Object: Archivable>: ArchivableValue {
  /// The object, or the row from which it is read. All copies of a lazy reference share this target.
  private final class Target {
    var object: Object?
    var unread: UnreadObject?

    init(_ object: Object?, _ unread: UnreadObject?) { (self.object, self.unread) = (object, unread) }
  }

  private let target: Target

  /// Creates a loaded reference to an existing object.
  public init(_ object: Object) { target = Target(object, nil) }

  private init(_ unread: UnreadObject) { target = Target(nil, unread) }

  /// The loaded object. Nil if the reference is not loaded.
  public var loadedObject: Object? { target.object }

  /// Loads the object, and everything that it reaches. Returns the object.
  ///
  ///     let cover = try album.cover.load()
  ///
  /// Only the first call reads the object. If the object is already in memory, the call returns this object.
  ///
  /// - Returns: the object.
  /// - Throws: `invalidUse` if the archive is reading another part, for example during a hook; otherwise what
  ///   `object(_:id:leavingOut:)` of ``LazyArchive`` throws. After an error, the next call tries again.
  @discardableResult public func load() throws -> Object {
    if let object = target.object { return object }
    guard let unread = target.unread else {
      throw ArchiveError(
        .invalidUse, found: "a lazy reference without an object", expected: "a reference to an object",
        remedy: "check that the reference is not nil before load()")
    }
    let object = try unread.source.read(Object.self, row: unread.row)
    (target.object, target.unread) = (object, nil)
    return object
  }

  // MARK: Coding

  /// The name of the object's class.
  public static var __archiveName: __ArchiveName { Object.__archiveName }

  /// Returns the type encoding of a reference, `@"Name"`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.noted(.lazy) { context.detached { context.computed { Object.__typeEncoding(in: context) } } }
  }

  /// The traits of a type whose values are references to objects.
  public static var __traits: __ValueTraits { .reference }

  /// Reads a reference from a column. If the part that is read contains the object, or if the object is
  /// already in memory, the reference is loaded. Otherwise, it is loaded later.
  ///
  /// - Throws: `ArchiveError` with code `nilReference` for nil, and `wrongClass` for an object of another
  ///   class. Spec: 05-graph, rule G5.
  public static func __read(from column: ColumnReader) throws -> Lazy {
    if let unread = column.takeUnreadObject() { return Lazy(unread) }
    return try Lazy(Object.__read(from: column))
  }

  /// Writes a reference to the object to a column. Loads the object if necessary.
  ///
  /// - Throws: what `load()` throws.
  public func __write(to column: ColumnWriter) throws {
    if target.object == nil {
      if column.writesOnlyLoadedObjects { return column.append(0 as UInt32) }
      column.noteReading()
    }
    try column.append(computedReference: load())
  }
}

/// An object that was not read yet.
@usableFromInline struct UnreadObject {
  let source: any UnreadObjects
  /// The row of the object in the file.
  let row: Int
}

/// Reads objects when they are first accessed. ``LazyArchive`` conforms.
@usableFromInline protocol UnreadObjects: AnyObject {
  /// Reads the object in a row of the file.
  func read<Object: Archivable>(_ type: Object.Type, row: Int) throws -> Object
}
