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
    try unarchive(roots: Root(Archiver.rootName, type), from: bytes)
  }

  /// Roots of an archive by their names; objects that they share are shared.
  public func unarchive<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from bytes: [UInt8]
  ) throws -> sending (repeat each Value) {
    var wanted: [(name: String, type: any ArchivableValue.Type)] = []
    repeat wanted.append(((each roots).name, (each Value).self))
    // The bytes stay in place while the graph is built, so they need no copy.
    return try unsafe bytes.withUnsafeBytes { buffer in
      let wish = DecoderTables.Wish(wanted, classes, limits)
      let (file, tables) = try unsafe DecoderPool.open(buffer, wish)
      func rebuild(_ tables: DecoderTables, logsReferences: Bool) throws -> (repeat each Value) {
        try GraphDecoder(file, tables, logsReferences: logsReferences).rebuild(wish) { columns in
          var position = 0
          return (repeat try read((each Value).self, from: columns, &position))
        }
      }
      do {
        // Objects that only other roots hold are let go of again.
        let logsReferences = wanted.count < file.classes[0].columns.count
        let roots = try rebuild(tables, logsReferences: logsReferences)
        DecoderPool.put(tables, after: file)
        return roots
      } catch is GraphDecoder.UnclearHolding {
        return try rebuild(DecoderTables(file.tables, wish), logsReferences: true)
      }
    }
  }

  private func read<Value: ArchivableValue>(
    _ type: Value.Type, from columns: ColumnReaderSet, _ position: inout Int
  ) throws -> Value {
    position += 1
    return try Value.__read(from: columns.column(position - 1))
  }

  /// The single root of a file. Throws `ArchiveError` with code `fileSystem` if it cannot be read.
  public func read<Value: ArchivableValue>(_ type: Value.Type, from url: URL) throws -> sending Value {
    try unarchive(type, from: contents(of: url))
  }

  /// Roots of a file by their names.
  public func read<each Value: ArchivableValue>(
    roots: repeat Root<each Value>, from url: URL
  ) throws -> sending (repeat each Value) {
    try unarchive(roots: repeat each roots, from: contents(of: url))
  }

  private func contents(of url: URL) throws -> [UInt8] {
    do {
      return try Array(Data(contentsOf: url))
    } catch {
      throw ArchiveError(.fileSystem, found: "no readable file '\(url.path)': \(error)")
    }
  }
}
