// Part of the targets for libFuzzer, which are no part of the package: CONTRIBUTING.md says how to build them.

@testable import ArcFormat

@_silgen_name("LLVMFuzzerMutate")
private func mutateAnyhow(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// Changes an archive behind its checksums: takes it apart, changes payloads, and puts it together again.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateArchive(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var random = SplitMix64(seed: UInt64(seed))
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let changed = changedParts(of: bytes, &random) ?? changedBytes(bytes, capacity, &random)
  guard changed.count <= capacity else { return count }
  for index in changed.indices { unsafe start[index] = changed[index] }
  return changed.count
}

/// libFuzzer's own changes of some bytes; now and then the checksums are left wrong.
private func changedBytes(_ bytes: [UInt8], _ capacity: Int, _ random: inout SplitMix64) -> [UInt8] {
  let changed = mutated(bytes, room: capacity - bytes.count)
  return changed.count < 64 || Int.random(in: 0..<50, using: &random) == 0
    ? changed : HandMadeArchive.sealed(changed)
}

private func mutated(_ bytes: [UInt8], room: Int = 64) -> [UInt8] {
  var buffer = bytes + [UInt8](repeating: 0, count: max(room, 1))
  let count = buffer.count
  let used = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.map { unsafe mutateAnyhow($0, bytes.count, count) } ?? 0
  }
  return Array(buffer[..<used])
}

private func changedParts(of bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
  guard Int.random(in: 0..<8, using: &random) != 0,
    var archive = try? HandMadeArchive(takingApart: bytes), !archive.segments.isEmpty
  else { return nil }
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    guard let index = archive.segments.indices.randomElement(using: &random) else { break }
    switch Int.random(in: 0..<40, using: &random) {
    case 0: archive.segments.insert(archive.segments[index], at: index)
    case 1: archive.segments.remove(at: index)
    case 2: archive.segments.swapAt(index, archive.segments.count - 1 - index)
    case 3: archive.segments[index].flags ^= 1
    case 4: archive.segments[index].first &+= Int.random(in: -1...1, using: &random)
    case 5: archive.segments[index].count &+= Int.random(in: -1...2, using: &random)
    case 6: archive.segments[index].isCompressed.toggle()
    case 7:
      archive.segments[index].kind = ["CLSS", "STRS", "ROWS", "LINK", "META", "NOTE"][Int(random.next() % 6)]
    case 8: archive.rowCount = max(0, archive.rowCount + Int.random(in: -1...1, using: &random))
    case 9: archive.isIndexCompressed.toggle()
    default: archive.segments[index].raw = mutated(archive.segments[index].raw)
    }
  }
  for index in archive.segments.indices {
    archive.segments[index].first = max(0, archive.segments[index].first)
    archive.segments[index].count = max(0, archive.segments[index].count)
  }
  if let bytes = try? archive.bytes() { return bytes }
  // What zlib does not shrink.
  for index in archive.segments.indices { archive.segments[index].isCompressed = false }
  archive.isIndexCompressed = false
  return try? archive.bytes()
}
