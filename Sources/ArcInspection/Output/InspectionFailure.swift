import ArcForeign
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
  /// The same of a file of another format.
  let importError: ImportError?

  init(_ error: any Error, hasMoreTrust: Bool) {
    let failure = error as? OtherFileFailure
    let error = failure?.error ?? error
    path = failure?.path
    let snapshotError = error as? SchemaSnapshotError
    let inspectionError = error as? any InspectionError
    var archiveError = error as? ArchiveError
    // The name of the file stands in front of every message.
    archiveError?.filePath = nil
    self.archiveError = archiveError
    var importError = error as? ImportError
    importError?.filePath = nil
    self.importError = importError
    code =
      archiveError?.code.rawValue ?? snapshotError?.code.rawValue ?? importError?.code.rawValue
      ?? inspectionError?.codeName ?? "fileSystem"
    status = inspectionError?.status ?? (error is InputFailure ? .noInput : .dataError)
    var message =
      archiveError.map(String.init(describing:)) ?? importError.map(String.init(describing:))
      ?? String(describing: error)
    if hasMoreTrust, archiveError?.code == .limitExceeded || importError?.code == .limitExceeded {
      message += " (in arcdump: pass --trust)"
    }
    // A file that ends in its header has nothing left.
    if let archiveError, archiveError.code == .truncated, archiveError.byteOffset != 0 {
      message += "; recover the intact objects with arcdump recover FILE -o OUT"
    }
    self.message = message
  }
}

extension InspectionFailure: Reportable {
  var reportValue: ReportValue {
    let objectID = archiveError?.objectID.map { Int($0.rawValue) }
    return .record([
      "code": code, "file": ReportValue.ifPresent(path),
      "byteOffset": ReportValue.ifPresent(archiveError?.byteOffset ?? importError?.byteOffset),
      "line": ReportValue.ifPresent(importError?.line),
      "class": ReportValue.ifPresent(archiveError?.className ?? importError?.className),
      "key": ReportValue.ifPresent(archiveError?.key ?? importError?.key),
      "object": ReportValue.ifPresent(objectID ?? importError?.objectUID), "message": message,
    ])
  }
}

/// An error that is not about the file that a command is about, but about another one.
struct OtherFileFailure: Error {
  let path: String
  let error: any Error
}

/// An error that is not about a damaged file, such as a question that has no answer in it.
protocol InspectionError: Error {
  /// The stable name of the kind of error.
  var codeName: String { get }
  /// What the command exits with.
  var status: ExitStatus { get }
}
