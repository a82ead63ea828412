import ArcRuntime

/// Compares the values of fields of two objects, which are of types that are known here.
///
/// Invariant: objects are of the class whose fields are there and of these types.
@safe struct FieldComparison {
  // Where the fields begin that are compared in one way.
  private let words: [Int]
  private let bytes: [Int]
  private let texts: [Int]
  private let listsOfTexts: [Int]
  private let memory = TextMemory()
  private let others: [(offset: Int, areSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool)]
  private let offsets: [Int]

  /// Nil if one of the fields is of a type that is not known here.
  init?(of fields: [StoredField]) {
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
    // By index: going through an array itself would count a reference to it.
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

  /// Whether two arrays of texts have the same ones.
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
