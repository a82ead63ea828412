#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(ucrt)
  import ucrt
#elseif canImport(WASILibc)
  import WASILibc
#endif

/// Memory of the C library, which gives a large piece more pages where it is, or moves them, instead of
/// copying what is there.
enum ResizedMemory {
  /// Memory of another size with the same first bytes; new memory for nil.
  @unsafe static func resize(
    _ memory: UnsafeMutableRawPointer?, to byteCount: Int
  ) -> UnsafeMutableRawPointer {
    guard let resized = unsafe realloc(memory, byteCount) else {
      preconditionFailure("too little memory for \(byteCount) bytes")
    }
    return unsafe resized
  }

  /// Gives memory back.
  @unsafe static func release(_ memory: UnsafeMutableRawPointer) { unsafe free(memory) }
}
