// What the compiler says of a property whose type is not archivable. A requirement that fails in a condition
// of a conformance is reported with the name of the type around the function that asks for it; hence these
// names, which tell what to do, and which no page of the documentation has. Each error is one only because
// the functions that archive compile with any type (`UnarchivableTypes.swift`).

/// What the declarations of an `@Archivable` type fulfil.
public protocol __ArchivableDeclaration {}

/// The type of a property or an associated value.
public struct __Declaration<Value: ~Copyable> {
  /// Tells the type of a value, which is not asked for.
  public init(_ value: @autoclosure () -> Value) {}
}
extension __Declaration: __ArchivableDeclaration where Value: ArchivableValue {}

/// The class of a weak property.
public struct __WeakDeclaration<Object> {
  /// Tells the class of a weak property, whose value is not asked for.
  public init(_ object: @autoclosure () -> Object?) {}
}
extension __WeakDeclaration: __ArchivableDeclaration where Object: Archivable {}

/// The class of an unowned property.
public struct __UnownedDeclaration<Object> {
  /// Tells the class of an unowned property, whose value is not asked for.
  public init(_ object: @autoclosure () -> Object?) {}
}
extension __UnownedDeclaration: __ArchivableDeclaration where Object: Archivable {}

/// The type of a property that is archived as what it encodes: that it can be decoded.
///
/// `Codable` is two protocols, and a type that conforms to none of them is to be one error: that it can be
/// encoded is asked in a second step, of a type that can be decoded.
public struct __CodedDeclaration<Value: ~Copyable> {
  /// Tells the type of a property, whose value is not asked for.
  public init(_ value: @autoclosure () -> Value) {}
}
extension __CodedDeclaration: __ArchivableDeclaration where Value: Decodable {}

/// The type of a property that can be decoded: that it can be encoded.
public struct __EncodedDeclaration<Value> {}
extension __EncodedDeclaration: __ArchivableDeclaration where Value: Encodable {}

/// The name that an error gives to a property whose type is not archivable.
@_documentation(visibility: internal)
public struct `property (make its type '@Archivable', or mark it '@Coded' or '@Transient')` {
  /// Compiles with a property of an archivable type.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
/// What generated code asks about a property.
public typealias __Property =
  `property (make its type '@Archivable', or mark it '@Coded' or '@Transient')`

/// The name that an error gives to a weak property whose class is not archivable.
@_documentation(visibility: internal)
public struct `weak property (make its class '@Archivable', or mark it '@Transient')` {
  /// Compiles with a weak property of an archivable class.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
/// What generated code asks about a weak property.
public typealias __WeakProperty = `weak property (make its class '@Archivable', or mark it '@Transient')`

/// The name that an error gives to an unowned property whose class is not archivable.
@_documentation(visibility: internal)
public struct `unowned property (make its class '@Archivable', or mark it '@Transient')` {
  /// Compiles with an unowned property of an archivable class.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
/// What generated code asks about an unowned property.
public typealias __UnownedProperty =
  `unowned property (make its class '@Archivable', or mark it '@Transient')`

/// The name that an error gives to a property marked `@Coded` whose type is not `Codable`.
@_documentation(visibility: internal)
public struct `property (make its type 'Codable', or mark it '@Transient' instead of '@Coded')` {
  /// Compiles with a property of a `Codable` type.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
  /// What to ask of a property that can be decoded.
  public static func encoded<Value: Decodable>(
    _ value: @autoclosure () -> Value
  ) -> __EncodedDeclaration<Value> {
    __EncodedDeclaration()
  }
  /// What to ask of a property that was reported already.
  @_disfavoredOverload
  public static func encoded<Value: ~Copyable>(
    _ value: @autoclosure () -> Value
  ) -> __EncodedDeclaration<Never> {
    __EncodedDeclaration()
  }
}
/// What generated code asks about a property marked `@Coded`.
public typealias __CodedProperty =
  `property (make its type 'Codable', or mark it '@Transient' instead of '@Coded')`

/// The name that an error gives to an associated value whose type is not archivable.
@_documentation(visibility: internal) public struct `associated value (make its type '@Archivable')` {
  /// Compiles with an associated value of an archivable type.
  public static func check(_ declaration: some __ArchivableDeclaration) {}
}
/// What generated code asks about an associated value.
public typealias __AssociatedValue = `associated value (make its type '@Archivable')`
