/// The index of a class in small tables of recently used classes.
enum RecentClasses {
  /// The number of entries of such a table.
  static let count = 256

  /// The index for a class, computed from the address of its metadata. Metadata has some hundred bytes, so
  /// the lowest bits of its address are not sufficient to distinguish classes.
  static func index(of type: UInt) -> Int {
    Int(truncatingIfNeeded: type >> 4 ^ type >> 10) & (count - 1)
  }
}
