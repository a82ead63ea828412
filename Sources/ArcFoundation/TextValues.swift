public import Arc
public import ArcFormat
public import Foundation

extension Notification.Name: ArchivableValue {}

extension CharacterSet: ArchivableByConversion {
  /// The archived form: ranges of Unicode scalar values, in ascending order, without adjacent ranges.
  ///
  /// The form does not use the set's bitmap, because Foundation on Linux traps when it releases a set that
  /// was created from a dense bitmap.
  public var archivedForm: [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    let bitmap = [UInt8](bitmapRepresentation)
    let planeByteCount = 8192
    // The basic plane, and then each other one with members behind its number.
    for start in stride(from: 0, through: bitmap.count - planeByteCount, by: planeByteCount + 1) {
      let plane = start == 0 ? 0 : UInt32(bitmap[start - 1]) << 16
      for index in 0..<planeByteCount where bitmap[start + index] != 0 {
        for bit in 0..<8 as Range<UInt32> where bitmap[start + index] >> bit & 1 == 1 {
          let number = plane + UInt32(index) << 3 + bit
          if let last = ranges.last, last.upperBound + 1 == number {
            ranges[ranges.count - 1] = last.lowerBound...number
          } else {
            ranges.append(number...number)
          }
        }
      }
    }
    return ranges
  }
  /// Creates a character set from its ranges.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if a bound is not a Unicode scalar value, or if a
  ///   range does not begin after the end of the previous range.
  public init(archivedForm: [ClosedRange<UInt32>]) throws {
    self.init()
    var previous: UInt32?
    for range in archivedForm {
      guard Unicode.Scalar(range.lowerBound) != nil, Unicode.Scalar(range.upperBound) != nil,
        previous.map({ range.lowerBound > $0 }) ?? true
      else {
        throw ArchiveError(
          .valueOutOfRange, found: "the range \(range) of a character set",
          expected: "separate ranges of Unicode scalar values, in ascending order")
      }
      insert(range)
      previous = range.upperBound
    }
  }

  /// Inserts scalars plane by plane: Foundation on Linux leaves some out of a range across planes.
  private mutating func insert(_ numbers: ClosedRange<UInt32>) {
    for plane in numbers.lowerBound >> 16...numbers.upperBound >> 16 {
      let part = numbers.clamped(to: plane << 16...(plane << 16 | 0xFFFF))
      if let first = Unicode.Scalar(part.lowerBound), let last = Unicode.Scalar(part.upperBound) {
        insert(charactersIn: first...last)
      }
    }
  }
}

extension PersonNameComponents: ArchivableValue {
  /// Returns the type encoding: a structure of the parts of the name, all optional.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [
        context.field("namePrefix", \Self.namePrefix), context.field("givenName", \Self.givenName),
        context.field("middleName", \Self.middleName), context.field("familyName", \Self.familyName),
        context.field("nameSuffix", \Self.nameSuffix), context.field("nickname", \Self.nickname),
        context.field("phoneticRepresentation", \Self.phoneticRepresentation),
      ]
    }
  }
  /// Reads the parts of a person's name from the column.
  public static func __read(from column: ColumnReader) throws -> PersonNameComponents {
    var name = PersonNameComponents()
    name.namePrefix = try column.value(0)
    name.givenName = try column.value(1)
    name.middleName = try column.value(2)
    name.familyName = try column.value(3)
    name.nameSuffix = try column.value(4)
    name.nickname = try column.value(5)
    name.phoneticRepresentation = try column.value(6)
    return name
  }
  /// Appends the parts of the person's name to the column.
  public func __write(to column: ColumnWriter) throws {
    let parts = [namePrefix, givenName, middleName, familyName, nameSuffix, nickname]
    for (index, part) in parts.enumerated() { try column.write(part, at: index) }
    try column.write(phoneticRepresentation, at: 6)
  }
}
