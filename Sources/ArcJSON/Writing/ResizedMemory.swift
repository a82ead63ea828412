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

/// Memory of the C library. It can extend a large block, or move its pages, without copying the
/// bytes.
enum ResizedMemory {
  /// Resizes memory and returns it. The first bytes are unchanged. Returns new memory if `memory` is nil.
  @unsafe static func resize(
    _ memory: UnsafeMutableRawPointer?, to byteCount: Int
  ) -> UnsafeMutableRawPointer {
    guard let resized = unsafe realloc(memory, byteCount) else {
      preconditionFailure("too little memory for \(byteCount) bytes")
    }
    return unsafe resized
  }

  /// Frees memory.
  @unsafe static func release(_ memory: UnsafeMutableRawPointer) { unsafe free(memory) }
}
