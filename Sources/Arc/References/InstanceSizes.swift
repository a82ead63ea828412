import ArcMemory

/// The sizes of the objects of recently used classes, which determine how many bytes are prefetched.
struct InstanceSizes {
  /// The maximum number of bytes that are searched for addresses.
  private static let maximumByteCount = 512

  private var recent = [(type: UInt, byteCount: Int)](repeating: (0, 0), count: RecentClasses.count)

  /// Returns the number of bytes of each object of a class, at most `maximumByteCount`.
  @inline(__always) mutating func byteCount(of type: AnyClass) -> Int {
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    let index = RecentClasses.index(of: identity)
    if recent[index].type != identity {
      recent[index] = (identity, min(InstanceSize.byteCount(of: type), Self.maximumByteCount))
    }
    return recent[index].byteCount
  }
}
