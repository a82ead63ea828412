import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump info FILE`: prints the version, sizes, roots, classes with row counts, and segments.
struct InfoCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Print version, sizes, roots, classes and segments.",
    discussion: """
      A segment is a part of the file, of about one megabyte. info reads the header, the class table and the \
      list of segments. With --count, or if the file has less than 64 MB of objects, info also counts the \
      objects of each class.
      """)

  @OptionGroup var options: InspectionOptions
  @OptionGroup var counting: CountingOptions

  func fill(_ report: inout Report, from file: ArchiveFile) throws {
    let classes = Result { try file.objectClasses(counting) }
    try report.line(
      Words(
        "Arc archive, version \(file.versionText), written by \(printable(file.writer)), "
          + "\(counted(file.byteCount, "byte")): \(counted(file.rowCount - 1, "object")) of "
          + "\(counted(try classes.get().count, "class", "classes")), "
          + counted(file.segments.count, "segment")))
    report.members([
      "format": "arc", "version": file.versionText, "writer": file.writer, "bytes": file.byteCount,
    ])
    report.group("metadata") { group in
      let entries = try file.metadataEntries()
      if !entries.isEmpty { group.heading("metadata") }
      group.fields(level: 1, entries.map { Field($0.key, printableName($0.key), $0.value) })
    }
    report.members(["objects": file.rowCount - 1])
    report.heading("roots")
    report.table(
      "roots", file.classes[0].columns, level: 1,
      [
        Column("name", "", .key) { ReportValue.name($0.key) }, Column("type") { $0.typeText },
        Column("meaning", "") { $0.typeInWords },
      ])
    report.heading("classes")
    report.table(
      "classes", try classes.get(), level: 1,
      [
        Column("name", "class", .type) { ReportValue.name($0.description.name) },
        Column("objects", "objects") { $0.rowCount?.reportValue ?? .figure("?") },
      ])
    if try classes.get().contains(where: { $0.rowCount == nil }) {
      report.line("(to count: --count)", level: 1)
    }
    addSegments(of: file, to: &report)
  }

  private func addSegments(of file: ArchiveFile, to report: inout Report) {
    let totals = SegmentTotals(file)
    report.heading("segments")
    report.table(
      "segments", file.segments, level: 1,
      [
        Column("kind", "kind", .type) { $0.kindText }, Column("offset", "offset") { $0.byteOffset },
        Column("rawBytes", "raw") { $0.rawByteCount }, Column("storedBytes", "stored") { $0.storedByteCount },
        Column(nil, "ratio") { Self.ratio($0.storedByteCount, $0.rawByteCount) },
        Column("codec", "codec") { $0.codecText }, Column("first") { $0.firstIndex },
        Column("count") { $0.count }, Column(nil, "what") { $0.contents },
      ],
      total: [
        Words("total", .mark), ReportValue.null, totals.rawByteCount, totals.storedByteCount,
        Self.ratio(totals.storedByteCount, totals.rawByteCount), ReportValue.null,
        "and \(counted(totals.frameByteCount, "byte")) of header, index and trailer",
      ])
    report.members(["rawBytes": totals.rawByteCount, "storedBytes": totals.storedByteCount])
  }

  private static func ratio(_ stored: Int, _ raw: Int) -> ReportValue {
    let permille = raw == 0 ? 1000 : Int((Double(stored) / Double(raw) * 1000).rounded())
    return .figure("\(permille / 10).\(permille % 10) %")
  }
}

/// The total size of all segments, in bytes.
private struct SegmentTotals {
  let rawByteCount: Int
  let storedByteCount: Int
  /// The number of bytes of the file outside the payloads of segments.
  let frameByteCount: Int

  init(_ file: ArchiveFile) {
    rawByteCount = file.segments.reduce(0) { $0 + $1.rawByteCount }
    storedByteCount = file.segments.reduce(0) { $0 + $1.storedByteCount }
    frameByteCount = file.byteCount - storedByteCount
  }
}

extension SegmentInfo {
  var kindText: String { codeText }

  fileprivate var codecText: String { isCompressed ? "zlib" : "none" }

  var contents: String {
    switch kind {
    case .classes: counted(count, "new class", "new classes")
    case .strings: counted(count, "string")
    case .rows: "rows \(grouped(firstIndex)) to \(grouped(firstIndex + count - 1))"
    case .weakColumns: "weak references of rows \(grouped(firstIndex)) to \(grouped(firstIndex + count - 1))"
    case .metadata: counted(count, "entry", "entries")
    case nil where isChunkDirectory: "directory of the chunks of \(counted(count, "segment"))"
    case nil where isDecompressionPoints: "points for decompression of \(counted(count, "segment"))"
    case .index, nil: "unknown"
    }
  }
}
