public import ArcFormat
public import ArcRuntime

/// The wrapper that generated code uses to archive a value of a property of type `any P`.
///
/// Generated code also uses the wrapper for types `Any` and `AnyObject` in a property marked `@Boxed`. An
/// archivable object is archived as a reference, so other properties can refer to the same object. A value of
/// another archivable type is archived as a box: an object that contains the value. If the scope of the class
/// table excludes the value's type, register the type: `try classes.register(Position.self)`.
public struct __Existential<Interface>: ArchivableValue {
  /// The value.
  public let value: Interface

  /// Wraps a value for archiving. Archiving later throws if the type of the value is not archivable.
  public init(_ value: Interface) { self.value = value }

  /// The name of the type that the property declares.
  public static var __archiveName: __ArchiveName { "\(Interface.self)" }

  /// Returns the type encoding of a reference.
  ///
  /// The encoding is `@"<P>"` for an object that conforms to the protocol `P`, or `@` for any object.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.computed { context.anyReference(as: Interface.self, conformingTo: protocols) }
  }

  /// The names of the protocols, without modules and generic arguments.
  private static var protocols: [String] {
    var name = String(describing: Interface.self)
    if name == "Any" || name == "AnyObject" { return [] }
    if name.hasPrefix("any ") { name.removeFirst(4) }
    let parts = name.split(separator: "&").map { part in
      String(part.prefix { $0 != "<" }).filter { $0 != " " }
    }
    return parts.filter { $0 != "AnyObject" }
  }

  /// The traits: `reference`, and `erased` because the reference may refer to a box.
  public static var __traits: __ValueTraits { [.reference, .erased] }

  /// Reads a reference from a column. Returns the object, or the value in the box.
  ///
  /// - Throws: `ArchiveError` with code `nilReference` if the reference is nil, or `wrongClass` if the value
  ///   does not conform to the declared type of the property. Spec: 05-graph, rule G5.
  public static func __read(from column: ColumnReader) throws -> __Existential {
    guard let object = try column.object(as: AnyObject.self) else {
      throw column.error(
        .nilReference, found: "nil", expected: "a value of type '\(Interface.self)'",
        remedy: "declare the property optional")
    }
    let found: Any = (object as? any AnyValueBox)?.anyValue ?? object
    guard let value = found as? Interface else {
      throw column.error(
        .wrongClass, found: "a value of type '\(type(of: found))'",
        expected: "a value of type '\(Interface.self)'",
        remedy: "make '\(type(of: found))' conform to '\(Interface.self)'")
    }
    return __Existential(value)
  }

  /// Writes the value to a column: a reference to an object, or to the box of a value.
  ///
  /// - Throws: `ArchiveError` with code `notArchivable` if the type of the value is not archivable.
  public func __write(to column: ColumnWriter) throws {
    if let object = try object(column) { return try column.append(computedReference: object) }
    let archivable = value as? any ArchivableValue
    // A cast could unwrap an optional that is itself not archivable.
    let isItself = archivable.map { type(of: $0 as Any) == type(of: value as Any) } ?? false
    guard let value = isItself ? archivable : ErasedForms.form(of: value) ?? archivable else {
      throw notArchivable(column)
    }
    if column.isUnowned { throw notRetained(column, by: "an unowned") }
    try column.append(boxed: value)
  }

  /// Returns the value itself if it is an archivable object. Nil if the value is archived in a box. Throws
  /// `notArchivable` for an object of a class that is not archivable.
  func object(_ column: ColumnWriter) throws -> AnyObject? {
    guard type(of: value as Any) is AnyClass else { return nil }
    guard let object = value as? any Archivable else {
      // On platforms with Objective-C, Foundation's values are objects too.
      if value is any ArchivableValue || value is any ErasedObject { return nil }
      throw notArchivable(column)
    }
    return object
  }

  /// Returns the value as an archivable object for a weak reference.
  ///
  /// - Throws: `ArchiveError` with code `notArchivable` if the object is archived as a value without
  ///   identity, because no strong reference would retain the box of the value.
  func target(_ column: ColumnWriter) throws -> AnyObject {
    guard let object = try object(column) else { throw notRetained(column, by: "a weak") }
    return object
  }

  private func notRetained(_ column: ColumnWriter, by reference: String) -> ArchiveError {
    column.located(
      ArchiveError(
        .notArchivable,
        found:
          "\(reference) reference to a '\(type(of: value as Any))', which is archived as a value without identity",
        expected: "a reference to an object of an archivable class",
        remedy: "mark the class with @Archivable"))
  }

  private func notArchivable(_ column: ColumnWriter) -> ArchiveError {
    column.located(ArchiveError.notArchivable(type(of: value as Any), as: Interface.self))
  }
}

extension __Existential: WeakForm {}

extension __SlotEncoder {
  /// Encodes a weak property of type `any P`. The target is archived only if a strong reference also reaches
  /// it.
  public func encodeWeak<Interface>(
    _ value: @autoclosure () -> __Existential<Interface>?, at slot: Int
  ) throws {
    guard let column = try column(slot) else { return }
    column.append(weak: try value()?.target(column))
  }
}

extension ColumnWriter {
  /// Writes a weak field of a structure to the column with this index. The field has the type `any P`.
  public func writeWeak<Interface>(_ value: __Existential<Interface>?, at index: Int) throws {
    let column = child(index)
    column.append(weak: try value?.target(column))
  }
}
