import ArcFormat
import ArgumentParser

/// `arcdump verify FILE`: reads everything that there is; of a folder, all archives of the data set.
///
/// JSON: `{"ok":true,"objects":3,…}`; of a folder with `shards` in place of classes and segments.
struct VerifyCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read and check everything; exit with 65 if anything is wrong.",
    discussion: """
      FILE may be the folder of a data set: then each of its archives is checked, that it is the one that the \
      manifest '_arc/manifest.arc' describes, and that all links lead to objects of their classes.
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
