/// Computes the index of a class in tables that cache recently used classes.
enum RecentClasses {
  /// The number of entries in each table of recently used classes.
  static let count = 256

  /// Returns the index for a class. The index is computed from the address of the class's metadata. Two
  /// groups of bits of the address are combined: the metadata of a class takes some hundred bytes, so the
  /// lowest bits hardly distinguish classes.
  static func index(of type: UInt) -> Int {
    Int(truncatingIfNeeded: type >> 4 ^ type >> 10) & (count - 1)
  }
}
