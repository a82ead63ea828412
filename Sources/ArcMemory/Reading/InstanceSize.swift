#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// The number of bytes of each object of a class.
package enum InstanceSize {
  /// Returns the number of bytes of each object of a class, or 0 if it is unknown.
  package static func byteCount(of type: AnyClass) -> Int { isKnown ? instanceSize(of: type) : 0 }

  /// Whether the runtime returns the right sizes for two classes whose objects begin with two words.
  private static let isKnown: Bool = {
    class One { var first = 0 }
    final class Two: One { var second = 0 }
    let word = MemoryLayout<UInt>.size
    return RuntimeLayout.isTrusted && instanceSize(of: One.self) == 3 * word
      && instanceSize(of: Two.self) == 4 * word
  }()

  private static func instanceSize(of type: AnyClass) -> Int {
    #if canImport(ObjectiveC)
      class_getInstanceSize(type)
    #else
      Int(swiftClassInstanceExtents(type).positive)
    #endif
  }
}

#if !canImport(ObjectiveC)
  /// Returns the number of bytes of an object of a class before and after its address. The runtime exports
  /// this function, because the standard library calls it before it lays out a `ManagedBuffer`.
  @_silgen_name("_swift_getSwiftClassInstanceExtents")
  private func swiftClassInstanceExtents(_ type: AnyClass) -> (negative: UInt, positive: UInt)
#endif
