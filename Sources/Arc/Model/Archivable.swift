import ArcFormat
import ArcRuntime

/// A class whose objects Arc can archive, each with its identity. `@Archivable` writes the conformance.
///
/// A class can also have a hand-written conformance, as with `NSCoding`. Such a class encodes one value per
/// key, in any order. Different objects may use different keys.
///
///     final class Node: Archivable {
///       let label: String; var next: Node?
///       init(from decoder: borrowing ObjectDecoder) throws {
///         label = try decoder.decode(String.self, forKey: "label")
///       }
///       func encode(to encoder: borrowing ObjectEncoder) throws {
///         try encoder.encode(label, forKey: "label"); try encoder.encode(next, forKey: "next")
///       }
///       func link(from decoder: borrowing ObjectDecoder) throws {
///         next = try decoder.decode(Node?.self, forKey: "next")
///       }
///     }
///
/// `init(from:)` decodes the values that the object cannot exist without. At that time other objects may not
/// exist yet, except the objects that were encoded `during: .construction`. `link(from:)` decodes the
/// references to other objects, and is called when all objects exist.
public protocol Archivable: AnyObject, ArchivableValue {
  /// The name, superclass and properties of the class. Declare it as `class var` if subclasses have
  /// `@Archivable`.
  static var archiveSchema: ClassSchema { get }
  /// Creates an object from its encoded values.
  ///
  /// - Parameter decoder: the decoder of the object's values.
  /// - Throws: errors of the decoder, or your own. Reading then fails, and all objects of the graph are
  ///   released.
  init(from decoder: borrowing ObjectDecoder) throws
  /// Encodes the values of the object.
  ///
  /// The function may be called several times for one archive, and must then encode equal values.
  ///
  /// - Parameter encoder: the encoder for the object's values.
  /// - Throws: errors of the encoder, or your own. Archiving then fails.
  func encode(to encoder: borrowing ObjectEncoder) throws
  /// Sets the references to other objects. Called when all objects exist.
  ///
  /// - Parameter decoder: the decoder of the object's values.
  /// - Throws: errors of the decoder, or your own. Reading then fails, and all objects of the graph are
  ///   released.
  func link(from decoder: borrowing ObjectDecoder) throws
}

extension Archivable {
  /// The schema of a hand-written class: its name, without properties, because the class chooses its keys
  /// itself.
  public static var archiveSchema: ClassSchema {
    ClassSchema(Self.self, name: __ArchiveName(of: Self.self), isolation: nil)
  }
}

extension Archivable {
  /// The coded name of the class, from its schema.
  public static var __archiveName: __ArchiveName { archiveSchema.codedName }
  /// Returns the type encoding of a reference, `@"Name"`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.reference(to: Self.self)
  }
  /// The traits of a type whose values are references to objects.
  @inlinable public static var __traits: __ValueTraits { .reference }
  /// Reads a reference from a column.
  ///
  /// - Throws: `ArchiveError` with code `nilReference` for nil, and `wrongClass` for an object of another
  ///   class. Spec: 05-graph, rule G5.
  @inlinable @inline(__always)
  public static func __read(from column: ColumnReader) throws -> Self {
    guard let object = try column.object(as: Self.self) else { throw __nilReference(column) }
    return object
  }
  /// Returns the error for nil where the program declares a non-optional reference. Spec: 05-graph, rule G5.
  @usableFromInline @inline(never)
  static func __nilReference(_ column: ColumnReader) -> ArchiveError {
    column.error(
      .nilReference, found: "nil", expected: "an object of class '\(archiveSchema.name)'",
      remedy: "declare the property optional")
  }
  /// Appends references to a column, directly from the buffer of an array.
  public static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws {
    unsafe try elements.withMemoryRebound(to: UInt.self) { unsafe try column.append(references: $0.span) }
  }
  /// Writes a reference to the object to a column. If the object has no row yet, assigns a row to the object.
  @inlinable @inline(__always)
  public func __write(to column: ColumnWriter) throws { try column.append(reference: self) }
}
