import ArcFormat
import ArcMemory

/// Reads and sets a property in objects of the class that declares the property.
protocol PropertyAccess {
  var valueType: Any.Type { get }
  /// Whether the property has a setter.
  var isSettable: Bool { get }
  /// Returns the value of the property. Nil if the value is nil. Throws `wrongClass` if the object has
  /// another class.
  func value(of object: AnyObject) throws(KeyAccessError) -> Any?
  /// Whether the property contains a reference, or an optional reference, to an object of a class. Such a
  /// value takes one word in memory. Computed at each access.
  var holdsReferences: Bool { get }
  /// Returns the object to which the property refers. Nil if the reference is nil. Only valid if
  /// `holdsReferences` is true. Faster than `value(of:)`.
  func reference(of object: AnyObject) throws(KeyAccessError) -> AnyObject?
  /// Sets the value of the property. Nil sets an optional to nil.
  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError)
  /// Returns a closure that resets the property of an object. The closure sets the property to the empty
  /// value of its type, otherwise to its initial value, otherwise to its value in the object that `fresh`
  /// creates. Returns nil if none of these values is available, or if the property cannot be set.
  func reset(at location: StorageLocation?, like fresh: (() -> AnyObject?)?) -> ((AnyObject) -> Void)?
  /// Archives the value at a memory location, in its archived form. Does not call a getter.
  func write(_ object: AnyObject, at location: StorageLocation, to column: ColumnWriter) throws
  /// Reads a value in its archived form and stores it at a memory location. Does not call a setter or an
  /// observer, unless a property wrapper stores its value outside itself.
  func read(into object: AnyObject, at location: StorageLocation, from column: ColumnReader) throws
  /// Returns whether the value at a memory location is nil. Does not call a getter.
  func isNil(in object: AnyObject, at location: StorageLocation) -> Bool
  /// Stores a value at a memory location. Does not call a setter or an observer, unless a property wrapper
  /// stores its value outside itself. Returns false if the value does not have the type of the property.
  func store<Other>(_ value: Other, in object: AnyObject, at location: StorageLocation) -> Bool
  /// Saves the current value of the property in an object. Returns closures that restore the value later. Nil
  /// if the property cannot be set. `location` is nil if the value is not stored in the object.
  func saved(of object: AnyObject, at location: StorageLocation?) throws(KeyAccessError) -> SavedProperty?
}

/// A saved value of a property of an object.
struct SavedProperty {
  /// Sets the property to the saved value with the setter. Does nothing if the property already has this
  /// value.
  let set: () -> Void
  /// Sets the property to the saved value in the memory of the object, without the setter. Does nothing if
  /// the property already has this value.
  let store: () -> Void
}

/// Reads and sets a property by calling closures. The setter is nil for a `let`.
///
/// The access does not use key paths: a key path to a stored property of a class would prevent the optimizer
/// from proving that accesses to the property are exclusive. Then each access in the whole program would call
/// `swift_beginAccess`.
@safe struct ClosureAccess<Object: AnyObject, Value, Form: ArchivableValue>: PropertyAccess {
  private let getter: (Object) -> Value
  private let setter: ((Object, Value) -> Void)?
  private let initial: (() -> Value)?
  /// Converts a value to its archived form and back. Nil if the form is the value itself.
  private let form: (archived: (Value) -> Form, restored: (Form) -> Value)?
  /// The value without content, such as nil or an empty array. Nil if the type has no such value.
  private let empty: Value?

