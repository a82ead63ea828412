/// Strings as one run of UTF-8 bytes and the offsets at which they end: the form from which the rebuild floors make
/// strings anew. A perfect unarchiver would have to do just that.
struct TextColumn {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  var count: Int { ends.count }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
  }

  /// Makes the string anew.
  subscript(index: Int) -> String {
    let start = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    return bytes.withUnsafeBufferPointer { buffer in
      String(decoding: UnsafeBufferPointer(rebasing: buffer[start..<end]), as: UTF8.self)
    }
  }
}

/// Strings of which some are missing.
struct OptionalTextColumn {
  private var present = TextColumn()
  /// The index in `present`, or -1.
  private var indices: [Int32] = []

  mutating func append(_ text: String?) {
    if let text {
      indices.append(Int32(present.count))
      present.append(text)
    } else {
      indices.append(-1)
    }
  }

  /// Makes the string anew, if there is one.
  subscript(index: Int) -> String? {
    let position = Int(indices[index])
    return position < 0 ? nil : present[position]
  }
}
