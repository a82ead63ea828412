/// A class whose objects Arc can archive, with their identity. `@Archivable` writes the conformance.
///
/// By hand, in the manner of `NSCoding`: one key per call, in any order, other keys for other objects if need be.
///
///     final class Node: Archivable {
///       let label: String; var next: Node?
///       init(from decoder: borrowing ObjectDecoder) throws { label = try decoder.decode(String.self, forKey: "label") }
///       func encode(to encoder: borrowing ObjectEncoder) throws {
///         try encoder.encode(label, forKey: "label"); try encoder.encode(next, forKey: "next")
///       }
///       func link(from decoder: borrowing ObjectDecoder) throws { next = try decoder.decode(Node?.self, forKey: "next") }
///     }
///
/// `init(from:)` reads what the object cannot exist without; other objects need not exist yet, except those that
/// were encoded `during: .construction`. `link(from:)` reads references, when all objects exist.
public protocol Archivable: AnyObject, ArchivableValue {
  /// Name, superclass and properties. A class that subclasses with `@Archivable` are to extend declares it as
  /// `class var`.
  static var archiveSchema: ArchiveSchema { get }
  /// Builds an object from what was encoded.
  init(from decoder: borrowing ObjectDecoder) throws
  /// Encodes the object. May be called more than once for one archive, and must then do the same.
  func encode(to encoder: borrowing ObjectEncoder) throws
  /// Sets references to other objects, all of which exist by now.
  func link(from decoder: borrowing ObjectDecoder) throws
}

extension Archivable {
  /// The class under its own name, without properties that Arc knows: its keys are its own affair.
  public static var archiveSchema: ArchiveSchema {
    ArchiveSchema(Self.self, name: ArchiveName(of: Self.self), isolation: nil)
  }
}

/// An archivable class that wants to know when the graph around an object is complete.
public protocol ArchiveAwakening: Archivable {
  /// Called once for each object when all objects are linked and all sets and dictionaries are filled.
  func didUnarchive() throws
}

extension Archivable {
  /// That of the schema.
  public static var __archiveName: ArchiveName { archiveSchema.codedName }
  /// `@"Name"`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    context.reference(to: Self.self)
  }
  /// `@"Name"`: a reference can always be nil.
  public static func __optionalTypeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    __typeEncoding(in: context)
  }
  /// Yes.
  @inlinable public static var __holdsObjects: Bool { true }
  /// Reads a reference; throws `nilReference` for nil and `wrongClass` for an object of another class.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    guard let object = try __readOptional(from: column) else { throw __nilReference(column) }
    return object
  }
  @usableFromInline @inline(never)
  static func __nilReference(_ column: ColumnReader) -> ArchiveError {
    column.__error(
      .nilReference, found: "nil", expected: "an object of class '\(archiveSchema.name)'",
      remedy: "declare the property optional to accept the file")
  }
  /// Reads a reference or nil.
  @inlinable @inline(__always)
  public static func __readOptional(from column: ColumnReader) throws -> Self? {
    if column.__isLookAheadDue { Arc.__lookAhead(column) }
    let row = try column.__row()
    if row == 0 { return nil }
    if let object = ReferenceReader.object(row, as: Self.self, for: column) { return object }
    return try __find(row, column)
  }
  /// Appends a reference and discovers the object.
  @inlinable @inline(__always)
  public func __write(to column: ColumnWriter) throws {
    // The address is taken before anything is called: then the compiler need not keep the object alive.
    let references = unsafe ReferenceWriter.of(column)
    let row = unsafe references.pointee.directRow(at: UInt(bitPattern: ObjectIdentifier(self)))
    if row != 0, unsafe column.__takes(row: row, before: references.pointee.currentRow) {
      column.__append(row)
    } else {
      try __discover(self, column)
    }
  }
  /// Appends a reference or nil.
  @inlinable @inline(__always)
  public static func __writeOptional(_ value: Self?, to column: ColumnWriter) throws {
    if let value {
      try value.__write(to: column)
    } else if column.__takesAnyRow {
      column.__append(0 as UInt32)
    } else {
      try __discover(nil as Self?, column)
    }
  }
}

