// A target for libFuzzer, not part of the package. .github/TESTING.md describes how to build and run it.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads bytes as models of the class that the first byte determines, writes the models and reads them again.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let claim = ModelClaims.violation(by: bytes) {
    print("does not hold: \(claim)")
    fflush(nil)
    preconditionFailure(claim)
  }
  return 0
}
