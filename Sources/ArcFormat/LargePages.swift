#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Large pages for memory that is about to be filled from one end to the other.
///
/// The system hands out fresh memory page by page, and for each page of 4 KiB the program stops while it is cleared.
/// That took longer than copying numbers into it: 2.8 ns for 8 bytes, against 0.4 with pages of 2 MiB.
@usableFromInline enum LargePages {
  /// Pages of this size are what Linux calls huge ones on most processors; where they have another, nothing happens.
  private static let byteCount = 1 << 21

  /// Asks for large pages wherever whole ones lie in memory that the caller owns. Its bytes stay as they are.
  @usableFromInline static func request(_ memory: UnsafeRawBufferPointer) {
    #if os(Linux) || os(Android)
      guard memory.count >= 2 * byteCount, let start = memory.baseAddress else { return }
      let address = UInt(bitPattern: start)
      let first = (address + UInt(byteCount) - 1) / UInt(byteCount) * UInt(byteCount)
      let end = (address + UInt(memory.count)) / UInt(byteCount) * UInt(byteCount)
      guard first < end, let place = unsafe UnsafeMutableRawPointer(bitPattern: first) else { return }
      // Not asking is no error either.
      unsafe _ = madvise(place, Int(end - first), MADV_HUGEPAGE)
    #endif
  }
}
