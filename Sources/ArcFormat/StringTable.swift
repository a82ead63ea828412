/// The strings of a file by number; each is checked and built when it is first asked for, then shared.
@safe package final class StringTable {
  private var entries: [UnsafeRawBufferPointer] = unsafe []
  private var built: [String?] = []
  /// Keeps the bytes alive that `entries` point into.
  private var payloads: [SegmentPayload] = []

  package init() {}

  package var count: Int { unsafe entries.count }

  /// Adds the strings of a `STRS` segment. Spec: 04-columns, section 3.
  func add(_ payload: SegmentPayload) throws(ArchiveError) {
    var reader = payload.reader
    let start = reader.offset
    let count = try reader.count(itemBytes: 1)
    let width = Int(try reader.fixed(UInt8.self))
    guard [1, 2, 4, 8].contains(width), count <= reader.remaining / width else {
      throw ArchiveError(
        .malformedSegment, found: "\(count) lengths of width \(width)",
        expected: "lengths of 1, 2, 4 or 8 bytes",
        byteOffset: start)
    }
    let lengths = unsafe try reader.take(count * width)
    for index in 0..<count {
      let length = unsafe ChunkView.unsigned(lengths, index: index, width: width)
      guard let length = Int(exactly: length) else {
        throw ArchiveError(.malformedSegment, found: "a string of \(length) bytes", byteOffset: reader.offset)
      }
      unsafe entries.append(try reader.take(length))
    }
    try reader.finish("string table")
    built.append(contentsOf: repeatElement(nil, count: count))
    payloads.append(payload)
  }

  /// The string with number `id`; throws if there is none or its bytes are not UTF-8.
  package func string(_ id: UInt64) throws(ArchiveError) -> String {
    guard unsafe id < UInt64(entries.count) else {
      throw unsafe ArchiveError(.malformedColumn, found: "string \(id)", expected: "below \(entries.count)")
    }
    let index = Int(id)
    if let text = built[index] { return text }
    guard let text = unsafe String(validating: entries[index], as: UTF8.self) else {
      throw ArchiveError(.invalidString, found: "string \(id), whose bytes are not UTF-8")
    }
    built[index] = text
    return text
  }
}
