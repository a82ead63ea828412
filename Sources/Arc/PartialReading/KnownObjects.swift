/// The objects that a session has read and that are still alive, by row in the file.
///
/// The target of a weak property may be read later than the object that has the property, and may be released
/// and read again. So the property is set each time its target is read.
struct KnownObjects {
  private struct Entry {
    weak var object: AnyObject?
  }
  private var entries: [Int: Entry] = [:]
  /// The objects to which the part that is being read refers. They are retained until the part is complete.
  private var retained: [Int: AnyObject] = [:]
  /// The weak properties to set when their target is read. The key is the row of the target.
  private var weakLinks: [Int: Set<WeakLink>] = [:]
  /// The number of entries at which entries of released objects are next removed.
  private var nextCleaning = 1024

  /// Returns the object of a row, and retains the object until `endReading`. Nil if the object is not alive.
  mutating func retain(_ row: Int) -> AnyObject? {
    if let object = retained[row] { return object }
    guard let object = entries[row]?.object else { return nil }
    retained[row] = object
    return object
  }

  /// Returns the object of a row. Nil if the object is not alive.
  func object(inRow row: Int) -> AnyObject? { entries[row]?.object }

  /// Releases the retained objects.
  mutating func endReading() { if !retained.isEmpty { retained = [:] } }

  /// Adds objects that were read, and sets the weak properties that refer to these objects.
  mutating func add(_ read: ReadObjects) {
    for read in read.objects { entries[read.row] = read.object.map { Entry(object: $0) } }
    for (target, link) in read.weakLinks { weakLinks[target, default: []].insert(link) }
    if !weakLinks.isEmpty {
      for read in read.objects {
        guard let target = read.object, let links = weakLinks[read.row] else { continue }
        for link in links {
          if let owner = entries[link.owner]?.object { link.property.set(target, of: owner) }
        }
      }
    }
    if entries.count + weakLinks.count > nextCleaning { clean() }
  }

  private mutating func clean() {
    entries = entries.filter { $0.value.object != nil }
    weakLinks = weakLinks.mapValues { $0.filter { entries[$0.owner] != nil } }.filter { !$0.value.isEmpty }
    nextCleaning = max(1024, (entries.count + weakLinks.count) * 2)
  }
}

/// The objects that were built from a part.
struct ReadObjects {
  var objects: [ReadObject] = []
  /// The weak properties, with the rows of their targets.
  var weakLinks: [(target: Int, link: WeakLink)] = []
}

/// A weak reference to an object that was read from a row. The reference becomes nil when the object is
/// released.
struct ReadObject {
  let row: Int
  weak var object: AnyObject?
}

/// A weak property of the object in the row `owner`.
struct WeakLink: Hashable {
  let owner: Int
  let property: WeakProperty

  static func == (left: WeakLink, right: WeakLink) -> Bool {
    left.owner == right.owner && left.property === right.property
  }
  func hash(into hasher: inout Hasher) {
    hasher.combine(owner)
    hasher.combine(ObjectIdentifier(property))
  }
}

/// A weak property of a class, with the means to set it in an object.
final class WeakProperty {
  private let access: any PropertyAccess
  /// The memory location of the property. Nil if the runtime does not describe the field.
  private let location: StorageLocation?

  init(_ slot: Int, of programClass: ProgramClass) {
    access = programClass.slots[slot].property.access
    location = programClass.location(ofSlot: slot)
  }

  /// Sets the weak property of `owner` to `target`, without running observers. Does nothing if the property
  /// is not nil. The property remains nil if the target has the wrong type, which is possible in a damaged
  /// file.
  func set(_ target: AnyObject, of owner: AnyObject) {
    guard let location else {
      do { if try access.value(of: owner) == nil { try access.set(target, of: owner) } } catch { return }
      return
    }
    if access.isNil(in: owner, at: location) { _ = access.store(target, in: owner, at: location) }
  }
}
