#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new folder for an export that is not complete: it is next to the output, and its name ends in
/// `.partial`.
///
/// A marker in the folder says that an export makes it. The marker is locked as long as the process lives, so
/// that the next export of the same name removes what a killed one left, and nothing else.
final class PartialFolder {
  private static let markerName = ".arcdump-export"

  private let path: String
  private let marker: Int32
  private var isDone = false

  /// Makes the folder for an output.
  ///
  /// - Throws: that something else has its name, another export that goes on for example.
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
    // Where there are no locks, nobody takes the folder for debris.
    _ = flock(marker, LOCK_EX | LOCK_NB)
    (self.path, self.marker) = (path, marker)
  }

  /// The path of a file in the folder.
  func path(of name: String) -> String { path + "/" + name }

  /// Gives the folder its name.
  func commit(as output: String) throws(OutputFailure) {
    unsafe unlink(path(of: Self.markerName))
    try rename(path, to: output)
    isDone = true
  }

  /// Gives a file in the folder its name outside of it, and removes the folder.
  func commit(_ name: String, as output: String) throws(OutputFailure) {
    try rename(path(of: name), to: output)
  }

  private func rename(_ path: String, to output: String) throws(OutputFailure) {
    guard Self.move(path, output) == 0 else {
      throw OutputFailure(number: errno, doing: "rename '\(path)' to '\(output)'")
    }
  }

  /// `rename` of the system.
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

  /// Removes a folder that a killed export left: its marker is there, and no process has locked it. Returns
  /// whether it is gone.
  private static func removeDebris(_ path: String) -> Bool {
    let marker = unsafe open(path + "/" + markerName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard marker >= 0 else { return false }
    defer { close(marker) }
    return flock(marker, LOCK_EX | LOCK_NB) == 0 && remove(path)
  }

  /// Removes a folder with nothing but files in it; returns whether it is gone. The marker is removed last,
  /// so that what is left of a removal can be removed.
  private static func remove(_ path: String) -> Bool {
    guard let names = namesOfFiles(in: path) else { return false }
    for name in names where name != markerName { unsafe unlink(path + "/" + name) }
    unsafe unlink(path + "/" + markerName)
    return unsafe rmdir(path) == 0
  }

  /// The names of the files in a folder; nil if something else is in it, such as a link.
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
