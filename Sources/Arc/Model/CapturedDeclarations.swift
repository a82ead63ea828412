// These declarations determine the compiler's error for a property whose type is not archivable. If a
// conditional conformance fails, the compiler shows the name of the type that contains the called function.
// So these types have names that describe the solution. They are not part of the documentation. There is only
// one error per property, because the functions that archive values compile with any type
// (`UnarchivableTypes.swift`).

/// A captured declaration whose type is archivable. Each `check(_:)` that generated code calls accepts only
/// values of this protocol.
public protocol __ArchivableDeclaration {}

/// Captures the type of a property or an associated value, for the check that the type is archivable.
public struct __Declaration<Value: ~Copyable> {
  /// Captures the type of a value. The compiler infers `Value`; the value is never evaluated.
  public init(_ value: @autoclosure () -> Value) {}
}
extension __Declaration: __ArchivableDeclaration where Value: ArchivableValue {}

/// Captures the class of a weak property, for the check that the class is archivable.
public struct __WeakDeclaration<Object> {
  /// Captures the class of a weak property. The compiler infers `Object` from the property; the property is
  /// never read.
  public init(_ object: @autoclosure () -> Object?) {}
}
extension __WeakDeclaration: __ArchivableDeclaration where Object: Archivable {}

/// Captures the class of an unowned property, for the check that the class is archivable.
public struct __UnownedDeclaration<Object> {
  /// Captures the class of an unowned property. The compiler infers `Object` from the property; the property
  /// is never read.
  public init(_ object: @autoclosure () -> Object?) {}
}
extension __UnownedDeclaration: __ArchivableDeclaration where Object: Archivable {}

/// Captures the type of a property marked `@Coded`, for the check that the type is `Decodable`.
///
/// A second check requires that the type is `Encodable`, but only if the type is `Decodable`. So a type that
/// is neither `Decodable` nor `Encodable` causes only one error.
public struct __CodedDeclaration<Value: ~Copyable> {
  /// Captures the type of a property without reading the property.
  public init(_ value: @autoclosure () -> Value) {}
}
extension __CodedDeclaration: __ArchivableDeclaration where Value: Decodable {}

/// Represents a property marked `@Coded` whose type `Value` is `Decodable`, for the check that `Value` is
/// also `Encodable`.
public struct __EncodedDeclaration<Value> {}
extension __EncodedDeclaration: __ArchivableDeclaration where Value: Encodable {}

/// The name that a compile error shows for a property whose type is not archivable.
@_documentation(visibility: internal)
public struct `property (make its type '@Archivable', or mark it '@Coded' or '@Transient')` {
  /// Does nothing. A call compiles only if the type of the property is archivable.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
extension `property (make its type '@Archivable', or mark it '@Coded' or '@Transient')` {
  /// Refuses a property whose type is a function type, with a special error message. Without this overload,
  /// the compiler would report only that a function cannot conform to a protocol.
  @_disfavoredOverload
  @available(*, unavailable, message: "a function has no stored form; mark the property '@Transient'")
  public static func check<each Input, Output>(
    _ declaration: __Declaration<((repeat each Input) async throws -> Output)?>
  ) {}
  /// Refuses a property whose type is a metatype, with a special error message. Without this overload, the
  /// compiler would report only that a metatype cannot conform to a protocol.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "a metatype has no stored form; mark the property '@Transient', or archive the name of the type"
  )
  public static func check(_ declaration: __Declaration<Any.Type?>) {}
}
/// A short name for the type whose own name is part of a compile error. Generated code calls the `check(_:)`
/// of this type for each property.
public typealias __Property =
  `property (make its type '@Archivable', or mark it '@Coded' or '@Transient')`

