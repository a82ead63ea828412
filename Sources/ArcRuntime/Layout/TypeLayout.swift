/// The size and alignment of a type.
public struct TypeLayout: Hashable, Sendable {
  /// The size in bytes, which is the result of `sizeof`.
  public var size: UInt64
  /// The alignment of a member of the type in a structure or union, in bytes. A power of two.
  public var alignment: UInt64
  /// The alignment of a variable of the type, in bytes.
  ///
  /// Clang writes this alignment into the metadata of each instance variable. For `d`, `q` and `Q`, the
  /// preferred alignment is 8, even on targets where ``alignment`` is 4.
  public var preferredAlignment: UInt64
  /// Whether the layout is certain. If false, the layout is only probable.
  ///
  /// The layout is uncertain for Apple's bit-fields, because their encoding does not contain their type. The
  /// layout is also uncertain if types of different sizes have the same encoding, and for empty structures,
  /// whose size is 0 in C and 1 byte in C++. An encoding does not contain `packed` or `aligned`. So
  /// structures and unions have the layout of the default rules, even if ``isExact`` is true.
  public var isExact: Bool

  init(size: UInt64, alignment: UInt64, preferredAlignment: UInt64? = nil, isExact: Bool = true) {
    self.size = size
    self.alignment = alignment
    self.preferredAlignment = preferredAlignment ?? alignment
    self.isExact = isExact
  }

  /// The distance between adjacent elements of an array, in bytes.
  public var stride: UInt64 { size.roundedUp(toMultipleOf: alignment) ?? size }
}

extension TypeEncoding {
  /// Returns the size and alignment of the C type. Nil if the encoding does not contain enough facts.
  ///
  /// The result is nil for types without a code, structures with hidden members (`{S}`), function types,
  /// types of Arc's extension, and sizes of 2^64 bytes and more.
  ///
  /// - Parameter target: the target whose sizes are used.
  /// - Returns: the layout.
  /// - Complexity: O(*n*) in the length of the encoding.
  public func layout(for target: TargetABI = .lp64) -> TypeLayout? { layout(for: target, depth: 0) }

  func layout(for target: TargetABI, depth: Int) -> TypeLayout? {
    // The parser limits the depth of a type, but a program can create a deeper one.
    guard depth <= Self.maximumDepth else { return nil }
    switch self {
    case .scalar(let scalar): return scalar.layout(for: target)
    case .object, .block, .pointer:
      return TypeLayout(size: target.pointerBytes, alignment: target.pointerBytes)
    case .array(let count, let element):
      guard let count, var layout = element.layout(for: target, depth: depth + 1),
        let size = layout.size.times(count)
      else { return nil }
      layout.size = size
      return layout
    case .structure(_, let fields?), .union(_, let fields?):
      return RecordLayout(fields, isUnion: isUnion, target: target, depth: depth + 1).layout
    case .bitField(let width, let gnu):
      guard let unit = RecordLayout.unit(ofWidth: width, gnu, target), width <= unit.size * 8 else {
        return nil
      }
      return TypeLayout(size: unit.size, alignment: unit.alignment, isExact: gnu != nil)
    case .vector(let byteSize, let byteAlignment, _):
      guard byteAlignment.nonzeroBitCount == 1 else { return nil }
      return TypeLayout(size: byteSize, alignment: byteAlignment)
    case .qualified(.atomic, let type):
      return type.layout(for: target, depth: depth + 1)?.atomic(for: target)
    case .qualified(.complex, let type):
      guard var layout = type.layout(for: target, depth: depth + 1), let size = layout.size.times(2) else {
        return nil
      }
      layout.size = size
      return layout
    case .qualified(_, let type): return type.layout(for: target, depth: depth + 1)
    default: return nil
    }
  }

  private var isUnion: Bool {
    if case .union = self { true } else { false }
  }
}

extension TypeLayout {
  /// Returns the layout of the type with the qualifier `_Atomic`. The qualifier rounds a small size up to a
  /// power of two. The alignment is then at least the rounded size.
  fileprivate func atomic(for target: TargetABI) -> TypeLayout {
    guard size > 0, size <= target.widestAtomicBytes else {
      return TypeLayout(size: size, alignment: alignment, isExact: isExact)
    }
    var rounded: UInt64 = 1
    while rounded < size { rounded *= 2 }
    return TypeLayout(size: rounded, alignment: max(rounded, alignment), isExact: isExact)
  }
}

extension TypeEncoding.Scalar {
  func layout(for target: TargetABI) -> TypeLayout? {
    switch self {
    case .character, .unsignedCharacter, .bool: TypeLayout(size: 1, alignment: 1)
    case .short, .unsignedShort: TypeLayout(size: 2, alignment: 2)
    // Clang writes `l` only for a `long` of 32 bits, and `q` for a `long` of 64 bits.
    case .int, .unsignedInt, .long, .unsignedLong, .float: TypeLayout(size: 4, alignment: 4)
    case .longLong, .unsignedLongLong, .double:
      TypeLayout(size: 8, alignment: target.eightByteAlignment, preferredAlignment: 8)
    case .int128, .unsignedInt128: TypeLayout(size: 16, alignment: 16)
    case .longDouble:
      TypeLayout(size: target.longDoubleBytes, alignment: target.longDoubleAlignment)
    case .cString, .classObject, .selector, .atom:
      TypeLayout(size: target.pointerBytes, alignment: target.pointerBytes)
    // The code also means __float128, but _Float16, __fp16 and __bf16 are far more frequent.
    case .half: TypeLayout(size: 2, alignment: 2, isExact: false)
    // GNU C defines sizeof(void) as 1.
    case .void: TypeLayout(size: 1, alignment: 1, isExact: false)
    case .unknown: nil
    }
  }
}

extension UInt64 {
  /// Returns the product of two numbers. Nil if the product does not fit into 64 bits.
  func times(_ other: UInt64) -> UInt64? {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? nil : product
  }

  /// Returns the sum of two numbers. Nil if the sum does not fit into 64 bits.
  func plus(_ other: UInt64) -> UInt64? {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? nil : sum
  }

  /// Returns the number, rounded up to a multiple of `alignment`, which is 0 or a power of two. Nil if the
  /// result does not fit into 64 bits.
  func roundedUp(toMultipleOf alignment: UInt64) -> UInt64? {
    guard alignment > 0 else { return self }
    return plus(alignment - 1).map { $0 & ~(alignment - 1) }
  }
}
