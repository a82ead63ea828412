// A target for libFuzzer, not part of the package. .github/TESTING.md describes how to build and run it.

/// Traps if a claim does not hold. libFuzzer reports the trap with the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
  let text = unsafe String(decoding: bytes, as: UTF8.self)
  if let claim = EncodingClaims.violation(by: text) {
    print("'\(claim)' does not hold for \(text.debugDescription)")
    preconditionFailure(claim)
  }
  return 0
}
