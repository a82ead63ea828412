import ArcRuntime

/// Compares the values of the fields of two objects, byte for byte.
///
/// Invariant: objects belong to the class that has the fields.
@safe package struct FieldComparison {
  // The offsets of the fields of each form.
  private let words: [Int]
  private let bytes: [Int]
  private let texts: [Int]
  private let listsOfTexts: [Int]
  private let memory = TextMemory()
  private let others: [(offset: Int, areSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool)]
  private let offsets: [Int]

  /// Creates a comparison of fields. Nil if `PlainTypes` does not contain the type of a field.
  package init?(of fields: [StoredField]) {
    var (words, bytes, texts, listsOfTexts): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
    var others: [(offset: Int, areSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool)] = unsafe []
    for field in fields {
      switch PlainTypes.comparison(of: field.type) {
      case .word?: words.append(field.offset)
      case .byte?: bytes.append(field.offset)
      case .text?: texts.append(field.offset)
      case .texts?: listsOfTexts.append(field.offset)
      case .others(let areSame)?: unsafe others.append((field.offset, areSame))
      case nil: return nil
      }
    }
    (self.words, self.bytes, self.texts, self.listsOfTexts) = (words, bytes, texts, listsOfTexts)
    unsafe self.others = unsafe others
    offsets = fields.map(\.offset)
  }

  /// Whether two objects have the same bytes in floating-point numbers and strings, and otherwise equal
  /// values.
  package func areSame(in one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) -> Bool {
    let one = unsafe UnsafeRawPointer(Unmanaged.passUnretained(one).toOpaque())
    let other = unsafe UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
    if check.isNeeded {
      for offset in offsets {
        unsafe ExclusivityCheck.trapIfChanging(one + offset)
        unsafe ExclusivityCheck.trapIfChanging(other + offset)
      }
    }
    // By index, because iterating over an array would count a reference to it.
    for index in words.indices
    where unsafe one.load(fromByteOffset: words[index], as: UInt64.self)
      != other.load(fromByteOffset: words[index], as: UInt64.self)
    { return false }
    for index in bytes.indices
    where unsafe one.load(fromByteOffset: bytes[index], as: UInt8.self)
      != other.load(fromByteOffset: bytes[index], as: UInt8.self)
    { return false }
    for index in texts.indices
    where unsafe !memory.areSame(one + texts[index], other + texts[index]) { return false }
    for index in listsOfTexts.indices
    where unsafe !areSameTexts(one + listsOfTexts[index], other + listsOfTexts[index]) { return false }
    return unsafe others.isEmpty
      || others.allSatisfy { unsafe $0.areSame(one + $0.offset, other + $0.offset) }
  }

  /// Whether two arrays contain the same strings.
  @unsafe private func areSameTexts(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    let (one, other) = unsafe (
      one.assumingMemoryBound(to: [String].self), other.assumingMemoryBound(to: [String].self)
    )
    return unsafe one.pointee.withUnsafeBytes { ones in
      unsafe other.pointee.withUnsafeBytes { others in
        guard ones.count == others.count else { return false }
        guard let first = ones.baseAddress, let second = others.baseAddress, unsafe first != second else {
          return true
        }
        return stride(from: 0, to: ones.count, by: MemoryLayout<String>.stride).allSatisfy {
          unsafe memory.areSame(first + $0, second + $0)
        }
      }
    }
  }
}
