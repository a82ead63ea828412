#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A temporary folder for an export that is not complete. It is next to the output, and its name ends in
/// `.partial`.
///
/// The folder contains a marker file, which the process locks until the process ends. If the process is
/// killed, the folder remains with an unlocked marker. The next export with the same name removes a folder
/// with an unlocked marker, but no other folder.
final class PartialFolder {
  private static let markerName = ".arcdump-export"

  private let path: String
  private let marker: Int32
  private var isDone = false

  /// Creates the folder for an output path.
  ///
  /// - Throws: `OutputFailure` if the folder's name is in use, for example by another running export.
  init(for output: String) throws(OutputFailure) {
    let path = output + ".partial"
    if unsafe mkdir(path, 0o777) != 0 {
      let number = errno
      guard number == EEXIST, Self.removeDebris(path), unsafe mkdir(path, 0o777) == 0 else {
        throw OutputFailure(number: number, doing: "create the folder '\(number == EEXIST ? path : output)'")
      }
    }
    let markerPath = path + "/" + Self.markerName
    let marker = unsafe open(markerPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard marker >= 0 else {
      let number = errno
      unsafe rmdir(path)
      throw OutputFailure(number: number, doing: "write '\(markerPath)'")
    }
    // On file systems without locks this fails, and then no other export can lock the marker and remove the
    // folder.
    _ = flock(marker, LOCK_EX | LOCK_NB)
    (self.path, self.marker) = (path, marker)
  }

  /// Returns the path of a file in the folder.
  func path(of name: String) -> String { path + "/" + name }

  /// Removes the marker and renames the folder to the output path.
  func commit(as output: String) throws(OutputFailure) {
    unsafe unlink(path(of: Self.markerName))
    try rename(path, to: output)
    isDone = true
  }

  /// Moves a file of the folder to the output path. The folder itself is removed when this `PartialFolder`
  /// object is deinitialized.
  func commit(_ name: String, as output: String) throws(OutputFailure) {
    try rename(path(of: name), to: output)
  }

  private func rename(_ path: String, to output: String) throws(OutputFailure) {
    guard Self.move(path, output) == 0 else {
      throw OutputFailure(number: errno, doing: "rename '\(path)' to '\(output)'")
    }
  }

  /// Calls the system function `rename` and returns its result. The call needs the module name, because a
  /// method `rename` hides the system function.
  private static func move(_ path: String, _ output: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.rename(path, output)
    #elseif canImport(Musl)
      unsafe Musl.rename(path, output)
    #else
      unsafe Darwin.rename(path, output)
    #endif
  }

  deinit {
    if !isDone { _ = Self.remove(path) }
    close(marker)
  }

  // MARK: Removing

  /// Removes a folder that a killed export left. Such a folder has a marker that no process has locked.
  /// Returns whether the folder was removed.
  private static func removeDebris(_ path: String) -> Bool {
    let marker = unsafe open(path + "/" + markerName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard marker >= 0 else { return false }
    defer { close(marker) }
    return flock(marker, LOCK_EX | LOCK_NB) == 0 && remove(path)
  }

  /// Removes a folder that contains only files. Returns whether the folder was removed. The marker is removed
  /// last, so that an interrupted removal can be repeated.
  private static func remove(_ path: String) -> Bool {
    guard let names = namesOfFiles(in: path) else { return false }
    for name in names where name != markerName { unsafe unlink(path + "/" + name) }
    unsafe unlink(path + "/" + markerName)
    return unsafe rmdir(path) == 0
  }

  /// Returns the names of the files in a folder. Nil if the folder contains anything else, for example a
  /// link.
  private static func namesOfFiles(in path: String) -> [String]? {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard let folder = unsafe fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      guard unsafe lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return nil
      }
      names.append(name)
    }
    return names
  }
}
