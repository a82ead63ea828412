import ArcFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A destination of an archive: the `URL` of a file, or an open descriptor.
///
///     try Archiver().write(document, to: url)
///     try Archiver().write(document, to: .descriptor(STDOUT_FILENO))
///
/// For a `URL`, the archive is written to a new file in the same directory. The new file then replaces the
/// file at the URL. The replacement is atomic and durable: if anything fails, the old file is unchanged.
/// Permissions are preserved, and a symbolic link is followed.
public protocol ArchiveOutput: Sendable {
  /// The file or descriptor.
  var __destination: __ArchiveDestination { get }
}

extension URL: ArchiveOutput {
  /// The destination: the file at the URL.
  public var __destination: __ArchiveDestination { .file(self) }
}

extension ArchiveOutput where Self == __ArchiveDestination {
  /// Returns an output for an open file, pipe or socket.
  ///
  ///     try Archiver().write(document, to: .descriptor(STDOUT_FILENO))
  ///
  /// Writing begins at the current position and does not seek. If the descriptor is non-blocking, the writer
  /// waits until the descriptor accepts more bytes. If a pipe has no reader, writing throws an error, and the
  /// process gets no signal. After an error, the output contains a truncated archive, which readers reject.
  public static func descriptor(_ descriptor: Int32) -> Self { .open(descriptor) }
}

/// The file or the open descriptor to which an archive is written.
public enum __ArchiveDestination: ArchiveOutput {
  /// The file at a URL. The file is replaced as a whole.
  case file(URL)
  /// An open descriptor.
  case open(Int32)

  /// The value itself, because an `__ArchiveDestination` is already a destination.
  public var __destination: __ArchiveDestination { self }

  /// Calls `body` with a function that writes bytes to the descriptor, or to a new file. A new file replaces
  /// the old file when `body` returns. If `body` throws, the old file is unchanged.
  func write(_ body: (@escaping ArchiveDestination) throws -> Void) throws {
    switch self {
    case .file(let url):
      try ArchiveError.locating(inFile: url) {
        try ArchiveError.whileWriting {
          let file = try AtomicFile(replacing: url.localPath())
          try body { bytes throws(ArchiveError) in try file.write(bytes) }
          try file.commit()
        }
      }
    case .open(let descriptor):
      let output = DescriptorOutput(descriptor)
      try ArchiveError.whileWriting { try body { bytes throws(ArchiveError) in try output.write(bytes) } }
    }
  }
}
