import ArcArchive
import ArcFormat
import ArgumentParser

/// A class of the class table that can have objects, which the class of the roots cannot.
struct ObjectClass {
  /// The index in the class table.
  let index: Int
  let description: ClassDescription
  /// The number of its objects, without those of subclasses; nil if they were not counted.
  let rowCount: Int?
}

/// Whether to read a whole file for a few numbers.
struct CountingOptions: ParsableArguments {
  @Flag(help: "Count the objects even if the file is large, by reading the whole file.")
  var count = false

  /// Files with fewer bytes of rows are counted anyway.
  static let byteCountOfLargeFile = 64 << 20
}

extension ArchiveFile {
  /// The classes in the order of the table, without the one of the roots; their objects are counted with
  /// options only.
  func objectClasses(_ options: CountingOptions? = nil) throws -> [ObjectClass] {
    let byteCount = segments.reduce(0) { $0 + ($1.kind == .rows ? $1.rawByteCount : 0) }
    let isCounted = options.map { $0.count || byteCount < CountingOptions.byteCountOfLargeFile } ?? false
    let rowCounts = isCounted ? try rowCounts() : nil
    return classes.indices.dropFirst().map {
      ObjectClass(index: $0, description: classes[$0], rowCount: rowCounts?[$0])
    }
  }

  /// The version of the format: `1.0`.
  var versionText: String { "\(version.major).\(version.minor)" }
}
