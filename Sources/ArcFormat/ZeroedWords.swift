#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Words that are all zero at first: the slots of a hash table.
///
/// Many come from the system and go back to it at once. A table that grows leaves smaller and smaller blocks behind, which
/// together are twice as large as itself, and which the allocator would keep.
///
/// Invariant: `start` has `count` initialised words until `free`, which the owner calls once.
@safe package struct ZeroedWords {
  /// Fewer bytes are left to the allocator.
  private static let leastByteCountToMap = 1 << 20

  package let start: UnsafeMutablePointer<UInt64>
  private let byteCount: Int
  private let isMapped: Bool

  package init(count: Int) {
    byteCount = count * MemoryLayout<UInt64>.stride
    if let pages = unsafe Self.map(byteCount) {
      unsafe start = unsafe pages.bindMemory(to: UInt64.self, capacity: count)
      isMapped = true
    } else {
      unsafe start = .allocate(capacity: count)
      unsafe start.initialize(repeating: 0, count: count)
      isMapped = false
    }
  }

  /// Fresh pages, which are zero; nil for few bytes, and where the system has none.
  private static func map(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard byteCount >= leastByteCountToMap,
      let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      unsafe pages != MAP_FAILED
    else { return nil }
    unsafe LargePages.request(UnsafeRawBufferPointer(start: pages, count: byteCount))
    return unsafe pages
  }

  package func free() {
    if isMapped { unsafe munmap(start, byteCount) } else { unsafe start.deallocate() }
  }
}
