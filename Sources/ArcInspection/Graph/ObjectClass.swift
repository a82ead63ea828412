import ArcArchive
import ArcFormat
import ArgumentParser

/// A class of the class table, except class 0, which is the class of the roots.
struct ObjectClass {
  /// The index in the class table.
  let index: Int
  let description: ClassDescription
  /// The number of objects of the class, without objects of subclasses. Nil if the objects were not counted.
  let rowCount: Int?
}

/// The option that determines whether a command reads a whole large file only to count its objects.
struct CountingOptions: ParsableArguments {
  @Flag(help: "Count the objects even if the file is large, by reading the whole file.")
  var count = false

  /// The number of bytes of rows from which a file is large. The objects of a smaller file are always
  /// counted.
  static let byteCountOfLargeFile = 64 << 20
}

extension ArchiveFile {
  /// Returns the classes in the order of the class table, without the class of the roots. If `options` is
  /// nil, the objects are not counted. Otherwise, they are counted if the file is small or `options` requires
  /// the count.
  func objectClasses(_ options: CountingOptions? = nil) throws -> [ObjectClass] {
    let byteCount = segments.reduce(0) { $0 + ($1.kind == .rows ? $1.rawByteCount : 0) }
    let isCounted = options.map { $0.count || byteCount < CountingOptions.byteCountOfLargeFile } ?? false
    let rowCounts = isCounted ? try rowCounts() : nil
    return classes.indices.dropFirst().map {
      ObjectClass(index: $0, description: classes[$0], rowCount: rowCounts?[$0])
    }
  }

  /// The version of the file's format, for example `1.0`.
  var versionText: String { "\(version.major).\(version.minor)" }
}
