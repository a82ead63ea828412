// A target for libFuzzer, not part of the package. .github/TESTING.md describes how to build and run it.

/// Imports bytes as a keyed archive, another property list, or a table.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let claim = ImportClaims.violation(by: bytes) {
    print("does not hold: \(claim)")
    preconditionFailure(claim)
  }
  return 0
}
