/// A generator of random numbers that are equal in each run with the same seed. SplitMix64: Steele, Lea and
/// Flood, "Fast Splittable Pseudorandom Number Generators".
public struct RepeatableRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator.
  public init(seed: UInt64) { state = seed }

  /// Returns a number of 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a number from 0 to `limit` - 1. The numbers are equal for every version of Swift.
  public mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
