/// A generator of random numbers that are equal in every run: SplitMix64 (Steele, Lea, Flood 2014, figure
/// 11).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number below `bound`, which is at least 1.
  mutating func index(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns true with a probability of `percent` percent.
  mutating func chance(percent: Int) -> Bool { index(below: 100) < percent }

  /// Returns one of the elements, all with equal probability. `elements` is not empty.
  mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element
  where Elements.Index == Int {
    elements[elements.startIndex + index(below: elements.count)]
  }
}
