/// Whether a strong reference is the only reference to its object, of any kind.
///
/// The second word of an object counts references to it, in all versions of Swift's runtime (swift/docs/ABI,
/// "Heap Objects"): strong ones, unowned ones, or where to find more about it once there was a weak one. How it does
/// that is not for us to know. Of an object that nothing but one strong reference was ever made to, the word is a
/// constant, and with any reference more it is another one; whether that is so is tried out before it is relied on.
@usableFromInline enum SoleReference {
  /// The word of an object with one reference; 0, which is no object's, where the word cannot tell.
  ///
  /// Objects of Objective-C's runtime may keep their counts elsewhere, so it is not asked for there.
  static let word: UInt = {
    #if canImport(ObjectiveC)
      return 0
    #else
      return Specimen.word
    #endif
  }()
}

extension SoleReference {
  /// Whether the object at an address has `word`, which is not 0. The address must be that of a living object.
  @usableFromInline @inline(__always)
  static func isSole(_ address: UInt, _ word: UInt) -> Bool {
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    return unsafe object.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self) == word
  }
}

/// An object to try out on what its count says.
private final class Specimen {
  private var value = 0

  /// The word of an object with one reference, if one more of each kind changes it, and else 0.
  static var word: UInt {
    let (first, second) = unsafe (Unmanaged.passRetained(Specimen()), Unmanaged.passRetained(Specimen()))
    defer {
      unsafe first.release()
      unsafe second.release()
    }
    let alone = unsafe count(first)
    guard alone != 0, unsafe count(second) == alone else { return 0 }
    _ = unsafe first.retain()
    let shared = unsafe count(first)
    unsafe first.release()
    guard shared != alone, unsafe count(first) == alone else { return 0 }
    let holders = unsafe (Holder(unowned: first), Holder(weak: second))
    defer { withExtendedLifetime(holders) {} }
    return unsafe count(first) != alone && count(second) != alone ? alone : 0
  }

  @inline(never) private static func count(_ object: Unmanaged<Specimen>) -> UInt {
    unsafe object.toOpaque().load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
  }

  /// Refers to specimens. Never inlined: references that nobody reads would not even be made.
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