extension Archivable {
  /// Appends the reference that a property holds and discovers the object.
  @inlinable @inline(__always)
  public static func __writeStored(_ value: () -> Self, to column: ColumnWriter) throws {
    // The reference is let go of before anything asks how many there are.
    let address = UInt(bitPattern: ObjectIdentifier(value()))
    if column.__isSole(address, noting: column) {
      if !column.__appendSole(address) { try __discoverSole(value(), column) }
    } else {
      try value().__write(to: column)
    }
  }
  /// Appends the reference or nil that a property holds.
  @inlinable @inline(__always)
  public static func __writeStoredOptional(_ value: () -> Self?, to column: ColumnWriter) throws {
    let address = value().map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
    if address != 0, column.__isSole(address, noting: column) {
      if !column.__appendSole(address) { try __discoverSole(value(), column) }
    } else {
      try __writeOptional(value(), to: column)
    }
  }
  /// Appends references, of which each may be the only one to its object.
  @inlinable public static func __writeSoleElements(
    _ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter, of array: ColumnWriter
  ) throws {
    let addresses = unsafe elements.assumingMemoryBound(to: UInt.self)
    let references = unsafe ReferenceWriter.of(column)
    for index in 0..<count {
      if index & 31 == 0 {
        unsafe references.pointee.lookAtObjects(addresses + index, Swift.min(32, count &- index))
      }
      let element = unsafe elements + index * MemoryLayout<UInt>.stride
      if unsafe !column.__isSole(addresses[index], noting: array) {
        try unsafe __writeElements(element, count: 1, to: column)
      } else if unsafe !column.__appendSole(addresses[index]) {
        try unsafe element.assumingMemoryBound(to: Unmanaged<Self>.self).pointee._withUnsafeGuaranteedRef {
          try __discoverSole($0, column)
        }
      }
    }
  }
  /// Appends references and discovers the objects.
  @inlinable public static func __writeElements(
    _ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter
  ) throws {
    // As in `__write(to:)`, but an object in memory need not be retained to look at its address.
    let addresses = unsafe elements.assumingMemoryBound(to: UInt.self)
    let references = unsafe ReferenceWriter.of(column)
    for index in 0..<count {
      if index & 31 == 0 {
        unsafe references.pointee.lookAhead(addresses + index, Swift.min(32, count &- index))
      }
      let row = unsafe references.pointee.directRow(at: addresses[index])
      if row != 0, unsafe column.__takes(row: row, before: references.pointee.currentRow) {
        column.__append(row)
      } else {
        try unsafe elements.assumingMemoryBound(to: Unmanaged<Self>.self)[index]._withUnsafeGuaranteedRef {
          try __discover($0, column)
        }
      }
    }
  }
}

/// Fetches the objects that a column refers to next into the cache.
@usableFromInline @inline(never)
func __lookAhead(_ column: ColumnReader) { unsafe ReferenceReader.of(column).pointee.lookAhead(column) }

/// The object of a row, under circumstances.
@usableFromInline @inline(never)
func __find<Object: Archivable>(_ row: Int, _ column: ColumnReader) throws -> Object {
  try GraphDecoder.object(row, from: column)
}

/// Appends a reference to an object that is not numbered yet, or under circumstances.
@usableFromInline @inline(never)
func __discover(_ object: (some Archivable)?, _ column: ColumnWriter) throws {
  try GraphEncoder.write(object, to: column)
}

/// Appends the only reference to an object that cannot be numbered at once.
@usableFromInline @inline(never)
func __discoverSole(_ object: (some Archivable)?, _ column: ColumnWriter) throws {
  try GraphEncoder.write(object, isSole: true, to: column)
}

/// Appends a weak reference to an object that is not numbered yet, or under circumstances.
@usableFromInline @inline(never)
func __writeUnsettled(_ object: (some Archivable)?, _ column: ColumnWriter) {
  GraphEncoder.of(column).writeWeak(object, to: column)
}
