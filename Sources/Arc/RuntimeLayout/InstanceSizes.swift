#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// The sizes of objects, by class, for classes that were asked for recently: as far as they are prefetched.
struct InstanceSizes {
  /// The maximum number of bytes that are searched for addresses.
  private static let maximumByteCount = 512

  private var recent = [(type: UInt, byteCount: Int)](repeating: (0, 0), count: RecentClasses.count)

  /// The number of bytes of each object of a class, at most `maximumByteCount`.
  @inline(__always) mutating func byteCount(of type: AnyClass) -> Int {
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    let index = RecentClasses.index(of: identity)
    if recent[index].type != identity {
      recent[index] = (identity, min(Self.byteCount(of: type), Self.maximumByteCount))
    }
    return recent[index].byteCount
  }

  /// Whether the runtime gives the right sizes for two classes of ours, whose objects begin with two words.
  private static let areKnown: Bool = {
    class One { var first = 0 }
    final class Two: One { var second = 0 }
    let word = MemoryLayout<UInt>.size
    return RuntimeLayout.isTrusted && instanceSize(of: One.self) == 3 * word
      && instanceSize(of: Two.self) == 4 * word
  }()

  /// The number of bytes of each object of a class; 0 where that is not known.
  static func byteCount(of type: AnyClass) -> Int { areKnown ? instanceSize(of: type) : 0 }

  private static func instanceSize(of type: AnyClass) -> Int {
    #if canImport(ObjectiveC)
      class_getInstanceSize(type)
    #else
      Int(swiftClassInstanceExtents(type).positive)
    #endif
  }
}

#if !canImport(ObjectiveC)
  /// Called by the standard library before it lays out a `ManagedBuffer`.
  @_silgen_name("_swift_getSwiftClassInstanceExtents")
  private func swiftClassInstanceExtents(_ type: AnyClass) -> (negative: UInt, positive: UInt)
#endif
