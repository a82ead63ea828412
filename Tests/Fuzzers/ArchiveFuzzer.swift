// A target for libFuzzer, not part of the package. .github/TESTING.md describes how to build and run it.

/// Opens, verifies and reads bytes as an archive, without classes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let claim = ArchiveClaims.violation(by: bytes) {
    print("does not hold: \(claim)")
    preconditionFailure(claim)
  }
  return 0
}
