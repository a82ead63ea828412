import ArcFormat
import Synchronization

/// The unknown content of archives, preserved so that saving does not lose it.
///
///     let unknown = PreservedContent()
///     let unarchiver = Unarchiver(unknownContent: .preserve(in: unknown))
///     let drawing = try unarchiver.read(Drawing.self, from: url)
///     drawing.title = "Harbour"
///     try Archiver(preserving: unknown).write(drawing, to: url)
///
/// Unknown content is: objects of classes that the program does not have, properties and roots that it does
/// not read, and unknown cases of enumerations. Unknown content belongs to the object that contains it. The
/// content is saved with that object, whichever document the object is in, and is lost with the object.
/// Unknown content is written unchanged, and all objects keep their identity. In an array, unknown elements
/// follow the same element as before. If the program removes an object during a migration, the object's
/// unknown content is lost.
///
/// A root that is a value is recognized by the objects in it. If it had none when it was read, the unknown
/// content of the last such archive is saved with the next root of that name and type whose objects are from
/// no other archive.
///
/// The collection retains the bytes of each archive that was read, and of its migrated form, while some of
/// the archive's objects exist. One collection is enough for all documents of a program. Several threads may
/// use it; the objects belong to the thread or actor that read them.
public final class PreservedContent: Sendable {
  private let archives = Mutex<[KeptArchive]>([])

  /// Creates an empty collection.
  public init() {}

  /// Whether the collection is empty, because the program knew everything in its archives or released their
  /// objects.
  public var isEmpty: Bool { keptArchives.isEmpty }

  /// The archives with objects that are still alive, the last that was read first.
  var keptArchives: [KeptArchive] {
    archives.withLock { archives in
      archives.removeAll { !$0.isInUse }
      return archives
    }
  }

  /// Keeps an archive.
  func keep(_ archive: KeptArchive) {
    archives.withLock { archives in
      archives.removeAll { !$0.isInUse || $0.isWithoutObjects && archive.isWithoutObjects }
      archives.insert(archive, at: 0)
    }
  }
}

/// An archive that was read in part, and the objects that were made of its rows.
///
/// Unchecked: nothing changes but what the runtime changes when an object is freed.
final class KeptArchive: @unchecked Sendable {
  let archive: ReadArchive
  private let objects: [Object]
  /// Whether the roots led to no object, so that no object tells which graph was read from the archive. The
  /// program may have built objects that only unknown content refers to.
  let isWithoutObjects: Bool

  /// An object with the row that it was read from.
  struct Object {
    let row: UInt32
    weak var object: AnyObject?
  }

  /// Keeps an archive with all objects that were made of its rows.
  init(_ archive: ReadArchive, _ objects: [Object], isWithoutObjects: Bool) {
    self.archive = archive
    self.objects = objects
    self.isWithoutObjects = isWithoutObjects
  }

  /// Whether a graph that was read from the archive may be saved.
  var isInUse: Bool { isWithoutObjects || objects.contains { $0.object != nil } }

  /// For each row of the archive what `row` returns for its object, 0 for a row without one.
  func rows(_ row: (AnyObject) -> UInt32) -> [UInt32] {
    var rows = [UInt32](repeating: 0, count: archive.rowCount)
    for entry in objects {
      if let object = entry.object { rows[Int(entry.row)] = row(object) }
    }
    return rows
  }
}
