import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump recover FILE -o OUT`: writes the intact objects of a damaged archive to a new archive.
///
/// JSON:
/// `{"format":"arc","objects":3,"segments":2,"intactSegments":1,"strings":0,"lost":{"objects":null,…}}`.
/// `objects` in `lost` is null if the number of lost objects is unknown.
struct RecoverCommand: ArchiveWritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Recover the intact objects of a damaged or truncated archive.",
    discussion: """
      recover writes the intact objects to a new archive and prints what was lost. For example:
        arcdump recover damaged.arc -o recovered.arc

      A reference to a lost object becomes nil, or is omitted from its collection. Objects at the end of a \
      truncated file may be incomplete: their last properties become nil or have no value. Intact objects \
      that can no longer be reached from a root are added to a root 'recovered'. If the file ends before its \
      first objects, only strings are recovered, in a root 'recoveredStrings'. A segment of a kind that \
      arcdump does not know is copied if the fourth letter of its kind is small; otherwise it is lost.

      Exit codes:
        0   everything was recovered
        1   something was lost
        65  nothing could be recovered; no archive is written
        74  the new archive or the report cannot be written
      Other codes: see 'arcdump help'.
      """)

  @Argument(help: "The damaged archive; '-' for standard input.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "The archive to create; it must not exist.")
  var output: String

  @Flag(help: "Print the result, or the error, as JSON.")
  var json = false

  @Flag(help: "Trust the file: raise the limits to gigabytes and millions of objects.")
  var trust = false

  func validate() throws { try checkIsArchivePath(output) }

  var inputPath: String { file }

  func build(with console: Console) throws -> (archive: [UInt8], report: Report, status: ExitStatus) {
    let recovery = try ArchiveRecovery(bytes: console.read(file, limits.fileBytes), limits: limits)
    guard recovery.objectCount > 0 || !recovery.losses.hasLostRoots || !recovery.strings.isEmpty else {
      throw ArchiveError(
        .damagedSegment, found: "no intact object", expected: "at least one intact object",
        remedy: "restore the file from a backup: no object can be recovered")
    }
    return (
      try recovery.archive(), Report(for: reader) { fill(&$0, from: recovery) },
      recovery.losses.isEmpty ? .ok : .incomplete
    )
  }

  /// Adds the recovered objects and the losses to a report.
  private func fill(_ report: inout Report, from recovery: ArchiveRecovery) {
    let intactCount = recovery.segments.count(where: \.isIntact)
    report.line(
      "recovered: \(counted(recovery.objectCount, "object")), \(counted(intactCount, "segment")) of "
        + grouped(recovery.segments.count))
    if !recovery.strings.isEmpty {
      report.line(
        "strings: \(grouped(recovery.strings.count)), in a root '\(ArchiveRecovery.recoveredStringsRootName)'; "
          + "the rows that they belong to are behind the end of the file")
    }
    report.members([
      "format": "arc", "objects": recovery.objectCount, "segments": recovery.segments.count,
      "intactSegments": intactCount, "strings": recovery.strings.count,
    ])
    report.line(recovery.losses.isEmpty ? "lost: nothing" : "lost: " + words(for: recovery.losses))
    report.group("lost", isPretty: true) { add(recovery.losses, recovery.segments, to: &$0) }
  }

  private func words(for losses: ArchiveRecovery.Losses) -> String {
    let objects = losses.objectCount.map { counted($0, "object") } ?? "an unknown number of objects"
    return
      "\(objects), \(counted(losses.referenceCount, "reference")), \(counted(losses.stringCount, "string"))"
      + (losses.valueCount > 0 ? ", \(counted(losses.valueCount, "value")) of other objects" : "")
      + (losses.unknownSegmentCount > 0
        ? ", \(counted(losses.unknownSegmentCount, "segment")) of unknown kinds" : "")
      + (losses.hasLostRoots ? ", the named roots" : "") + (losses.hasLostMetadata ? ", the metadata" : "")
  }

  private func add(
    _ losses: ArchiveRecovery.Losses, _ segments: [ArchiveRecovery.Segment], to group: inout Report
  ) {
    group.members([
      "objects": losses.objectCount, "references": losses.referenceCount, "strings": losses.stringCount,
      "values": losses.valueCount, "unknownSegments": losses.unknownSegmentCount,
      "roots": losses.hasLostRoots, "metadata": losses.hasLostMetadata,
    ])
    group.list("segments", segments.filter { !$0.isIntact }.map(\.info)) { info, entry in
      // If nothing was lost, the text has no list. An example is a file that lacks only its index.
      if !losses.isEmpty {
        entry.line("  \(info.kindText) at byte \(grouped(info.byteOffset)): \(info.contents)")
      }
      entry.members(["kind": info.kindText, "byteOffset": info.byteOffset, "contents": info.contents])
    }
    group.list("byteRanges", losses.byteRanges) { range, entry in
      entry.line("  bytes \(grouped(range.lowerBound)) to \(grouped(range.upperBound - 1))")
      entry.members(["from": range.lowerBound, "to": range.upperBound])
    }
  }
}
