import ArcFormat
import Synchronization

/// What archives have that a program does not know: objects of classes that it does not have, properties and
/// roots that it does not read, cases of enumerations. It survives when the program saves what it read.
///
///     let unknown = UnknownContent()
///     let unarchiver = Unarchiver(unknownContent: .keep(in: unknown))
///     let drawing = try unarchiver.read(Drawing.self, from: url)
///     drawing.title = "Harbour"
///     try Archiver(keeping: unknown).write(drawing, to: url)
///
/// What is not known goes with the object that has it: it is saved where that object is, whichever document
/// it was read from, and is lost with it. It is written as it was read, with the identity of all objects. In
/// an array, it follows the element that it followed before. An object that the program removed when it
/// migrated others is not kept.
///
/// Roots that are values alone cannot be told apart: what they lost is that of the last archive that was read
/// without any object.
///
/// It keeps the bytes of the archives that were read, and of what the program made of them, as long as some
/// of their objects live, or until it is released. One is enough for all documents of a program. Safe to use
/// from several threads; the objects belong to whoever read them.
public final class UnknownContent: Sendable {
  private let archives = Mutex<[KeptArchive]>([])

  /// Creates a collection without content.
  public init() {}

  /// Whether nothing is kept: the program knew everything of what it read, or has let go of it.
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

  /// An object with the row that it was read from.
  struct Object {
    let row: UInt32
    weak var object: AnyObject?
  }

  /// `objects` may be none, if the roots are plain values.
  init(_ archive: ReadArchive, _ objects: [Object]) {
    self.archive = archive
    self.objects = objects
  }

  /// Whether some object is alive, or there was none.
  var isInUse: Bool { objects.isEmpty || objects.contains { $0.object != nil } }

  /// Whether only values were read.
  var isWithoutObjects: Bool { objects.isEmpty }

  /// For each row of the archive what `row` returns for its object, 0 for a row without one.
  func rows(_ row: (AnyObject) -> UInt32) -> [UInt32] {
    var rows = [UInt32](repeating: 0, count: archive.rowCount)
    for entry in objects {
      if let object = entry.object { rows[Int(entry.row)] = row(object) }
    }
    return rows
  }
}
