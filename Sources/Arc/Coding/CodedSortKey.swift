import ArcFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bytes by which trees are ordered. Trees that differ only in the objects to which they refer have equal
/// bytes.
struct CodedSortKey {
  private(set) var bytes: [UInt8] = []
  /// Whether the trees contain references to objects. The bytes do not distinguish objects.
  private(set) var hasObjects = false

  /// The first byte of a tree. 0 ends a list, so a list precedes a longer list that begins with the same
  /// elements.
  private enum Tag: UInt8 {
    case null = 1
    case bool, integer, unsigned, wideInteger, wideUnsigned, float, double, string, date, data, uuid, url
    case decimal, object, list, fields
  }

  /// Appends a tree.
  ///
  /// - Throws: `limitExceeded` if there is not enough stack for nested trees.
  mutating func append(_ tree: CodingTree) throws {
    switch tree {
    case .null: begin(.null)
    case .bool(let value):
      begin(.bool)
      append(UInt8(value ? 1 : 0))
    case .integer(let value):
      begin(.integer)
      append(UInt64(bitPattern: value) ^ 1 << 63)
    case .unsigned(let value):
      begin(.unsigned)
      append(value)
    case .wideInteger(let value):
      begin(.wideInteger)
      append(UInt128(bitPattern: value) ^ 1 << 127)
    case .wideUnsigned(let value):
      begin(.wideUnsigned)
      append(value)
    case .float(let value):
      begin(.float)
      append(value.sign == .minus ? ~value.bitPattern : value.bitPattern ^ 1 << 31)
    case .double(let value):
      begin(.double)
      append(value)
    case .date(let value):
      begin(.date)
      append(value.timeIntervalSinceReferenceDate)
    case .string(let value): append(.string, value.utf8)
    case .data(let value): append(.data, value)
    case .uuid(let value): append(.uuid, value.uuidString.utf8)
    case .url(let value):
      append(.url, value.relativeString.utf8)
      append(.url, (value.baseURL?.absoluteString ?? "").utf8)
    case .decimal(let value): append(.decimal, "\(value)".utf8)
    case .object(let reference):
      begin(.object)
      append(UInt8(reference.object == nil ? 0 : 1))
      if reference.object != nil { hasObjects = true }
    case .list(let list):
      begin(.list)
      for element in list.elements { try appendPart(element) }
      bytes.append(0)
    case .fields(let fields):
      begin(.fields)
      for field in fields {
        append(.string, field.key.utf8)
        try appendPart(field.value)
      }
      bytes.append(0)
    }
  }

  private mutating func appendPart(_ tree: CodingTree) throws {
    try StackExtension.call { try append(tree) }
  }

  private mutating func begin(_ tag: Tag) { bytes.append(tag.rawValue) }

  /// Appends a number. Its highest byte comes first.
  private mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  private mutating func append(_ value: Double) {
    append(value.sign == .minus ? ~value.bitPattern : value.bitPattern ^ 1 << 63)
  }

  /// Appends bytes and an end mark. The end mark is less than any byte that could follow, so a prefix is
  /// ordered before a longer sequence.
  private mutating func append(_ tag: Tag, _ text: some Sequence<UInt8>) {
    begin(tag)
    for byte in text {
      bytes.append(byte)
      if byte == 0 { bytes.append(.max) }
    }
    bytes += [0, 0]
  }
}
