/// Gets and sets one property of any object of the class that declares it.
protocol PropertyAccess {
  /// Whether the declaration lets it be set.
  var isSettable: Bool { get }
  /// The value, nil also for an optional without one. Throws `wrongClass` for an object of another class.
  func value(of object: AnyObject) throws(KeyAccessError) -> Any?
  /// Sets the value; nil sets an optional to nil.
  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError)
  /// What gives the property of an object its empty or initial value, where it is stored if `offset` says so; nil if it
  /// has neither, or cannot be set.
  func cut(at offset: Int?) -> ((AnyObject) -> Void)?
}

/// Access by closures, without a setter for a `let`.
///
/// Not by key path: one to a stored property of a class keeps the optimizer from proving exclusive access to it, so
/// that every access in the whole program, not only through the key path, calls `swift_beginAccess`.
@safe struct ClosureAccess<Object: AnyObject, Value: ArchivableValue>: PropertyAccess {
  private let getter: (Object) -> Value
  private let setter: ((Object, Value) -> Void)?
  private let initial: (() -> Value)?

  init(
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)?, _ initial: (() -> Value)?
  ) {
    getter = get
    setter = set
    self.initial = initial
  }

  var isSettable: Bool { setter != nil }

  func value(of object: AnyObject) throws(KeyAccessError) -> Any? {
    let value = try getter(owner(object))
    return (value as? any OptionalValue)?.wrappedValue ?? (Value.__isOptional ? nil : value)
  }

  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError) {
    guard let setter else {
      throw KeyAccessError(.readOnly, found: "a property declared with 'let'")
    }
    let owner = try owner(object)
    if let value {
      guard let value = value as? Value else {
        throw KeyAccessError(
          .wrongType, found: "a value of type \(type(of: value))", expected: "\(Value.self)")
      }
      setter(owner, value)
    } else {
      guard Value.__isOptional, let empty = Value.__emptyValue else {
        throw KeyAccessError(.wrongType, found: "nil", expected: "\(Value.self)")
      }
      setter(owner, empty)
    }
  }

  func cut(at offset: Int?) -> ((AnyObject) -> Void)? {
    guard let setter, let value = Value.__emptyValue ?? initial?() else { return nil }
    return { object in
      guard let owner = object as? Object else { return }
      guard let offset else { return setter(owner, value) }
      // `StoredField` says that a value of this very type is stored there.
      unsafe Unmanaged.passUnretained(owner).toOpaque().advanced(by: offset)
        .assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  private func owner(_ object: AnyObject) throws(KeyAccessError) -> Object {
    guard let owner = object as? Object else {
      throw KeyAccessError(.wrongClass, found: "an object of \(type(of: object))", expected: "\(Object.self)")
    }
    return owner
  }
}

/// An `Optional`, whatever it wraps.
private protocol OptionalValue {
  /// What it wraps, with optionals inside of it taken away too.
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? {
    switch self {
    case .none: nil
    case .some(let inner as any OptionalValue): inner.wrappedValue
    case .some(let inner): inner
    }
  }
}
