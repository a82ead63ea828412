import ArcFormat
import ArcRuntime

/// A class whose objects Arc can archive, each with its identity. `@Archivable` writes the conformance.
///
/// Written by hand, as with `NSCoding`: one key per call, in any order, not necessarily the same keys for
/// each object.
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
/// `init(from:)` reads what the object cannot exist without; other objects need not exist yet, except those
/// that were encoded `during: .construction`. `link(from:)` reads references, when all objects exist.
public protocol Archivable: AnyObject, ArchivableValue {
  /// The name, superclass and properties of the class. Declare it `class var` if subclasses have
  /// `@Archivable`.
  static var archiveSchema: ClassSchema { get }
  /// Creates an object from what was encoded.
  ///
  /// - Throws: errors of the decoder, or your own: reading then fails, and nothing of the graph is left.
  init(from decoder: borrowing ObjectDecoder) throws
  /// Encodes the object. May be called more than once for one archive, and must then do the same.
  ///
  /// - Throws: errors of the encoder, or your own: archiving then fails.
  func encode(to encoder: borrowing ObjectEncoder) throws
  /// Sets references to other objects, all of which exist by now.
  ///
  /// - Throws: errors of the decoder, or your own: reading then fails, and nothing of the graph is left.
  func link(from decoder: borrowing ObjectDecoder) throws
}

extension Archivable {
  /// The schema of a class coded by hand: its own name, and no properties, since the class chooses its keys
  /// itself.
  public static var archiveSchema: ClassSchema {
    ClassSchema(Self.self, name: ArchiveName(of: Self.self), isolation: nil)
  }
}

extension Archivable {
  /// The coded name that the schema gives.
  public static var __archiveName: ArchiveName { archiveSchema.codedName }
  /// The encoding of a reference, `@"Name"`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    context.reference(to: Self.self)
  }
  /// Says that values are references.
  @inlinable public static var __traits: __ValueTraits { .reference }
  /// Reads a reference.
  ///
  /// - Throws: `ArchiveError` with code `nilReference` for nil, and `wrongClass` for an object of another
  ///   class. Spec: 05-graph, rule G5.
  @inlinable @inline(__always)
  public static func __read(from column: ColumnReader) throws -> Self {
    guard let object = try column.object(as: Self.self) else { throw __nilReference(column) }
    return object
  }
  /// The error for nil where the program declares a reference non-optional. Spec: 05-graph, rule G5.
  @usableFromInline @inline(never)
  static func __nilReference(_ column: ColumnReader) -> ArchiveError {
    column.error(
      .nilReference, found: "nil", expected: "an object of class '\(archiveSchema.name)'",
      remedy: "declare the property optional to accept the file")
  }
  /// Appends the references that an array holds.
  public static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws {
    unsafe try elements.withMemoryRebound(to: UInt.self) { unsafe try column.append(references: $0.span) }
  }
  /// Appends a reference; an object that has no row yet is assigned one.
  @inlinable @inline(__always)
  public func __write(to column: ColumnWriter) throws { try column.append(reference: self) }
}
