/// Gets and sets one property of any object of the class that declares it.
protocol PropertyAccess {
  /// The type of the property.
  var valueType: Any.Type { get }
  /// Whether the declaration lets it be set.
  var isSettable: Bool { get }
  /// The value; nil also for an optional that is nil. Throws `wrongClass` for an object of another class.
  func value(of object: AnyObject) throws(KeyAccessError) -> Any?
  /// Whether values are references to objects of a class, or such or nil: one word each. Found out each time.
  var holdsReferences: Bool { get }
  /// The object that the property refers to. Only where `holdsReferences`; faster than `value(of:)`.
  func reference(of object: AnyObject) throws(KeyAccessError) -> AnyObject?
  /// Sets the value; nil sets an optional to nil.
  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError)
  /// A closure that gives the property of an object its empty or initial value, or else the value that it has
  /// in the object that `fresh` makes; nil if there is no such value, or the property cannot be set.
  func reset(at location: StorageLocation?, like fresh: (() -> AnyObject?)?) -> ((AnyObject) -> Void)?
}

/// Access by closures; no setter for a `let`.
///
/// Not by key path: one to a stored property of a class keeps the optimizer from proving exclusive access to
/// it, so that every access in the whole program, not only through the key path, calls `swift_beginAccess`.
@safe struct ClosureAccess<Object: AnyObject, Value>: PropertyAccess {
  private let getter: (Object) -> Value
  private let setter: ((Object, Value) -> Void)?
  private let initial: (() -> Value)?
  /// The value without content, nil if there is none.
  private let empty: Value?

  init(
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)?, _ initial: (() -> Value)?,
    empty: Value?
  ) {
    getter = get
    setter = set
    self.initial = initial
    self.empty = empty
  }

  var valueType: Any.Type { Value.self }

  var isSettable: Bool { setter != nil }

  func value(of object: AnyObject) throws(KeyAccessError) -> Any? {
    unwrapped(getter(try owner(object)))
  }

  var holdsReferences: Bool {
    let type = (Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self
    return type is AnyObject.Type && MemoryLayout<Value>.size == MemoryLayout<UInt>.size
  }

  func reference(of object: AnyObject) throws(KeyAccessError) -> AnyObject? {
    let value = try getter(owner(object))
    // Not `as`, which finds out by what it is told of both types, each time.
    guard MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size else { return nil }
    return unsafe unsafeBitCast(value, to: AnyObject?.self)
  }

  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError) {
    guard let setter else {
      throw KeyAccessError(.readOnly, found: "a property declared with 'let'")
    }
    setter(try owner(object), try settable(value))
  }

  func reset(at location: StorageLocation?, like fresh: (() -> AnyObject?)?) -> ((AnyObject) -> Void)? {
    guard let setter, empty != nil || initial != nil || fresh != nil else { return nil }
    return { object in
      guard let owner = object as? Object else { return }
      // Made anew for each object, so that no two share what it may refer to, and only where nothing else
      // gives a value.
      guard let value = empty ?? initial?() ?? (fresh?() as? Object).map(getter) else { return }
      guard let location, store(value, in: owner, at: location) else { return setter(owner, value) }
    }
  }

  /// Stores a value in a property's memory, without calling its setter. False if that memory is not the
  /// property's.
  private func store(_ value: Value, in owner: Object, at location: StorageLocation) -> Bool {
    // `StoredField` says that a value of this very type is stored there.
    let storage = unsafe Unmanaged.passUnretained(owner).toOpaque().advanced(by: location.offset)
      .assumingMemoryBound(to: Value.self)
    guard location.isWithinWrapper else {
      unsafe storage.pointee = value
      return true
    }
    // A wrapper may keep its value elsewhere, and another value of the type here.
    guard unsafe Self.haveSameBytes(storage.pointee, getter(owner)) else { return false }
    unsafe storage.pointee = value
    return Self.isEmpty(getter(owner))
  }

  private static func haveSameBytes(_ one: Value, _ other: Value) -> Bool {
    unsafe withUnsafeBytes(of: one) { one in
      unsafe withUnsafeBytes(of: other) { unsafe one.elementsEqual($0) }
    }
  }

  /// Whether a value is nil, or a collection without elements. Values of other types count as empty.
  private static func isEmpty(_ value: Value) -> Bool {
    if let optional = value as? any OptionalValue { return optional.wrappedValue == nil }
    return (value as? any Collection)?.isEmpty ?? true
  }

  private func owner(_ object: AnyObject) throws(KeyAccessError) -> Object {
    guard let owner = object as? Object else {
      throw KeyAccessError(.wrongClass, found: "an object of \(type(of: object))", expected: "\(Object.self)")
    }
    return owner
  }
}

/// Where a property is stored in an object.
struct StorageLocation {
  /// Bytes from the beginning of the object.
  let offset: Int
  /// Whether it is a field of a property wrapper, which alone knows what the field is for.
  let isWithinWrapper: Bool
}
