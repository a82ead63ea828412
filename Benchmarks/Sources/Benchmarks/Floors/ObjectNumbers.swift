/// The numbers of objects in the order of their discovery. With them, the digests of graphs that differ only
/// in links differ, too. They are slow, so only the checks of results use them, not the floors.
struct ObjectNumbers {
  private var numbers: [UInt: Int] = [:]

  /// Returns the number of an object. A new object gets the next number.
  mutating func number(of object: Reference) -> Int {
    let number = numbers[object.address] ?? numbers.count
    numbers[object.address] = number
    return number
  }
}
