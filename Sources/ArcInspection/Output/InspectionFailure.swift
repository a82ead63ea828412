import ArcFormat

/// Why a file could not be shown: what an error means for the exit code and in words.
struct InspectionFailure {
  let status: ExitStatus
  /// The file at fault, if it is not the one that the command is about.
  let path: String?
  /// The stable name of the kind of error.
  let code: String
  let message: String
  /// What and where, if the file is at fault.
  let archiveError: ArchiveError?

  init(_ error: any Error, hasMoreTrust: Bool) {
    let failure = error as? OtherFileFailure
    let error = failure?.error ?? error
    path = failure?.path
    let snapshotError = error as? SchemaSnapshotError
    var archiveError = error as? ArchiveError
    // The name of the file stands in front of every message.
    archiveError?.filePath = nil
    self.archiveError = archiveError
    code = archiveError?.code.rawValue ?? snapshotError?.code.rawValue ?? "fileSystem"
    status = error is InputFailure ? .noInput : .dataError
    var message = archiveError.map(String.init(describing:)) ?? String(describing: error)
    if hasMoreTrust, archiveError?.code == .limitExceeded { message += " (arcdump: --trust)" }
    self.message = message
  }
}

/// An error that is not about the file that a command is about, but about another one.
struct OtherFileFailure: Error {
  let path: String
  let error: any Error
}
