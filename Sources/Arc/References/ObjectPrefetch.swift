import ArcMemory
import CArc

extension ObjectNumbering {
  /// The number of rows from the encoded object to the object that is prefetched.
  private static let objectDistance = 8
  /// The number of rows from the encoded object to the object whose words are prefetched as addresses. The
  /// number is less than `objectDistance`, because the object itself must already be in the cache.
  private static let addressDistance = 4

  /// Prefetches the memory that is needed to encode the objects after row `index + 1`: the objects, and the
  /// memory to which they refer.
  ///
  /// Objects, the storage of strings and arrays, and slots in the table of rows are anywhere in memory.
  /// Without prefetching, the code that encodes an object waits for each of them in turn. The function does
  /// not know the properties of an object, so it treats each word of the object as an address. A wrong guess
  /// costs little time, because a prefetch neither reads memory nor fails.
  mutating func prefetch(from index: Int) {
    if index + Self.objectDistance < objects.count {
      let address = unsafe objects[index + Self.objectDistance].address
      arc_prefetch(address)
      arc_prefetch(address &+ 64)
    }
    guard index + Self.addressDistance < objects.count else { return }
    let object = unsafe objects[index + Self.addressDistance]
    let byteCount = unsafe object._withUnsafeGuaranteedRef { instanceSizes.byteCount(of: type(of: $0)) }
    let address = unsafe object.address
    // The words after the class and the reference count. The list retains the object, which has that many
    // bytes.
    var offset = 2 * MemoryLayout<UInt>.size
    while offset &+ MemoryLayout<UInt>.size <= byteCount {
      prefetch(atWord: unsafe ObjectMemory.word(at: offset, ofObjectAt: address))
      offset &+= MemoryLayout<UInt>.size
    }
  }

  /// Prefetches the memory to which a word of an object may refer. The word may be the address of an object,
  /// so the entry for this address in the table of objects is also prefetched.
  @inline(__always) private func prefetch(atWord word: UInt) {
    // The storage of a string has flags in the highest byte.
    let address = word & (.max >> 8)
    guard identities.coversRegion(of: address) else { return }
    arc_prefetch(address)
    if word == address { arc_prefetch(identities.homeAddress(of: address)) }
  }
}
