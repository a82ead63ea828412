import CArc

/// Whether a strong reference is the only reference to its object, of any kind.
///
/// The second word of an object counts references to it, in all versions of Swift's runtime (swift/docs/ABI,
/// "Heap Objects"): strong ones, unowned ones, or where to find more about it once there was a weak one. How
/// it does that is not assumed here. Assumed is that in an object to which only one strong reference was ever
/// made the word is a constant, and that any other reference changes it; this is tried before it is relied
/// on.
@usableFromInline enum UniqueReference {
  /// The word of an object with one reference; 0, which no object has, where the word cannot tell.
  ///
  /// Objects of Objective-C's runtime may keep their counts elsewhere, so it is 0 there.
  static let word: UInt = {
    #if canImport(ObjectiveC)
      return 0
    #else
      return RuntimeLayout.isTrusted ? Specimen.word : 0
    #endif
  }()

  /// The word of the storage of an array that nothing shares; 0 where the word cannot tell.
  static let storageWord: UInt = {
    guard word != 0, MemoryLayout<[AnyObject]>.size == MemoryLayout<UInt>.size else { return 0 }
    var arrays = [[Specimen(), Specimen()]]
    let alone = counted(storageAddress(of: arrays[0]))
    arrays.append(arrays[0])
    return alone == word && counted(storageAddress(of: arrays[0])) != word ? word : 0
  }()

  /// The word of the object at an address. By C, since the optimizer may know of an object that it saw being
  /// made, and then takes the word to be what is written there first.
  fileprivate static func counted(_ address: UInt) -> UInt {
    arc_word(address, MemoryLayout<UInt>.size)
  }

  /// The address of an array's storage, which is an object: an array is a reference to it, and nothing else.
  @usableFromInline @inline(__always)
  static func storageAddress<Element>(of array: @autoclosure () -> [Element]) -> UInt {
    unsafe unsafeBitCast(array(), to: UInt.self)
  }
}

extension UniqueReference {
  /// Whether the object at an address has `word`, which is not 0. The address must be that of a living
  /// object.
  @usableFromInline @inline(__always)
  static func isUnique(_ address: UInt, _ word: UInt) -> Bool {
    unsafe ObjectMemory.word(at: MemoryLayout<UInt>.size, ofObjectAt: address) == word
  }
}

/// An object to try what the count says.
private final class Specimen {
  private var value = 0

  /// The word of an object with one reference, if one more reference of each kind changes it; otherwise 0.
  static var word: UInt {
    let (first, second) = unsafe (Unmanaged.passRetained(Specimen()), Unmanaged.passRetained(Specimen()))
    defer {
      unsafe first.release()
      unsafe second.release()
    }
    let alone = UniqueReference.counted(unsafe first.address)
    guard alone != 0, UniqueReference.counted(unsafe second.address) == alone else { return 0 }
    _ = unsafe first.retain()
    let shared = UniqueReference.counted(unsafe first.address)
    unsafe first.release()
    guard shared != alone, UniqueReference.counted(unsafe first.address) == alone else { return 0 }
    let holders = unsafe (Holder(unowned: first), Holder(weak: second))
    defer { withExtendedLifetime(holders) {} }
    guard UniqueReference.counted(unsafe first.address) != alone else { return 0 }
    return UniqueReference.counted(unsafe second.address) != alone ? alone : 0
  }

  /// Refers to specimens. Never inlined: otherwise the optimizer drops references that nobody reads.
  private final class Holder {
    unowned var unowned: Specimen?
    weak var weak: Specimen?

    @inline(never) init(unowned object: Unmanaged<Specimen>) {
      unowned = unsafe object.takeUnretainedValue()
    }

    @inline(never) init(weak object: Unmanaged<Specimen>) {
      weak = unsafe object.takeUnretainedValue()
    }
  }
}
