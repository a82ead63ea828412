/// Numbers of objects in the order of discovery, by which digests tell graphs apart that differ in links only. Slow:
/// for checking results, not for floors.
struct ObjectNumbers {
  private var numbers: [UInt: Int] = [:]

  /// The number of an object, the next one if it is new.
  mutating func number(of object: Reference) -> Int {
    let number = numbers[object.address] ?? numbers.count
    numbers[object.address] = number
    return number
  }
}
