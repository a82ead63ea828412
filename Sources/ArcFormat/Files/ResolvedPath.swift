#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// The path of an existing file, without symbolic links.
package struct ResolvedPath: CustomStringConvertible {
  private let bytes: [UInt8]

  /// Follows the symbolic links in a path.
  ///
  /// - Throws: `fileSystem` if nothing exists at the path.
  package init(_ path: String) throws(ArchiveError) {
    // The system would ignore the part of the path after a NUL.
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL).attempting(to: "find", path) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe realpath(path, &buffer) != nil else {
      throw SystemError(number: errno).attempting(to: "find", path)
    }
    bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  /// The path as a string. Bytes that are not valid UTF-8 are replaced.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the path is inside a folder, directly or in one of its subfolders.
  package func isInside(_ folder: ResolvedPath) -> Bool {
    let slash = UInt8(ascii: "/")
    // Compares bytes and whole names: `set-else` is not inside `set`. Only the path of the root directory
    // ends with a slash.
    let start = folder.bytes.last == slash ? folder.bytes : folder.bytes + [slash]
    return bytes.count > start.count && bytes.starts(with: start)
  }
}
