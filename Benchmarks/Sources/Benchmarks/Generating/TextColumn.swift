/// Strings as UTF-8 bytes without gaps, with the offset at which each string ends. The rebuild floors create
/// strings from this form, as a perfect unarchiver would.
struct TextColumn {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  var count: Int { ends.count }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
  }

  /// Creates the string.
  subscript(index: Int) -> String {
    let start = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    return bytes.withUnsafeBufferPointer { buffer in
      String(decoding: UnsafeBufferPointer(rebasing: buffer[start..<end]), as: UTF8.self)
    }
  }
}

/// Optional strings.
struct OptionalTextColumn {
  private var present = TextColumn()
  /// The index of each string in `present`. -1 for nil.
  private var indices: [Int32] = []

  mutating func append(_ text: String?) {
    if let text {
      indices.append(Int32(present.count))
      present.append(text)
    } else {
      indices.append(-1)
    }
  }

  /// Creates the string, unless it is nil.
  subscript(index: Int) -> String? {
    let position = Int(indices[index])
    return position < 0 ? nil : present[position]
  }
}
