#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Where a path leads when all symbolic links in it are followed.
package struct ResolvedPath: CustomStringConvertible {
  private let bytes: [UInt8]

  /// Follows a path to its end.
  ///
  /// - Throws: `fileSystem` for one that leads nowhere.
  package init(_ path: String) throws(ArchiveError) {
    // The system would ignore what follows a NUL.
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL).attempting(to: "find", path) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe realpath(path, &buffer) != nil else {
      throw SystemError(number: errno).attempting(to: "find", path)
    }
    bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  /// The path, with what is no UTF-8 replaced.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it is that of something in a folder, or in one of the folders in that.
  package func isInside(_ folder: ResolvedPath) -> Bool {
    let slash = UInt8(ascii: "/")
    // By bytes, whole names: `set-else` is not in `set`. Only the path of the root ends with a slash.
    let start = folder.bytes.last == slash ? folder.bytes : folder.bytes + [slash]
    return bytes.count > start.count && bytes.starts(with: start)
  }
}
