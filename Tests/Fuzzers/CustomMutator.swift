// A part of the targets for libFuzzer, which are not part of the package. .github/TESTING.md describes how to
// build them.

@_silgen_name("LLVMFuzzerMutate")
private func mutateAnyhow(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Mutates an archive and corrects its checksums. libFuzzer changes the payloads.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateArchive(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var mutator = ArchiveMutator(seed: UInt64(seed)) { bytes, _ in mutated(bytes) }
  let changed = mutator.changed(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  guard changed.count <= capacity else { return count }
  for index in changed.indices { unsafe start[index] = changed[index] }
  return changed.count
}

/// Returns the bytes after a change by libFuzzer, which can add a few bytes.
private func mutated(_ bytes: [UInt8]) -> [UInt8] {
  var buffer = bytes + [UInt8](repeating: 0, count: 64)
  let capacity = buffer.count
  let used = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.map { unsafe mutateAnyhow($0, bytes.count, capacity) } ?? 0
  }
  return Array(buffer[..<used])
}
