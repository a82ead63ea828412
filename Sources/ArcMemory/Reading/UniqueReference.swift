import CArc

/// Tests whether a strong reference is the only reference of any kind to its object.
///
/// In all versions of Swift's runtime, the second word of an object counts the references to the object, or
/// refers to a side table after a weak reference was created (swift/docs/ABI, "Heap Objects"). Arc does not
/// depend on the encoding of this word. Arc assumes that the word is a constant for an object to which only
/// one strong reference was ever created, and that each other reference changes the word. `Specimen` tests
/// both assumptions.
@usableFromInline package enum UniqueReference {
  /// The second word of an object with one reference. If the word does not show whether there are other
  /// references, this property is 0, which is not the second word of any object.
  ///
  /// Objects of Objective-C's runtime may store their counts in other memory, so this property is 0 if there
  /// is such a runtime.
  package static let word: UInt = {
    #if canImport(ObjectiveC)
      return 0
    #else
      return RuntimeLayout.isTrusted ? Specimen.word : 0
    #endif
  }()

  /// The second word of the storage of an array, if only one array refers to the storage. 0 if the word does
  /// not show whether other arrays refer to the storage.
  package static let storageWord: UInt = {
    guard word != 0, MemoryLayout<[AnyObject]>.size == MemoryLayout<UInt>.size else { return 0 }
    var arrays = [[Specimen(), Specimen()]]
    let alone = counted(storageAddress(of: arrays[0]))
    arrays.append(arrays[0])
    return alone == word && counted(storageAddress(of: arrays[0])) != word ? word : 0
  }()

  /// Returns the second word of the object at an address. C code reads the word, because the optimizer may
  /// assume that the word of a new object still has its first value.
  fileprivate static func counted(_ address: UInt) -> UInt {
    arc_word(address, MemoryLayout<UInt>.size)
  }

  /// Returns the address of an array's storage, which is an object. In memory, an array is a single reference
  /// to its storage.
  @inlinable @inline(__always)
  package static func storageAddress<Element>(of array: @autoclosure () -> [Element]) -> UInt {
    unsafe unsafeBitCast(array(), to: UInt.self)
  }

  /// Returns whether the second word of the object at an address is `word`, which must not be 0. The caller
  /// keeps the object alive.
  @inlinable @inline(__always)
  package static func isUnique(_ address: UInt, _ word: UInt) -> Bool {
    unsafe ObjectMemory.word(at: MemoryLayout<UInt>.size, ofObjectAt: address) == word
  }
}

/// An object for testing whether the second word of an object shows other references to it.
private final class Specimen {
  private var value = 0

  /// The second word of an object to which one reference exists. 0 if the word of a specimen does not change
  /// when another reference of any kind is created.
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

  /// Refers to specimens. The initializers are not inlined, because the optimizer would remove references
  /// that no code reads.
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
