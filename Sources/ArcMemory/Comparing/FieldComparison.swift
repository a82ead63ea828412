import ArcRuntime

/// Compares the values of some fields in memory: the fields of two objects, or of two structures.
/// Floating-point numbers and strings are compared by their bytes.
///
/// Invariant: each address is the address of an object, or of a structure, that has the fields.
@safe package struct FieldComparison {
  // The offsets in bytes of the fields to compare, by the form of their values. The fields of nested
  // structures are included.
  private var words: [Int] = []
  private var bytes: [Int] = []
  private var texts: [Int] = []
  private var listsOfTexts: [Int] = []
  private var others: [(offset: Int, areSame: (UnsafeRawPointer, UnsafeRawPointer) -> Bool)] = unsafe []
  private let memory = TextMemory()
  private let offsets: [Int]

  /// The method of comparing values of a type that is not in `PlainTypes`.
  package enum Shape {
    /// Each value is a single byte. Two values are equal if and only if their bytes are equal.
    case byte
    /// The values are structures. Two structures are equal if and only if these fields have equal values.
    case fields([StoredField])
  }

  /// Creates a comparison. Nil if the values of a field cannot be compared in memory. Optionals and arrays
  /// can be compared if their wrapped values and their elements can be compared.
  ///
  /// - Parameters:
  ///   - fields: the fields to compare.
  ///   - shape: returns the method of comparing values of a type. Nil if the type cannot be compared.
  package init?(of fields: [StoredField], shape: (Any.Type) -> Shape?) {
    self.init(of: fields, in: [], shape)
  }

  private init?(of fields: [StoredField], in enclosing: [ObjectIdentifier], _ shape: (Any.Type) -> Shape?) {
    offsets = fields.map(\.offset)
    guard fields.allSatisfy({ add($0.type, at: $0.offset, in: enclosing, shape) }) else { return nil }
  }

  /// Adds the comparison of the values at an offset, which have the type `type`. `enclosing` contains the
  /// types of the values that contain these values. Returns whether the values can be compared.
  private mutating func add(
    _ type: Any.Type, at offset: Int, in enclosing: [ObjectIdentifier], _ shape: (Any.Type) -> Shape?
  ) -> Bool {
    if let comparison = PlainTypes.comparison(of: type) {
      switch comparison {
      case .word: words.append(offset)
      case .twoWords: words += [offset, offset + MemoryLayout<UInt64>.size]
      case .byte: bytes.append(offset)
      case .text: texts.append(offset)
      case .texts: listsOfTexts.append(offset)
      case .others(let areSame): unsafe others.append((offset, areSame))
      }
      return true
    }
    // Without this check, the description of a structure that contains structures of its own type would not
    // end.
    guard !enclosing.contains(ObjectIdentifier(type)) else { return false }
    let enclosing = enclosing + [ObjectIdentifier(type)]
    if let composed = type as? any ComposedValue.Type {
      let part = StoredField(type: composed.partType)
      guard let part = FieldComparison(of: [part], in: enclosing, shape) else { return false }
      unsafe others.append((offset, { unsafe composed.areSame($0, $1, by: part) }))
      return true
    }
    switch shape(type) {
    case .byte: bytes.append(offset)
    case .fields(let fields):
      return fields.allSatisfy { add($0.type, at: offset + $0.offset, in: enclosing, shape) }
    case nil: return false
    }
    return true
  }

  /// Whether two objects have equal values in the fields. Floating-point numbers and strings are compared by
  /// their bytes, all other values as by `==`.
  package func areSame(in one: AnyObject, _ other: AnyObject, _ check: ExclusivityCheck) -> Bool {
    let one = unsafe UnsafeRawPointer(Unmanaged.passUnretained(one).toOpaque())
    let other = unsafe UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
    if check.isNeeded {
      for offset in offsets {
        unsafe ExclusivityCheck.trapIfChanging(one + offset)
        unsafe ExclusivityCheck.trapIfChanging(other + offset)
      }
    }
    return unsafe areSame(one, other)
  }

  /// Whether the objects or structures at two addresses have equal values in the fields.
  @unsafe fileprivate func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    // The loops use indices, because iterating over an array would count a reference to it. The words of a
    // UUID are not aligned.
    for index in words.indices
    where unsafe one.loadUnaligned(fromByteOffset: words[index], as: UInt64.self)
      != other.loadUnaligned(fromByteOffset: words[index], as: UInt64.self)
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

  /// Whether the string arrays at two addresses contain equal strings in the same order.
  @unsafe private func areSameTexts(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    let (one, other) = unsafe (
      one.assumingMemoryBound(to: [String].self), other.assumingMemoryBound(to: [String].self)
    )
    return unsafe one.pointee.withUnsafeBytes { ones in
      unsafe other.pointee.withUnsafeBytes { others in
        unsafe Self.areSame(ones, others, byteCount: MemoryLayout<String>.stride) {
          unsafe memory.areSame($0, $1)
        }
      }
    }
  }

  /// Whether two arrays have equal elements in the same order. `byteCount` is the number of bytes from one
  /// element to the next.
  @unsafe @inline(__always) fileprivate static func areSame(
    _ ones: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer, byteCount: Int,
    by areSame: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    guard ones.count == others.count else { return false }
    guard let first = ones.baseAddress, let second = others.baseAddress, unsafe first != second else {
      return true
    }
    return stride(from: 0, to: ones.count, by: byteCount).allSatisfy {
      unsafe areSame(first + $0, second + $0)
    }
  }
}

/// A type whose values consist of values of one other type, in order: an array or an optional.
private protocol ComposedValue {
  static var partType: Any.Type { get }
  /// Whether the arrays or optionals at two addresses contain equal values. `part` compares these values.
  @unsafe static func areSame(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, by part: FieldComparison
  ) -> Bool
}

extension Array: ComposedValue {
  static var partType: Any.Type { Element.self }

  @unsafe static func areSame(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, by part: FieldComparison
  ) -> Bool {
    unsafe one.assumingMemoryBound(to: Self.self).pointee.withUnsafeBytes { ones in
      unsafe other.assumingMemoryBound(to: Self.self).pointee.withUnsafeBytes { others in
        unsafe FieldComparison.areSame(ones, others, byteCount: MemoryLayout<Element>.stride) {
          unsafe part.areSame($0, $1)
        }
      }
    }
  }
}

extension Optional: ComposedValue {
  static var partType: Any.Type { Wrapped.self }

  @unsafe static func areSame(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, by part: FieldComparison
  ) -> Bool {
    let (one, other) = unsafe (
      one.assumingMemoryBound(to: Self.self).pointee, other.assumingMemoryBound(to: Self.self).pointee
    )
    guard let one, let other else { return one == nil && other == nil }
    return unsafe withUnsafePointer(to: one) { one in
      unsafe withUnsafePointer(to: other) { unsafe part.areSame(UnsafeRawPointer(one), UnsafeRawPointer($0)) }
    }
  }
}
