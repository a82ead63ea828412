import ArcFormat

/// Why a file could not be shown: what an error means for the exit code and in words.
struct InspectionFailure {
  let status: ExitStatus
  let message: String
  /// What and where, if the file is at fault.
  let archiveError: ArchiveError?

  init(_ error: any Error, hasMoreTrust: Bool) {
    var archiveError = error as? ArchiveError
    // The name of the file stands in front of every message.
    archiveError?.filePath = nil
    self.archiveError = archiveError
    status = error is InputFailure ? .noInput : .dataError
    var message = archiveError.map(String.init(describing:)) ?? String(describing: error)
    if hasMoreTrust, archiveError?.code == .limitExceeded { message += " (arcdump: --trust)" }
    self.message = message
  }
}
