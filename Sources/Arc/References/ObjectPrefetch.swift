import ArcMemory
import CArc

extension ObjectNumbering {
  /// Rows between the object that is encoded and the one that is prefetched.
  private static let objectDistance = 8
  /// Rows between the object that is encoded and the one whose words are taken for addresses to prefetch.
  /// Smaller, so that its own memory is in the cache by then.
  private static let addressDistance = 4

  /// Prefetches what is needed to encode the objects after row `index + 1`: their memory, and what they refer
  /// to.
  ///
  /// Objects, the storage of strings and arrays, and slots in the table of rows lie anywhere, and the code
  /// that encodes an object waits for each of them in turn. What an object refers to is found without knowing
  /// its properties: any of its words may be an address. A wrong guess costs a little time, since a prefetch
  /// neither reads memory nor fails.
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
    // After the class and the reference count. The object is kept alive, and has that many bytes.
    var offset = 2 * MemoryLayout<UInt>.size
    while offset &+ MemoryLayout<UInt>.size <= byteCount {
      prefetch(atWord: unsafe ObjectMemory.word(at: offset, ofObjectAt: address))
      offset &+= MemoryLayout<UInt>.size
    }
  }

  /// Prefetches the memory whose address a word of an object may be, and the slot of its row.
  @inline(__always) private func prefetch(atWord word: UInt) {
    // The storage of a string has flags in the highest byte.
    let address = word & (.max >> 8)
    guard identities.coversRegion(of: address) else { return }
    arc_prefetch(address)
    if word == address { arc_prefetch(identities.homeAddress(of: address)) }
  }
}
