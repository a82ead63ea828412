extension Float {
  /// Creates the number from its bits in IEEE 754 binary16. `Float16` is not used, because some platforms do
  /// not have it.
  @usableFromInline package init(half bits: UInt16) {
    let sign: UInt32 = UInt32(bits >> 15) << 31
    let exponent = UInt32(bits >> 10 & 0x1F)
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0: self = (sign == 0 ? 1 : -1) * Float(fraction) * 0x1p-24
    case 31: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }

  /// The bits of the number in IEEE 754 binary16. Nil if binary16 cannot represent the number exactly.
  var exactHalfBits: UInt16? { isNaN || Float(half: halfBits) == self ? halfBits : nil }

  /// The bits of the nearest number in IEEE 754 binary16. If two numbers are equally near, the bits of the
  /// number whose last bit is 0.
  package var nearestHalfBits: UInt16 {
    let below = halfBits
    guard isFinite, below & 0x7C00 != 0x7C00 else { return below }
    let (above, lower) = (below + 1, (self - Float(half: below)).magnitude)
    // Above the greatest finite number, rounding treats infinity as the next number, 65536.
    let upper = above & 0x7C00 == 0x7C00 ? (65536 - magnitude) : (Float(half: above) - self).magnitude
    return upper < lower || upper == lower && below & 1 == 1 ? above : below
  }

  /// The bits of the number in IEEE 754 binary16, rounded toward zero.
  package var halfBits: UInt16 {
    let bits = bitPattern
    let sign = UInt16(truncatingIfNeeded: bits >> 16) & 0x8000
    let fraction = UInt16(truncatingIfNeeded: bits >> 13) & 0x3FF
    let exponent = Int(bits >> 23 & 0xFF) - 127
    switch exponent {
    case 128:
      // A NaN remains a NaN, even if its payload is only in the bits that are removed.
      return sign | 0x7C00 | (fraction == 0 && isNaN ? 1 : fraction)
    case 16...: return sign | 0x7C00
    case -14...15: return sign | UInt16(exponent + 15) << 10 | fraction
    case -24 ..< -14: return sign | (0x400 | fraction) >> UInt16(-14 - exponent)
    default: return sign
    }
  }
}
