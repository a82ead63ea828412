import ArcArchive
import ArgumentParser

/// `arcdump digest FILE`: prints the digest of the content of an archive.
///
/// JSON: `{"format":"arc","digest":"99aa…"}`. Spec: 16-digest.
struct DigestCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest", abstract: "Print a SHA-256 of the content of an archive.",
    discussion: """
      Two archives with the same objects in the same order have the same digest, whatever their compression, \
      segments and metadata are. Another program that follows the specification of the format prints the \
      same digest. For example:
        arcdump digest garden.arc

      digest first checks the whole file. To compare graphs that contain sets or dictionaries of objects, \
      write canonical archives.
      """)

  @OptionGroup var options: InspectionOptions

  func fill(_ report: inout Report, from file: ArchiveFile) throws {
    let digest = try file.digest()
    report.line(digest)
    report.members(["format": "arc", "digest": digest])
  }
}
