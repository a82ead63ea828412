#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads the digits of decimals from their memory, because `description` takes ten times as long.
///
/// Invariant: a `Decimal` has 20 bytes: the exponent in 8 bits, a byte with the number of mantissa words and
/// the sign, two unused bytes, and 8 words of 16 bits with the mantissa, the lowest word first. Apple
/// documents these parts for `NSDecimal`. `Layout` contains the differences between Apple's library and
/// swift-foundation.
package enum DecimalMemory {
  /// Returns the digits of a decimal as an integer, the power of ten by which the integer is multiplied, and
  /// the sign. Nil if the value is NaN, if the digits do not fit into 64 bits, or if the layout is unknown.
  package static func digits(of value: Decimal) -> (digits: UInt64, exponent: Int, isNegative: Bool)? {
    layout.flatMap { read(value, $0) }
  }

  /// The positions of the parts in the byte after the exponent.
  private struct Layout {
    /// The position of the first of the four bits that contain the number of words.
    let lengthShift: UInt8
    /// The bit of the sign.
    let signBit: UInt8
  }

  /// The layout with which all specimens are read correctly. Nil if there is no such layout.
  private static let layout: Layout? = {
    guard RuntimeLayout.isTrusted, MemoryLayout<Decimal>.size == 20 else { return nil }
    let specimens: [(Decimal, UInt64, Int, Bool)] = [
      (Decimal(0), 0, 0, false), (Decimal(sign: .plus, exponent: -2, significand: 125), 125, -2, false),
      (Decimal(sign: .minus, exponent: 3, significand: 7), 7, 3, true),
      (Decimal(sign: .plus, exponent: -1, significand: Decimal(UInt64.max)), .max, -1, false),
    ]
    let layouts = [Layout(lengthShift: 4, signBit: 1 << 3), Layout(lengthShift: 0, signBit: 1 << 4)]
    return layouts.first { layout in
      specimens.allSatisfy { value, digits, exponent, isNegative in
        guard let result = read(value, layout) else { return false }
        return result == (digits, exponent, isNegative)
      } && read(.nan, layout) == nil && read(Decimal(UInt64.max) * 100_003, layout) == nil
    }
  }()

  private static func read(
    _ value: Decimal, _ layout: Layout
  ) -> (digits: UInt64, exponent: Int, isNegative: Bool)? {
    unsafe withUnsafeBytes(of: value) { bytes in
      let exponent = unsafe Int(bytes.load(as: Int8.self))
      let flags = unsafe bytes[1]
      let (length, isNegative) = (flags >> layout.lengthShift & 0xF, flags & layout.signBit != 0)
      let low = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
      let high = unsafe bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)
      // NaN has no words and a sign. A decimal whose bits a program set can have more words than its length.
      guard high == 0, length <= 4, low >> (16 * UInt64(length)) == 0, length > 0 || !isNegative else {
        return nil
      }
      return (low, exponent, isNegative)
    }
  }
}
