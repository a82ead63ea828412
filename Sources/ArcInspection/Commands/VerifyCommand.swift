import ArcFormat
import ArgumentParser

/// `arcdump verify FILE`: reads everything that there is.
struct VerifyCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read and check everything; exit with 65 if anything is wrong.")

  @OptionGroup var options: InspectionOptions

  func write(_ file: ArchiveFile, to page: Page) throws {
    try file.verify()
    try page.line(
      "ok: \(counted(file.rowCount - 1, "object")), \(counted(file.classes.count - 1, "class", "classes")), "
        + "\(counted(file.segments.count, "segment")), \(counted(file.byteCount, "byte"))")
  }

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    try file.verify()
    try json.member("ok") { try json.bool(true) }
    try json.member("objects", file.rowCount - 1)
    try json.member("classes", file.classes.count - 1)
    try json.member("segments", file.segments.count)
    try json.member("bytes", file.byteCount)
  }
}
