/// A value that is made when it is first asked for, shared by those who measure with it, and let go with the last of
/// them.
final class Lazily<Value> {
  private let make: () throws -> Value
  private let letGo: (Value) throws -> Void
  private var made: Value?

  /// - Parameters:
  ///   - letGo: Cuts the value's cycles, or a depth that freeing cannot recurse into.
  ///   - make: Makes the value.
  init(letGo: @escaping (Value) throws -> Void = { _ in }, _ make: @escaping () throws -> Value) {
    self.make = make
    self.letGo = letGo
  }

  deinit {
    if let made { try? letGo(made) }
  }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
