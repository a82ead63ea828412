import ArcArchive
import Synchronization

/// The unknown content of archives, preserved so that saving does not lose it.
///
///     let unknown = PreservedContent()
///     let unarchiver = Unarchiver(unknownContent: .preserve(in: unknown))
///     let drawing = try unarchiver.read(Drawing.self, from: url)
///     drawing.title = "Harbour"
///     try Archiver(preserving: unknown).write(drawing, to: url)
///
/// Unknown content consists of objects whose classes the program does not have, properties and roots that the
/// program does not read, and unknown cases of enumerations. Unknown content belongs to the object that
/// contains the content. An archiver saves the content with this object, in any document, and drops the
/// content if the object is not saved. Unknown content is written unchanged, and all objects keep their
/// identity. In an array, an unknown element is written after the known element that it followed in the file.
/// If the program removes an object during a migration, the object's unknown content is lost.
///
/// Arc recognizes the graph of an archive by its objects. If the roots of an archive had no objects when they
/// were read, Arc recognizes the graph by the names and types of the roots: the archive's unknown content is
/// saved with each graph that has such a root and whose objects come from no other archive. Of the
/// archives whose roots had no objects, only the archive that was read last is preserved.
///
/// The collection retains the bytes of each archive that was read, and of its migrated version, while objects
/// of the archive exist. One collection is enough for all documents of a program. Several threads may use the
/// collection. The objects of a graph belong to the thread or actor that read the graph.
public final class PreservedContent: Sendable {
  private let archives = Mutex<[PreservedArchive]>([])

  /// Creates an empty collection.
  public init() {}

  /// Whether the collection preserves no archive, for example because the program knew all content that was
  /// read, or because the program released the objects of the archives.
  public var isEmpty: Bool { liveArchives.isEmpty }

  /// The archives whose objects are still alive. The archive that was read last comes first.
  var liveArchives: [PreservedArchive] {
    archives.withLock { archives in
      archives.removeAll { !$0.isInUse }
      return archives
    }
  }

  func add(_ archive: PreservedArchive) {
    archives.withLock { archives in
      archives.removeAll { !$0.isInUse || $0.isWithoutObjects && archive.isWithoutObjects }
      archives.insert(archive, at: 0)
    }
  }
}

/// An archive that was read in part, and the objects that were built from its rows.
///
/// Sendable is unchecked. Only the runtime changes a property: it sets a weak reference to nil when an object
/// is freed.
final class PreservedArchive: @unchecked Sendable {
  let archive: ReadArchive
  private let objects: [Object]
  /// Whether the roots reached no object. Then the graph that was read from the archive cannot be recognized
  /// by its objects. The program may have built objects that only unknown content refers to.
  let isWithoutObjects: Bool

  /// An object with the row that it was read from.
  struct Object {
    let row: UInt32
    weak var object: AnyObject?
  }

  /// Creates an entry for an archive and all objects that were built from its rows.
  init(_ archive: ReadArchive, _ objects: [Object], isWithoutObjects: Bool) {
    self.archive = archive
    self.objects = objects
    self.isWithoutObjects = isWithoutObjects
  }

  /// Whether the program may still save the graph that was read from this archive. False if all objects that
  /// were built from the archive were released, unless the roots had no objects.
  var isInUse: Bool { isWithoutObjects || objects.contains { $0.object != nil } }

  /// Returns one number per row of the archive. For a row whose object is still alive, this is the result of
  /// `row` for the object. Otherwise, it is 0.
  func rows(_ row: (AnyObject) -> UInt32) -> [UInt32] {
    var rows = [UInt32](repeating: 0, count: archive.rowCount)
    for entry in objects {
      if let object = entry.object { rows[Int(entry.row)] = row(object) }
    }
    return rows
  }
}
