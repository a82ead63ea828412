import ArcForeign
import ArcFormat

/// An error that ended a command, with its exit code, its message, and its members in JSON.
struct InspectionFailure {
  let status: ExitStatus
  /// The path of the file with the error. Nil if this file is the command's first argument.
  let path: String?
  /// The stable name of the kind of error.
  let code: String
  let message: String
  /// The error in an archive. Nil if the failure is a different kind of error.
  let archiveError: ArchiveError?
  /// The error in a file to import. Nil if the failure is a different kind of error.
  let importError: ImportError?

  init(_ error: any Error, hasMoreTrust: Bool) {
    let failure = error as? OtherFileFailure
    let error = failure?.error ?? error
    path = failure?.path
    let snapshotError = error as? SchemaSnapshotError
    let inspectionError = error as? any InspectionError
    var archiveError = error as? ArchiveError
    // Each message begins with the path of the file, so the error must not repeat the path.
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
    // From a file that ends in its header, nothing can be recovered.
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
      "column": ReportValue.ifPresent(importError?.column),
      "class": ReportValue.ifPresent(archiveError?.className ?? importError?.className),
      "key": ReportValue.ifPresent(archiveError?.key ?? importError?.key),
      "object": ReportValue.ifPresent(objectID ?? importError?.objectUID), "message": message,
    ])
  }
}

/// An error in a file that is not the command's first argument, such as the second file of `diff`.
struct OtherFileFailure: Error {
  let path: String
  let error: any Error
}

/// An error that is not caused by a damaged file, such as a query for a property that no class has.
protocol InspectionError: Error {
  /// The stable name of the kind of error.
  var codeName: String { get }
  /// The exit code of a command that ends with this error.
  var status: ExitStatus { get }
}
