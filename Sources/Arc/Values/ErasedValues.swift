public import ArcFormat
import ArcRuntime

// Values whose types contain `Any`, such as `[Any]`, `[String: Any]`, `Any?` and nested combinations.
// `JSONSerialization` and `userInfo` dictionaries have such values. Each part of type `Any` is archived as a
// value of type `Any`.

extension __Existential: ErasedForm where Interface == Any {
  package init(erased: Any) { self.init(erased) }
  package var restored: Any { value }
}

extension Array: ErasedForm where Element: ErasedForm {
  package init(erased: [Element.Erased]) { self = erased.map { Element(erased: $0) } }
  package var restored: [Element.Erased] { map { $0.restored } }
}

extension Optional: ErasedForm where Wrapped: ErasedForm {
  package init(erased: Wrapped.Erased?) { self = erased.map { Wrapped(erased: $0) } }
  package var restored: Wrapped.Erased? { map { $0.restored } }
}

extension Dictionary: ErasedForm where Key: ArchivableValue, Value: ErasedForm {
  package init(erased: [Key: Value.Erased]) { self = erased.mapValues { Value(erased: $0) } }
  package var restored: [Key: Value.Erased] { mapValues { $0.restored } }
}

/// Converts values whose types contain `Any` to their archived forms.
enum ErasedForms {
  /// Returns the archived form of a value. Nil if the type of the value does not contain `Any`.
  static func form(of value: Any) -> (any ArchivableValue)? {
    if Swift.type(of: value) is AnyClass { return (value as? any ErasedObject)?.erasedForm }
    return (value as? any ErasedCollection)?.form
  }

  fileprivate static func make<Form: ErasedForm>(
    _ type: Form.Type, of value: some ErasedCollection
  ) -> (any ArchivableValue)? { (value as? Form.Erased).map { Form(erased: $0) } }

  /// Returns the type of the archived form for values of a type. Nil if the type does not contain `Any`, or
  /// if a part of the type is not archivable.
  static func type(for type: Any.Type) -> (any ErasedForm.Type)? {
    if type == Any.self { return __Existential<Any>.self }
    return (type as? any ErasedCollection.Type)?.erasedForm
  }

  fileprivate static func array<Element: ErasedForm>(of type: Element.Type) -> any ErasedForm.Type {
    [Element].self
  }

  fileprivate static func optional<Wrapped: ErasedForm>(of type: Wrapped.Type) -> any ErasedForm.Type {
    Wrapped?.self
  }

  fileprivate static func dictionary<Key: Hashable & ArchivableValue, Value: ErasedForm>(
    of key: Key.Type, to value: Value.Type
  ) -> any ErasedForm.Type { [Key: Value].self }
}

/// A collection or optional, whose element types may be or contain `Any`.
private protocol ErasedCollection {
  /// The type of the archived form for values of the type. Nil if the type does not contain `Any`, or if a
  /// part of the type is not archivable.
  static var erasedForm: (any ErasedForm.Type)? { get }
}

extension ErasedCollection {
  /// The archived form of the value. The value is converted with its static type. If it were cast from `Any`,
  /// optionals in it would be nested one level deeper.
  fileprivate var form: (any ArchivableValue)? { Self.erasedForm.flatMap { ErasedForms.make($0, of: self) } }
}

extension Array: ErasedCollection {
  fileprivate static var erasedForm: (any ErasedForm.Type)? {
    ErasedForms.type(for: Element.self).map { ErasedForms.array(of: $0) }
  }
}

extension Optional: ErasedCollection {
  fileprivate static var erasedForm: (any ErasedForm.Type)? {
    ErasedForms.type(for: Wrapped.self).map { ErasedForms.optional(of: $0) }
  }
}

extension Dictionary: ErasedCollection {
  fileprivate static var erasedForm: (any ErasedForm.Type)? {
    guard let key = Key.self as? any (Hashable & ArchivableValue).Type,
      let value = ErasedForms.type(for: Value.self)
    else { return nil }
    return ErasedForms.dictionary(of: key, to: value)
  }
}

/// A key of any type. It is archived as a value of type `Any`, according to its type at run time.
extension AnyHashable: __ArchivableByExactConversion {
  /// The traits: `reference`, because each value is archived as a reference to an object.
  public static var __traits: __ValueTraits { .reference }
  /// The archived form: a reference to an object, or to a box that contains the value.
  public var archivedForm: __Existential<Any> { __Existential(base) }
  /// Creates a key from a value of any `Hashable` type.
  ///
  /// - Throws: `ArchiveError` with code `wrongClass` if the type of the value is not `Hashable`.
  public init(archivedForm: __Existential<Any>) throws {
    guard let hashable = archivedForm.value as? any Hashable else {
      throw ArchiveError(
        .wrongClass, found: "a value of type '\(type(of: archivedForm.value))'",
        expected: "a value of a 'Hashable' type", remedy: "make the type conform to 'Hashable'")
    }
    self.init(hashable)
  }
}
