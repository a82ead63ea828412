#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Functions that query and change the file system by path.
package enum SystemPath {
  /// Returns whether nothing exists at a path. A symbolic link exists even if its target does not.
  ///
  /// - Throws: `fileSystem` if the system cannot determine whether something exists.
  package static func isMissing(_ path: String) throws(ArchiveError) -> Bool {
    var status = stat()
    do throws(SystemError) { try systemCall { unsafe lstat(path, &status) } } catch {
      guard error.number == ENOENT else { throw error.attempting(to: "find", path) }
      return true
    }
    return false
  }

  /// Returns whether a path refers to a regular file. Symbolic links are followed.
  ///
  /// - Throws: `fileSystem` if nothing exists at the path.
  package static func isRegularFile(_ path: String) throws(ArchiveError) -> Bool {
    var status = stat()
    do throws(SystemError) { try systemCall { unsafe stat(path, &status) } } catch {
      throw error.attempting(to: "find", path)
    }
    return status.isRegularFile
  }

  /// Creates a folder. Does nothing if something exists at the path.
  ///
  /// - Throws: `fileSystem` if the system cannot create the folder.
  package static func createFolder(_ path: String) throws(ArchiveError) {
    do throws(SystemError) {
      try systemCall { unsafe mkdir(path, 0o777) }
    } catch {
      // For example, another process may have created the folder meanwhile.
      guard error.number == EEXIST else { throw error.attempting(to: "create", path) }
    }
  }
}
