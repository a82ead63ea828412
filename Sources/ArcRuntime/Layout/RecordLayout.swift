/// The offset and size of one member of a structure or union.
public struct MemberLayout: Hashable, Sendable {
  /// The member.
  public var field: TypeEncoding.Field
  /// The distance of the member from the start of the structure or union, in bits. A multiple of 8, except
  /// for bit-fields.
  public var bitOffset: UInt64
  /// The size of the member in bits: the size of its type, or the width of a bit-field.
  public var bitCount: UInt64

  /// The distance of the member from the start of the structure or union, in whole bytes.
  public var byteOffset: UInt64 { bitOffset / 8 }
}

extension TypeEncoding {
  /// Returns the layouts of the members of a structure or union. Nil if the type has no known members, or if
  /// the layout of a member is unknown.
  ///
  ///     try TypeEncoding(parsing: "{S=cq}").memberLayouts()?.map(\.byteOffset)   // [0, 8]
  ///
  /// - Parameter target: the target whose sizes are used.
  /// - Returns: the layouts in the order of the members.
  public func memberLayouts(for target: TargetABI = .lp64) -> [MemberLayout]? {
    switch self {
    case .structure(_, let fields?):
      let record = RecordLayout(fields, isUnion: false, target: target, depth: 1)
      return record.layout.map { _ in record.members }
    case .union(_, let fields?):
      let record = RecordLayout(fields, isUnion: true, target: target, depth: 1)
      return record.layout.map { _ in record.members }
    case .qualified(let qualifier, let type) where qualifier != .atomic && qualifier != .complex:
      return type.memberLayouts(for: target)
    default: return nil
    }
  }
}

/// The layout of a structure or union by the default rules of C, computed member by member.
struct RecordLayout {
  private(set) var members: [MemberLayout] = []
  private let isUnion: Bool
  private let target: TargetABI
  /// The end of the last member so far, in bits.
  private var end: UInt64 = 0
  private var alignment: UInt64 = 1
  private var isExact: Bool
  private var isKnown = true

  init(_ fields: [TypeEncoding.Field], isUnion: Bool, target: TargetABI, depth: Int) {
    self.isUnion = isUnion
    self.target = target
    isExact = !fields.isEmpty
    members.reserveCapacity(fields.count)
    for field in fields {
      guard append(field, depth: depth) else {
        isKnown = false
        return
      }
    }
  }

  /// The layout of the whole record. Nil if the layout of a member is unknown.
  var layout: TypeLayout? {
    guard isKnown, let size = (end / 8).plus(end % 8 == 0 ? 0 : 1)?.roundedUp(toMultipleOf: alignment) else {
      return nil
    }
    return TypeLayout(size: size, alignment: alignment, isExact: isExact)
  }

  /// Adds a member. Returns whether its layout is known.
  private mutating func append(_ field: TypeEncoding.Field, depth: Int) -> Bool {
    if case .bitField(let width, let gnu) = field.type { return append(field, width: width, gnu) }
    guard let layout = field.type.layout(for: target, depth: depth), let bitCount = layout.size.times(8),
      let alignmentInBits = layout.alignment.times(8),
      let start = isUnion ? 0 : end.roundedUp(toMultipleOf: alignmentInBits),
      let newEnd = start.plus(bitCount)
    else { return false }
    members.append(MemberLayout(field: field, bitOffset: start, bitCount: bitCount))
    alignment = max(alignment, layout.alignment)
    isExact = isExact && layout.isExact
    end = max(end, newEnd)
    return true
  }

  /// Adds a bit-field. A bit-field does not cross a multiple of the size of its declared type. Only GNU's
  /// encoding contains the declared type.
  private mutating func append(
    _ field: TypeEncoding.Field, width: UInt64, _ gnu: TypeEncoding.GNUBitField?
  ) -> Bool {
    guard let unit = Self.unit(ofWidth: width, gnu, target), let unitBits = unit.size.times(8),
      let alignmentInBits = unit.alignment.times(8)
    else { return false }
    var start = isUnion ? 0 : end
    if width == 0 || !fits(width, at: start, unitBits) {
      guard let next = start.roundedUp(toMultipleOf: alignmentInBits) else { return false }
      start = next
    }
    if let gnu, !isUnion, gnu.bitOffset != start {
      // The record is packed, or the offset counts from a base class. An offset before `end` means a base
      // class.
      isExact = false
      if gnu.bitOffset >= end { start = gnu.bitOffset }
    }
    guard let newEnd = start.plus(width) else { return false }
    members.append(MemberLayout(field: field, bitOffset: start, bitCount: width))
    // An unnamed bit-field does not raise the alignment. Without names, an unnamed bit-field is not
    // recognized.
    if width > 0, field.name != "" { alignment = max(alignment, unit.alignment) }
    if gnu == nil || field.name == nil { isExact = false }
    end = max(end, newEnd)
    return true
  }

  private func fits(_ width: UInt64, at start: UInt64, _ unitBits: UInt64) -> Bool {
    start % unitBits <= unitBits - min(width, unitBits)
  }

  /// Returns the layout of a bit-field's declared type. Apple's encoding omits the type, which is usually
  /// `int`.
  static func unit(
    ofWidth width: UInt64, _ gnu: TypeEncoding.GNUBitField?, _ target: TargetABI
  ) -> TypeLayout? {
    let type = gnu?.type ?? (width > 64 ? .int128 : width > 32 ? .longLong : .int)
    return type.layout(for: target)
  }
}
