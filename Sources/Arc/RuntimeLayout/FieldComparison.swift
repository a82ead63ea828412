import ArcRuntime

/// Compares the values of fields of two objects, which are of types that are known here.
///
/// Invariant: objects are of the class whose fields are there and of these types.
@safe struct FieldComparison {
  // Where the fields begin that are compared in one way.
  private let words: [Int]
  private let bytes: [Int]
  private let texts: [Int]
  private let others: [(offset: Int, areSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool)]
  private let offsets: [Int]

  /// Nil if one of the fields is of a type that is not known here.
  init?(of fields: [StoredField]) {
    var (words, bytes, texts): ([Int], [Int], [Int]) = ([], [], [])
    var others: [(offset: Int, areSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool)] = unsafe []
    for field in fields {
      switch PlainTypes.comparison(of: field.type) {
      case .word?: words.append(field.offset)
      case .byte?: bytes.append(field.offset)
      case .text?: texts.append(field.offset)
      case .others(let areSame)?: unsafe others.append((field.offset, areSame))
      case nil: return nil
      }
    }
    (self.words, self.bytes, self.texts) = (words, bytes, texts)
    unsafe self.others = unsafe others
    offsets = fields.map(\.offset)
  }

  /// Whether two objects have the same values, floating-point numbers and text byte for byte.
  func areSame(in one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) -> Bool {
    let one = unsafe UnsafeRawPointer(Unmanaged.passUnretained(one).toOpaque())
    let other = unsafe UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
    if check.isNeeded {
      for offset in offsets {
        unsafe ExclusivityCheck.trapIfChanging(one + offset)
        unsafe ExclusivityCheck.trapIfChanging(other + offset)
      }
    }
    for offset in words
    where unsafe one.load(fromByteOffset: offset, as: UInt64.self)
      != other.load(fromByteOffset: offset, as: UInt64.self)
    { return false }
    for offset in bytes
    where unsafe one.load(fromByteOffset: offset, as: UInt8.self)
      != other.load(fromByteOffset: offset, as: UInt8.self)
    { return false }
    for offset in texts where unsafe !Self.isSameText(one + offset, other + offset) { return false }
    return unsafe others.allSatisfy { unsafe $0.areSame(one + $0.offset, other + $0.offset) }
  }

  /// Whether two texts, or optional ones, are the same: surely where their words are, as those of short
  /// texts and of copies.
  @unsafe @inline(__always) private static func isSameText(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer
  ) -> Bool {
    let byteCount = MemoryLayout<UInt>.size
    let areSameWords = stride(from: 0, to: MemoryLayout<String?>.size, by: byteCount).allSatisfy { offset in
      unsafe one.load(fromByteOffset: offset, as: UInt.self)
        == other.load(fromByteOffset: offset, as: UInt.self)
    }
    if areSameWords { return true }
    let one = unsafe one.assumingMemoryBound(to: String?.self).pointee
    let other = unsafe other.assumingMemoryBound(to: String?.self).pointee
    // Only one of the words tells of nil: the other may be anything.
    guard let one, let other else { return one == nil && other == nil }
    return one.hasSameBytes(as: other)
  }
}
