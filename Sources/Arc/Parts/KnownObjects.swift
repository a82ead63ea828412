/// The objects that a session has read, by their rows in the file, as long as somebody holds them.
///
/// The target of a weak property may come into memory after the object, and may leave it and come back: the
/// property is set each time the target is read.
struct KnownObjects {
  private struct Entry {
    weak var object: AnyObject?
  }
  private var entries: [Int: Entry] = [:]
  /// Those that a part refers to, which are kept until it is read.
  private var kept: [Int: AnyObject] = [:]
  /// Weak properties of objects, by the rows that they lead to.
  private var weakLinks: [Int: Set<WeakLink>] = [:]
  /// The number of entries from which on those without an object are removed.
  private var nextCleaning = 1024

  /// The object of a row if somebody holds it; it is kept until `endReading`.
  mutating func keep(_ row: Int) -> AnyObject? {
    if let object = kept[row] { return object }
    guard let object = entries[row]?.object else { return nil }
    kept[row] = object
    return object
  }

  /// The object of a row if somebody holds it.
  func object(inRow row: Int) -> AnyObject? { entries[row]?.object }

  /// Lets go of what was kept.
  mutating func endReading() { if !kept.isEmpty { kept = [:] } }

  /// Adds objects that were read, and sets weak properties of others that lead to them.
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

/// What a part was built of.
struct ReadObjects {
  var objects: [ReadObject] = []
  /// Weak properties with the rows that they lead to.
  var weakLinks: [(target: Int, link: WeakLink)] = []
}

/// An object that was read, if somebody holds it.
struct ReadObject {
  let row: Int
  weak var object: AnyObject?
}

/// A weak property of the object of a row.
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

/// A weak property of a class.
final class WeakProperty {
  private let access: any PropertyAccess
  /// Where the property is stored; nil if the runtime does not describe the field.
  private let location: StorageLocation?

  init(_ slot: Int, of programClass: ProgramClass) {
    access = programClass.slots[slot].property.access
    location = programClass.location(ofSlot: slot)
  }

  /// Sets the property of an object past observers, unless it leads to something. What it cannot lead to, as
  /// a file may have it, leaves it nil.
  func set(_ target: AnyObject, of owner: AnyObject) {
    guard let location else {
      do { if try access.value(of: owner) == nil { try access.set(target, of: owner) } } catch { return }
      return
    }
    if access.isNil(in: owner, at: location) { _ = access.store(target, in: owner, at: location) }
  }
}
