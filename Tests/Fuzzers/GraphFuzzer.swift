// A target for libFuzzer, not part of the package. .github/TESTING.md describes how to build and run it.

/// Reads bytes as a graph of the fixtures' classes, writes the graph and reads it again.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let claim = GraphClaims.violation(by: bytes) {
    print("does not hold: \(claim)")
    preconditionFailure(claim)
  }
  return 0
}
