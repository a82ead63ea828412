import ArcFormat
import ArcRuntime

/// Converts the parts of a value whose types differ from the types in the column that will contain the value.
/// A part is converted only if reading the converted part as its original type restores the part.
///
/// A merged value may have parts of two types: parts that the program changed have the program's type, and
/// all other parts have the archive's type.
final class SinglePartConversions {
  /// A cache of the conversions, by the two types. A value is nil if the two types cannot be read as each
  /// other.
  private var conversions: [Types: ReversibleConversion?] = [:]

  private struct Types: Hashable {
    let own: TypeEncoding
    let kind: ColumnKind
  }

  /// The type encoding of each kind of value that contains no other values.
  private static let encodings: [ColumnKind: TypeEncoding] = [
    .bool: .scalar(.bool), .int8: .scalar(.character), .int16: .scalar(.short), .int32: .scalar(.int),
    .int64: .scalar(.longLong), .uint8: .scalar(.unsignedCharacter), .uint16: .scalar(.unsignedShort),
    .uint32: .scalar(.unsignedInt), .uint64: .scalar(.unsignedLongLong), .int128: .scalar(.int128),
    .uint128: .scalar(.unsignedInt128), .float32: .scalar(.float), .float64: .scalar(.double),
    .string: .object(named: "NSString"), .uuid: .object(named: "NSUUID"), .date: .object(named: "NSDate"),
    .decimal: .object(named: "NSDecimalNumber"), .url: .object(named: "NSURL"),
  ]

  /// Returns a value converted to the kind of a node. Values nested in the value are not converted.
  ///
  /// A collection is converted to a single value, and a single value to a collection, as readers do. An array
  /// is not converted to a set, because its order would be lost.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - layout: The layout that contains the node.
  ///   - node: The index of the node.
  /// - Returns: The converted value. Nil if the value needs no conversion, or if there is no conversion.
  func converted(_ value: ArchiveValue, to layout: ColumnLayout, node: Int) -> ArchiveValue? {
    let kind = layout.nodes[node].kind
    switch (kind, value) {
    case (.array, .data(let bytes)): return .array(bytes.map { .integer(Int128($0)) })
    case (.data, .array(let elements)):
      let bytes = elements.compactMap(\.byte)
      return bytes.count == elements.count ? .some(.data(bytes)) : Optional.none
    case (.array, .array), (.array, .set), (.set, .set), (.dictionary, _): return Optional.none
    case (.array, .null), (.array, .reference(nil)): return .array([])
    case (.set, .null), (.set, .reference(nil)): return .set([])
    case (.set, .array): return Optional.none
    case (.array, _): return .array([value])
    case (.set, _): return .set([value])
    // An empty collection is read as nil in the innermost optional around a single value, and the reverse.
    case (.optional, .nestedNull(let depth)):
      let (wrapped, levels) = layout.wrappedKind(node)
      guard levels == depth else { return Optional.none }
      return wrapped == .array ? .array([]) : wrapped == .set ? .set([]) : Optional.none
    case (.optional, .array(let elements)), (.optional, .set(let elements)):
      let (wrapped, levels) = layout.wrappedKind(node)
      guard elements.isEmpty, wrapped != .array, wrapped != .set, wrapped != .data else {
        return Optional.none
      }
      return levels > 1 ? .nestedNull(depth: levels - 1) : .some(.null)
    case (.reference, .array([])), (.reference, .set([])): return .reference(nil)
    case (_, .array(let elements)), (_, .set(let elements)):
      // A nil element would be read as an empty collection.
      guard elements.count == 1, !elements[0].isNil else { return Optional.none }
      return elements[0]
    // A date can be read as a number, but a number cannot be read as a date.
    case (.date, .double(let seconds)): return .date(seconds)
    default: return convertedAlone(value, to: kind)
    }
  }

  private func convertedAlone(_ value: ArchiveValue, to kind: ColumnKind) -> ArchiveValue? {
    guard let wanted = Self.encodings[kind], let own = value.typeOfPart, own != wanted else {
      return Optional.none
    }
    let types = Types(own: own, kind: kind)
    let conversion = conversions[types] ?? ReversibleConversion(from: own, to: wanted)
    conversions[types] = .some(conversion)
    guard let converted = conversion?.converted(value), !converted.isSame(as: value) else {
      return Optional.none
    }
    return converted
  }
}

extension ColumnLayout {
  /// Returns the kind of the value inside all nested optionals, and the number of the optionals.
  fileprivate func wrappedKind(_ optional: Int) -> (kind: ColumnKind, levels: Int) {
    var (node, levels) = (optional, 0)
    while nodes[node].kind == .optional {
      node = nodes[node].children[0]
      levels += 1
    }
    return (nodes[node].kind, levels)
  }
}

extension ReversibleConversion {
  /// Creates a conversion between two types of values without nested values. Nil if one of the types cannot
  /// be read as the other.
  fileprivate convenience init?(from own: TypeEncoding, to wanted: TypeEncoding) {
    func column(_ type: TypeEncoding) -> ColumnDescription {
      ColumnDescription(
        declaringClassIndex: 0, key: "", attributes: PropertyAttributes(type: type, flags: [], ivar: nil),
        flags: [])
    }
    // A type without a layout has no conversion.
    guard let ownLayout = try? ColumnLayout(of: own), let layout = try? ColumnLayout(of: wanted) else {
      return nil
    }
    self.init(from: column(own), ownLayout, to: column(wanted), layout)
  }
}

extension ArchiveValue {
  /// The type of a number, a string or another value without nested values. Nil for other values.
  fileprivate var typeOfPart: TypeEncoding? {
    switch self {
    case .bool, .integer, .unsigned, .float, .double, .string, .date, .uuid, .decimal, .url: ownType
    default: Optional.none
    }
  }

  /// The value as an unsigned integer of 8 bits. Nil for other values.
  fileprivate var byte: UInt8? {
    if case .integer(let number) = self { UInt8(exactly: number) } else { Optional.none }
  }
}
