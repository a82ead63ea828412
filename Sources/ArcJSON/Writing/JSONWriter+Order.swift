// Sorting written values.

extension JSONWriter {
  /// Sorts the elements or members that were written last. Compares them byte by byte.
  ///
  /// Members are sorted by name, and elements by their JSON text.
  ///
  /// - Parameters:
  ///   - starts: the offset of each element or member in the text.
  ///   - names: the name of each member; empty for elements.
  /// - Complexity: O(*n* log *n*) comparisons and O(bytes) for *n* values.
  package mutating func sortValues(at starts: [Int], names: [String]) {
    guard starts.count > 1, let first = starts.first else { return }
    let text = output.bytes(in: first..<output.count)
    // All separators are equal: a comma, and in pretty text a line end and spaces.
    let separatorByteCount = 1 + (isPretty ? startOfNextValue - output.count - 1 : 0)
    let ranges = starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] - separatorByteCount : output.count
      return starts[index] - first..<end - first
    }
    let order = starts.indices.sorted { left, right in
      names.count == starts.count
        ? names[left].utf8.lexicographicallyPrecedes(names[right].utf8)
        : text[ranges[left]].lexicographicallyPrecedes(text[ranges[right]])
    }
    let separator = text[ranges[0].upperBound..<ranges[1].lowerBound]
    output.truncate(to: first)
    for (position, index) in order.enumerated() {
      if position > 0 { for byte in separator { output.append(byte) } }
      output.append(contentsOf: text.span.extracting(ranges[index]))
    }
  }

  /// Returns the name of the member that begins at an offset, for errors.
  package func name(at offset: Int) -> String {
    JSONNames.text(ofNameIn: output.bytes(in: min(offset, output.count)..<output.count))
  }
}
