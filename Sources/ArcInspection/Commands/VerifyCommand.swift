import ArcArchive
import ArgumentParser

/// `arcdump verify FILE`: reads and checks a whole archive, or all archives of a data set.
///
/// JSON: `{"ok":true,"objects":3,…}`. For a folder, `shards` replaces `classes` and `segments`.
struct VerifyCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read and check a whole archive or data set.",
    discussion: """
      A data set is a folder of archives (shards). If FILE is such a folder, verify checks each archive, \
      compares it with the manifest '_arc/manifest.arc', and checks that every link refers to an object of \
      the right class. A chunk directory is an index in a file. If only the directory is wrong, verify \
      reports the error; the other commands show the file with a warning.

      Exit codes:
        0   nothing is wrong
        65  the file is damaged or not an archive; the message names the error
      Other codes: see 'arcdump help'.
      """)

  @OptionGroup var options: InspectionOptions

  func read(with console: Console) throws -> VerifiedInput {
    guard DataSetFolder.isFolder(options.file) else {
      let file = try openFile(with: console)
      file.wrongDirectoryHandler = nil
      return .archive(file)
    }
    return .dataSet(try DataSetFolder(path: options.file, limits: options.limits))
  }

  func status(of input: VerifiedInput) -> ExitStatus { .ok }

  func fill(_ report: inout Report, from input: VerifiedInput) throws {
    switch input {
    case .archive(let file):
      try file.verify()
      let (objectCount, classCount) = (file.rowCount - 1, file.classes.count - 1)
      report.line(
        "ok: \(counted(objectCount, "object")), \(counted(classCount, "class", "classes")), "
          + "\(counted(file.segments.count, "segment")), \(counted(file.byteCount, "byte"))")
      report.members([
        "ok": true, "objects": objectCount, "classes": classCount, "segments": file.segments.count,
        "bytes": file.byteCount,
      ])
    case .dataSet(let folder):
      try folder.verify()
      let shardCount = folder.manifest.shards.count
      report.line(
        "ok: \(counted(shardCount, "shard")), \(counted(folder.objectCount, "object")), "
          + "\(counted(folder.byteCount, "byte"))")
      report.members([
        "ok": true, "shards": shardCount, "objects": folder.objectCount, "bytes": folder.byteCount,
      ])
    }
  }
}

/// The archive or data set to verify.
enum VerifiedInput {
  /// An archive.
  case archive(ArchiveFile)
  /// The archives of a data set.
  case dataSet(DataSetFolder)
}
