import ArcFormat
import ArgumentParser

/// `arcdump verify FILE`: reads everything that there is; of a folder, all archives of the data set.
///
/// JSON: `{"ok":true,"objects":3,…}`; of a folder with `shards` in place of classes and segments.
struct VerifyCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read and check a whole archive or data set.",
    discussion: """
      A data set is a folder of archives (shards). If FILE is such a folder, verify checks each archive, \
      compares it with the manifest '_arc/manifest.arc', and checks that every link refers to an object of \
      the right class.

      Exit codes:
        0   nothing is wrong
        65  the file is damaged or not an archive; the message names the error
      Other codes: see 'arcdump help'.
      """)

  @OptionGroup var options: InspectionOptions

  func read(with console: Console) throws -> VerifiedInput {
    guard DataSetFolder.isFolder(options.file) else { return .archive(try openFile(with: console)) }
    return .dataSet(try DataSetFolder(path: options.file, limits: options.limits))
  }

  func status(of input: VerifiedInput) -> ExitStatus { .ok }

  func write(_ input: VerifiedInput, to page: Page) throws {
    switch input {
    case .archive(let file):
      try file.verify()
      try page.line(
        "ok: \(counted(file.rowCount - 1, "object")), \(counted(file.classes.count - 1, "class", "classes")), "
          + "\(counted(file.segments.count, "segment")), \(counted(file.byteCount, "byte"))")
    case .dataSet(let folder):
      try folder.verify()
      try page.line(
        "ok: \(counted(folder.manifest.shards.count, "shard")), \(counted(folder.objectCount, "object")), "
          + "\(counted(folder.byteCount, "byte"))")
    }
  }

  func write(_ input: VerifiedInput, to json: JSONOutput) throws {
    switch input {
    case .archive(let file):
      try file.verify()
      try json.member("ok", bool: true)
      try json.member("objects", file.rowCount - 1)
      try json.member("classes", file.classes.count - 1)
      try json.member("segments", file.segments.count)
      try json.member("bytes", file.byteCount)
    case .dataSet(let folder):
      try folder.verify()
      try json.member("ok", bool: true)
      try json.member("shards", folder.manifest.shards.count)
      try json.member("objects", folder.objectCount)
      try json.member("bytes", folder.byteCount)
    }
  }
}

/// What is verified.
enum VerifiedInput {
  /// An archive.
  case archive(ArchiveFile)
  /// The archives of a data set.
  case dataSet(DataSetFolder)
}
