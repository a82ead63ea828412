public import Arc
import ArcFormat
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
    // The bitmap contains the basic plane, then each other plane with members, after the number of the plane.
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

  /// Inserts a range of scalars. The range is divided by Unicode planes, because Foundation on Linux omits
  /// some scalars of a range that spans several planes.
  private mutating func insert(_ numbers: ClosedRange<UInt32>) {
    for plane in numbers.lowerBound >> 16...numbers.upperBound >> 16 {
      let part = numbers.clamped(to: plane << 16...(plane << 16 | 0xFFFF))
      if let first = Unicode.Scalar(part.lowerBound), let last = Unicode.Scalar(part.upperBound) {
        insert(charactersIn: first...last)
      }
    }
  }
}

extension PersonNameComponents: __ArchivableByExactConversion {
  /// The archived form of a person's name.
  @Archivable public struct ArchivedForm {
    var namePrefix, givenName, middleName, familyName, nameSuffix, nickname: String?
    var phoneticRepresentation: PersonNameComponents?
  }
  /// The archived form: the parts of the name, all optional.
  public var archivedForm: ArchivedForm {
    ArchivedForm(
      namePrefix: namePrefix, givenName: givenName, middleName: middleName, familyName: familyName,
      nameSuffix: nameSuffix, nickname: nickname, phoneticRepresentation: phoneticRepresentation)
  }
  /// Creates a name from its parts.
  public init(archivedForm form: ArchivedForm) {
    self.init()
    (namePrefix, givenName, middleName) = (form.namePrefix, form.givenName, form.middleName)
    (familyName, nameSuffix, nickname) = (form.familyName, form.nameSuffix, form.nickname)
    phoneticRepresentation = form.phoneticRepresentation
  }
}
