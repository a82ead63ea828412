import ArcFormat
import ArcMemory

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
  /// Archives the value that is stored at a location, in the archived form. Calls no getter.
  func write(_ object: AnyObject, at location: StorageLocation, to column: ColumnWriter) throws
  /// Reads a value in its archived form and stores it at a location. Calls no setter and no observer, unless
  /// a property wrapper keeps its value elsewhere.
  func read(into object: AnyObject, at location: StorageLocation, from column: ColumnReader) throws
  /// Whether the value that is stored at a location is nil. Calls no getter.
  func isNil(in object: AnyObject, at location: StorageLocation) -> Bool
  /// Stores a value at a location, as `read(into:at:from:)` does. False for a value of another type.
  func store<Other>(_ value: Other, in object: AnyObject, at location: StorageLocation) -> Bool
  /// The value that an object has now, to be put back later; nil if the property cannot be set. The location
  /// is nil if the value is stored elsewhere.
  func saved(of object: AnyObject, at location: StorageLocation?) throws(KeyAccessError) -> SavedProperty?
}

/// The value that a property of an object had.
struct SavedProperty {
  /// Sets the property by its setter, unless it has the value.
  let set: () -> Void
  /// Stores the value in the property's field, without its setter, unless it has the value.
  let store: () -> Void
}

/// Access by closures; no setter for a `let`.
///
/// Not by key path: one to a stored property of a class keeps the optimizer from proving exclusive access to
/// it, so that every access in the whole program, not only through the key path, calls `swift_beginAccess`.
@safe struct ClosureAccess<Object: AnyObject, Value, Form: ArchivableValue>: PropertyAccess {
  private let getter: (Object) -> Value
  private let setter: ((Object, Value) -> Void)?
  private let initial: (() -> Value)?
  /// Makes the archived form of a value, and the value again; nil where they are the same.
  private let form: (archived: (Value) -> Form, restored: (Form) -> Value)?
  /// The value without content, nil if there is none.
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

  /// Access to a property whose values are archived as they are.
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

  // Without functions, the form is the value.

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
    // Not `as`, which finds out by what it is told of both types, each time.
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
      // Made anew for each object, so that no two share what it may refer to, and only where nothing else
      // gives a value.
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
    // An unowned reference may refer to an object that is gone, so the field is not read again.
    let isUnowned = field?.content == .unowned
    // The saved value retains its memory, so a change gives the property other bytes.
    let isUnchanged = { !isUnowned && Self.haveSameBytes(value, current()) }
    return SavedProperty(
      set: { if !isUnchanged() { setter(owner, value) } },
      store: {
        guard let field, !isUnchanged() else { return }
        store(value, in: owner, at: field, setter)
      })
  }

  /// The value that is stored at a location.
  private func load(from owner: Object, at location: StorageLocation) -> Value {
    // `StoredField` says that a value of this very type is stored there.
    let field = unsafe ObjectField<Value>(of: owner, at: location.offset)
    field.trapIfChanging()
    switch location.content {
    case .value: return field.value
    case .weak: return field.reference(isWeak: true)
    case .unowned: return field.reference(isWeak: false)
    case .withinWrapper: return getter(owner)
    }
  }

  /// Stores a value at a location, without calling the setter unless a wrapper keeps its value elsewhere.
  private func store(
    _ value: Value, in owner: Object, at location: StorageLocation, _ setter: (Object, Value) -> Void
  ) {
    let field = unsafe ObjectField<Value>(of: owner, at: location.offset)
    switch location.content {
    case .value: field.value = value
    case .weak: field.setReference(value, isWeak: true)
    case .unowned: field.setReference(value, isWeak: false)
    case .withinWrapper:
      // A wrapper may keep its value elsewhere, and another value of the type here.
      let former = field.value
      guard Self.haveSameBytes(former, getter(owner)) else { return setter(owner, value) }
      field.value = value
      let seen = getter(owner)
      if Self.haveSameBytes(seen, value) || Self.isNothing(seen) && Self.isNothing(value) { return }
      field.value = former
      setter(owner, value)
    }
  }

  private static func haveSameBytes(_ one: Value, _ other: Value) -> Bool {
    unsafe withUnsafeBytes(of: one) { one in
      unsafe withUnsafeBytes(of: other) { unsafe one.elementsEqual($0) }
    }
  }

  /// Whether a value is nil, or a collection without elements.
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

/// The archived form of what a weak property refers to, where that is not the object itself.
protocol WeakForm {
  /// The object.
  func target(_ column: ColumnWriter) throws -> AnyObject
}
