/// Mutates archives and then corrects their checksums. It divides an archive into its segments, changes some
/// of them, and joins them again.
///
/// Because the checksums are correct, readers must find the errors themselves. Tests use the mutator.
/// libFuzzer's targets use it too, with payloads that libFuzzer has changed.
package struct ArchiveMutator {
  /// Returns a payload or a whole file with a change at some position.
  package typealias Change = (_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8]

  private var random: SplitMix64
  private let change: Change

  package init(seed: UInt64, change: @escaping Change = Self.changedAnywhere) {
    random = SplitMix64(seed: seed)
    self.change = change
  }

  /// Returns an archive with one to three changed parts. If the archive cannot be divided into segments, and
  /// for one archive in eight, the bytes of the whole file are changed instead. One in 50 of these files
  /// keeps its wrong checksums.
  package mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    if Int.random(in: 0..<8, using: &random) > 0,
      let archive = try? HandMadeArchive(takingApart: bytes), !archive.segments.isEmpty,
      let changed = changed(archive)
    {
      return changed
    }
    let changed = change(bytes, &random)
    return Int.random(in: 0..<50, using: &random) == 0 ? changed : HandMadeArchive.sealed(changed)
  }

  private mutating func changed(_ original: HandMadeArchive) -> [UInt8]? {
    var archive = original
    for _ in 0..<Int.random(in: 1...3, using: &random) { changeOnePart(of: &archive) }
    for index in archive.segments.indices {
      archive.segments[index].first = max(0, archive.segments[index].first)
      archive.segments[index].count = max(0, archive.segments[index].count)
    }
    if let bytes = try? archive.bytes() { return bytes }
    // zlib does not shrink one of the payloads, so the archive is written without compression.
    for index in archive.segments.indices { archive.segments[index].isCompressed = false }
    archive.isIndexCompressed = false
    return try? archive.bytes()
  }

  private mutating func changeOnePart(of archive: inout HandMadeArchive) {
    guard let index = archive.segments.indices.randomElement(using: &random) else { return }
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
    default: archive.segments[index].raw = change(archive.segments[index].raw, &random)
    }
  }

  /// Returns bytes with a change: some bytes are changed, removed, inserted or repeated.
  package static func changedAnywhere(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let telling: [UInt8] = [0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF]
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0...1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
      case 2...3 where place < bytes.count: bytes[place] = telling.randomElement(using: &random) ?? 0
      case 4 where place < bytes.count: bytes[place] &+= 1
      case 5 where place < bytes.count: bytes.swapAt(place, max(place - 1, 0))
      case 6 where place < bytes.count: bytes.remove(at: place)
      case 7: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
      default:
        bytes.insert(contentsOf: bytes[place...].prefix(Int.random(in: 1...8, using: &random)), at: place)
      }
    }
    return bytes
  }
}