/// The name that a compile error shows for a weak property whose class is not archivable.
@_documentation(visibility: internal)
public struct `weak property (make its class '@Archivable', or mark it '@Transient')` {
  /// Does nothing. A call with the declaration of a weak property compiles only if the class of its
  /// target is archivable.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
extension `weak property (make its class '@Archivable', or mark it '@Transient')` {
  /// Does nothing. Accepts a property without a type, so that the compiler reports only the error of the
  /// declaration itself.
  @_disfavoredOverload
  public static func check(_ declaration: __WeakDeclaration<Never>) {}
}
/// A short name for the type whose own name is part of a compile error. Generated code calls the `check(_:)`
/// of this type for each weak property.
public typealias __WeakProperty = `weak property (make its class '@Archivable', or mark it '@Transient')`

/// The name that a compile error shows for an unowned property whose class is not archivable.
@_documentation(visibility: internal)
public struct `unowned property (make its class '@Archivable', or mark it '@Transient')` {
  /// Does nothing. A call with the declaration of an unowned property compiles only if the class of
  /// its target is archivable.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
/// A short name for the type whose own name is part of a compile error. Generated code calls the `check(_:)`
/// of this type for each unowned property.
public typealias __UnownedProperty =
  `unowned property (make its class '@Archivable', or mark it '@Transient')`

/// The name that a compile error shows for a property marked `@Coded` whose type is not `Codable`.
@_documentation(visibility: internal)
public struct `property (make its type 'Codable', or mark it '@Transient' instead of '@Coded')` {
  /// Does nothing. Generated code calls this function twice: the first call compiles only if the property's
  /// type is `Decodable`, the second call only if the type is `Encodable`.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
  /// Returns the argument for the second call of `check(_:)`. The call compiles only if the `Decodable` type
  /// is also `Encodable`.
  public static func encoded<Value: Decodable>(
    _ value: @autoclosure () -> Value
  ) -> __EncodedDeclaration<Value> {
    __EncodedDeclaration()
  }
  /// Returns an argument with which the second call of `check(_:)` always compiles. Used if the first call
  /// already caused an error.
  @_disfavoredOverload
  public static func encoded<Value: ~Copyable>(
    _ value: @autoclosure () -> Value
  ) -> __EncodedDeclaration<Never> {
    __EncodedDeclaration()
  }
}
/// A short name for a type. Generated code calls the `check(_:)` of this type for each property marked
/// `@Coded`.
public typealias __CodedProperty =
  `property (make its type 'Codable', or mark it '@Transient' instead of '@Coded')`

/// The namespace of the `check` functions for conversions. Generated code calls one of them for each
/// conversion that `@Key` declares.
public enum __Conversion {
  /// Does nothing. A call compiles only if the conversion in `@Key(_:from:_:)` returns the property's type.
  public static func check<Old, Value>(
    _ type: Old.Type, _ convert: (Old) throws -> Value, like property: @autoclosure () -> Value
  ) {}
  /// Does nothing. A call compiles only if the conversion in `@Key(_:from:_:)` returns the property's type.
  public static func check<Old1, Old2, Value>(
    _ types: (Old1, Old2).Type, _ convert: (Old1, Old2) throws -> Value,
    like property: @autoclosure () -> Value
  ) {}
  /// Does nothing. A call compiles only if the conversion in `@Key(_:from:_:)` returns the property's type.
  public static func check<Old1, Old2, Old3, Value>(
    _ types: (Old1, Old2, Old3).Type, _ convert: (Old1, Old2, Old3) throws -> Value,
    like property: @autoclosure () -> Value
  ) {}
}

/// The name that a compile error shows for an associated value whose type is not archivable.
@_documentation(visibility: internal) public struct `associated value (make its type '@Archivable')` {
  /// Does nothing. A call with the declaration of an associated value compiles only if the type of this value
  /// is archivable.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
extension `associated value (make its type '@Archivable')` {
  /// Refuses an associated value whose type is a function type, with a special error message. Without this
  /// overload, the compiler would report only that a function cannot conform to a protocol.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "a function has no stored form; archive the data that it is made from"
  )
  public static func check<each Input, Output>(
    _ declaration: __Declaration<((repeat each Input) async throws -> Output)?>
  ) {}
  /// Refuses an associated value whose type is a metatype, with a special error message. Without this
  /// overload, the compiler would report only that a metatype cannot conform to a protocol.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "a metatype has no stored form; archive the name of the type"
  )
  public static func check(_ declaration: __Declaration<Any.Type?>) {}
}
/// A short name for the type whose own name is part of a compile error. Generated code calls the `check(_:)`
/// of this type for each associated value.
public typealias __AssociatedValue = `associated value (make its type '@Archivable')`
