/// A value that is created at its first use and shared by several contenders. It is freed with the last of
/// them.
final class Lazily<Value> {
  private let make: () throws -> Value
  private let dismantle: (Value) throws -> Void
  private var made: Value?

  /// - Parameters:
  ///   - dismantle: breaks the value's cycles, or a depth that overflows the stack when the value is freed.
  ///   - make: creates the value.
  init(dismantle: @escaping (Value) throws -> Void = { _ in }, _ make: @escaping () throws -> Value) {
    self.make = make
    self.dismantle = dismantle
  }

  deinit {
    if let made { try? dismantle(made) }
  }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