  init(
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)?, _ initial: (() -> Value)?,
    empty: Value?, form: (archived: (Value) -> Form, restored: (Form) -> Value)
  ) {
    getter = get
    setter = set
    self.initial = initial
    self.empty = empty
    self.form = form
  }

  /// Creates access to a property whose values are their own archived form.
  init(
    _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)?, _ initial: (() -> Value)?,
    empty: Value?
  ) where Form == Value {
    getter = get
    setter = set
    self.initial = initial
    self.empty = empty
    form = nil
  }

  // If `form` is nil, the form is the value itself.

  private func archived(_ value: Value) -> Form {
    if let form { return form.archived(value) }
    return unsafe unsafeBitCast(value, to: Form.self)
  }

  private func restored(_ value: Form) -> Value {
    if let form { return form.restored(value) }
    return unsafe unsafeBitCast(value, to: Value.self)
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
    // Casts bits because `as` would examine both types in each call.
    guard MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size else { return nil }
    return unsafe unsafeBitCast(value, to: AnyObject?.self)
  }

  func set(_ value: Any?, of object: AnyObject) throws(KeyAccessError) {
    guard let setter else {
      throw KeyAccessError(
        .readOnly, found: "a property declared with 'let'", expected: "a property declared with 'var'")
    }
    setter(try owner(object), try settable(value))
  }

  func reset(at location: StorageLocation?, like fresh: (() -> AnyObject?)?) -> ((AnyObject) -> Void)? {
    guard let setter, empty != nil || initial != nil || fresh != nil else { return nil }
    return { object in
      guard let owner = object as? Object else { return }
      // The value is created for each object, so that objects do not share objects in the value. `fresh` is
      // only called if there is no other value.
      guard
        let value = empty ?? initial?()
          ?? (fresh?() as? Object).map({ fresh in
            location.map { load(from: fresh, at: $0) } ?? getter(fresh)
          })
      else { return }
      guard let location else { return setter(owner, value) }
      store(value, in: owner, at: location, setter)
    }
  }

  func write(_ object: AnyObject, at location: StorageLocation, to column: ColumnWriter) throws {
    let form = archived(load(from: try owner(object), at: location))
    switch location.content {
    case .value, .withinWrapper: try form.__write(to: column)
    case .unowned: try column.append(unowned: form)
    case .weak:
      guard let target = unwrapped(form) else { return column.append(weak: nil) }
      column.append(weak: try (target as? any WeakForm)?.target(column) ?? target as AnyObject)
    }
  }

  func read(into object: AnyObject, at location: StorageLocation, from column: ColumnReader) throws {
    let (owner, value) = (try owner(object), restored(try Form.__read(from: column)))
    guard let setter else { return }
    store(value, in: owner, at: location, setter)
  }

  func isNil(in object: AnyObject, at location: StorageLocation) -> Bool {
    (object as? Object).map { unwrapped(load(from: $0, at: location)) == nil } ?? false
  }

  func store<Other>(_ value: Other, in object: AnyObject, at location: StorageLocation) -> Bool {
    guard let owner = object as? Object, let value = value as? Value, let setter else { return false }
    store(value, in: owner, at: location, setter)
    return true
  }

  func saved(of object: AnyObject, at location: StorageLocation?) throws(KeyAccessError) -> SavedProperty? {
    guard let setter else { return nil }
    let owner = try owner(object)
    let field = location?.isCertain == true ? location : nil
    let current = { field.map { load(from: owner, at: $0) } ?? getter(owner) }
    let value = current()
    // An unowned reference may refer to a released object, so the field is not read again.
    let isUnowned = field?.content == .unowned
    // The saved value retains its memory, so a changed property has other bytes.
    let isUnchanged = { !isUnowned && Self.haveSameBytes(value, current()) }
    return SavedProperty(
      set: { if !isUnchanged() { setter(owner, value) } },
      store: {
        guard let field, !isUnchanged() else { return }
        store(value, in: owner, at: field, setter)
      })
  }

  /// Reads the value at a memory location.
  private func load(from owner: Object, at location: StorageLocation) -> Value {
    // According to `StoredField`, a value of exactly this type is stored there.
    let field = unsafe ObjectField<Value>(of: owner, at: location.offset)
    field.trapIfChanging()
    switch location.content {
    case .value: return field.value
    case .weak: return field.reference(isWeak: true)
    case .unowned: return field.reference(isWeak: false)
    case .withinWrapper: return getter(owner)
    }
  }

  /// Stores a value at a memory location. Does not call the setter, unless a property wrapper stores its
  /// value outside itself.
  private func store(
    _ value: Value, in owner: Object, at location: StorageLocation, _ setter: (Object, Value) -> Void
  ) {
    let field = unsafe ObjectField<Value>(of: owner, at: location.offset)
    switch location.content {
    case .value: field.value = value
    case .weak: field.setReference(value, isWeak: true)
    case .unowned: field.setReference(value, isWeak: false)
    case .withinWrapper:
      // A wrapper may store its value outside itself and use the field for another value of the same type.
      let previous = field.value
      guard Self.haveSameBytes(previous, getter(owner)) else { return setter(owner, value) }
      field.value = value
      let seen = getter(owner)
      if Self.haveSameBytes(seen, value) || Self.isNothing(seen) && Self.isNothing(value) { return }
      field.value = previous
      setter(owner, value)
    }
  }

  private static func haveSameBytes(_ one: Value, _ other: Value) -> Bool {
    unsafe withUnsafeBytes(of: one) { one in
      unsafe withUnsafeBytes(of: other) { unsafe one.elementsEqual($0) }
    }
  }

  /// Whether a value is nil or an empty collection.
  private static func isNothing(_ value: Value) -> Bool {
    if let optional = value as? any OptionalValue { return optional.wrappedValue == nil }
    return (value as? any Collection)?.isEmpty ?? false
  }

  private func owner(_ object: AnyObject) throws(KeyAccessError) -> Object {
    guard let owner = object as? Object else {
      throw KeyAccessError(
        .wrongClass, found: "an object of class '\(type(of: object))'",
        expected: "an object of class '\(Object.self)'")
    }
    return owner
  }
}

/// An archived form that contains the target of a weak property. `target(_:)` returns the object to which the
/// archived reference refers.
protocol WeakForm {
  func target(_ column: ColumnWriter) throws -> AnyObject
}
