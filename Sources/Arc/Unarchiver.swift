#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Rebuilds object graphs from archives.
///
///     let person = try Unarchiver().read(Person.self, from: url)
///
/// The graph is handed out when it is complete; if anything is wrong, nothing of it is left.
public struct Unarchiver: Sendable {
  /// The classes that may be built besides those that the root's declared types reach.
  public let classes: ClassTable
  /// What a file may cost.
  public let limits: Limits

  /// Creates an unarchiver.
  public init(classes: ClassTable = .shared, limits: Limits = .default) {
    self.classes = classes
    self.limits = limits
  }

  /// A root by name and type.
  public struct Root<Value: ArchivableValue> {
    let name: String
    /// Names a root and says its type.
    public init(_ name: String, _ type: Value.Type) { self.name = name }
  }

  /// The single root of an archive.
  ///
  /// O(objects + bytes), in constant stack. Throws `ArchiveError`, or what an `init(from:)`, `link(from:)` or
  /// `didUnarchive()` throws.
  public func unarchive<Value: ArchivableValue>(_ type: Value.Type, from bytes: [UInt8]) throws
    -> sending Value
  {
    nonisolated(unsafe) let root: Value = try unsafe bytes.withUnsafeBytes {
      unsafe try self.root(type, from: $0)
    }
    return unsafe root
  }

  /// Roots of an archive by their names; objects that they share are shared.
  public func unarchive<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from bytes: [UInt8]
  ) throws -> sending (repeat each Value) {
    nonisolated(unsafe) let values: (repeat each Value) = try unsafe bytes.withUnsafeBytes {
      unsafe try self.roots(repeat each roots, from: $0)
    }
    return unsafe values
  }

  private func root<Value: ArchivableValue>(
    _ type: Value.Type, from bytes: UnsafeRawBufferPointer
  ) throws -> Value {
    try unsafe rebuild(from: bytes) { known in
      known.count == 1 && known[0].type == type && known[0].name.hasSameBytes(as: Archiver.rootName)
    } roots: {
      [(Archiver.rootName, type)]
    } read: {
      try Value.__read(from: $0.column(0))
    }
  }

  private func roots<each Value: ArchivableValue>(
    _ roots: repeat Root<each Value>, from bytes: UnsafeRawBufferPointer
  ) throws -> (repeat each Value) {
    var wanted: [DecoderTables.Root] = []
    repeat wanted.append(((each roots).name, (each Value).self))
    return try unsafe rebuild(from: bytes) { known in
      known.count == wanted.count
        && known.indices.allSatisfy {
          known[$0].type == wanted[$0].type && known[$0].name.hasSameBytes(as: wanted[$0].name)
        }
    } roots: {
      wanted
    } read: { columns in
      var position = 0
      return (repeat try read((each Value).self, from: columns, &position))
    }
  }

  private func read<Value: ArchivableValue>(
    _ type: Value.Type, from columns: ColumnReaderSet, _ position: inout Int
  ) throws -> Value {
    position += 1
    return try Value.__read(from: columns.column(position - 1))
  }

  /// Rebuilds a graph; `read` gets the columns of the roots when it is complete.
  ///
  /// The bytes stay in place while the graph is built, so they need no copy. Nobody else has seen what was built.
  private func rebuild<Result>(
    from bytes: UnsafeRawBufferPointer, areRoots: ([DecoderTables.Root]) -> Bool,
    roots: () -> [DecoderTables.Root], read: (ColumnReaderSet) throws -> Result
  ) throws -> Result {
    let decoder = try unsafe DecoderPool.open(bytes, classes, limits, areRoots: areRoots, roots: roots)
    let (file, wish) = (decoder.file, decoder.tables.wish)
    do {
      // Objects that only other roots hold are let go of again.
      let logsReferences = wish.roots.count < file.classes[0].columns.count
      let roots = try decoder.rebuild(logsReferences: logsReferences, read)
      DecoderPool.put(decoder)
      return roots
    } catch is GraphDecoder.UnclearHolding {
      return try GraphDecoder(file, DecoderTables(file.tables, wish)).rebuild(logsReferences: true, read)
    }
  }

  /// The single root of a file, which is read into memory once. Throws `ArchiveError` with code `fileSystem` if it cannot
  /// be read, and `limitExceeded` before more than `limits.fileBytes` are.
  public func read<Value: ArchivableValue>(_ type: Value.Type, from url: URL) throws -> sending Value {
    let file = try contents(of: url)
    nonisolated(unsafe) let root: Value = try unsafe self.root(type, from: file.bytes)
    return unsafe root
  }

  /// Roots of a file by their names.
  public func read<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from url: URL
  ) throws -> sending (repeat each Value) {
    let file = try contents(of: url)
    nonisolated(unsafe) let values = try unsafe self.roots(repeat each roots, from: file.bytes)
    return unsafe values
  }

  /// Into memory: a mapped file that somebody cuts would end the process.
  private func contents(of url: URL) throws(ArchiveError) -> ByteStore {
    try ByteStore(path: url.localPath(), isMapped: false, byteLimit: limits.fileBytes)
  }
}
