import ArcFormat
import ArgumentParser

/// `arcdump info FILE`: version, sizes, roots, classes with row counts, segments.
struct InfoCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Print version, sizes, roots, classes and segments.",
    discussion: """
      A segment is a part of the file, of about one megabyte. info reads the header, the class table and the \
      list of segments. With --count, or if the file has less than 64 MB of objects, info also counts the \
      objects of each class.
      """)

  @OptionGroup var options: InspectionOptions
  @OptionGroup var counting: CountingOptions

  func write(_ file: ArchiveFile, to page: Page) throws {
    let totals = SegmentTotals(file)
    let classes = try file.objectClasses(counting)
    try page.line(
      "Arc archive, version \(file.versionText), written by \(printable(file.writer)), "
        + "\(counted(file.byteCount, "byte")): "
        + "\(counted(file.rowCount - 1, "object")) of \(counted(classes.count, "class", "classes")), "
        + "\(counted(file.segments.count, "segment"))")
    let metadata = try file.metadataEntries().map {
      [Page.Cell(printableName($0.key), .key), Page.Cell(printable($0.value))]
    }
    if !metadata.isEmpty { try section("metadata", metadata, to: page) }
    let roots = file.classes[0].columns.map {
      [Page.Cell(printableName($0.key), .key), Page.Cell(printable($0.typeInWords))]
    }
    try section("roots", roots, to: page)
    let classCells = classes.map {
      [
        Page.Cell(printableName($0.description.name), .type),
        $0.rowCount.map { .number($0) } ?? Page.Cell("?", isNumber: true),
      ]
    }
    let classHeader = [Page.Cell("class", .mark), Page.Cell("objects", .mark, isNumber: true)]
    try section("classes", [classHeader] + classCells, to: page)
    if classes.contains(where: { $0.rowCount == nil }) { try page.line("(to count: --count)", level: 1) }
    let titles = ["kind", "offset", "raw", "stored", "ratio", "codec", "what"]
    let header = titles.enumerated().map { Page.Cell($1, .mark, isNumber: (1...4).contains($0)) }
    try section("segments", [header] + file.segments.map(cells) + [cells(totals)], to: page)
  }

  private func section(_ title: String, _ rows: [[Page.Cell]], to page: Page) throws {
    try page.line()
    try page.line(page.style(.heading, title))
    try page.table(rows, level: 1)
  }

  private func cells(_ segment: SegmentInfo) -> [Page.Cell] {
    [
      Page.Cell(segment.kindText, .type), .number(segment.byteOffset), .number(segment.rawByteCount),
      .number(segment.storedByteCount), ratio(segment.storedByteCount, segment.rawByteCount),
      Page.Cell(segment.codecText), Page.Cell(segment.contents),
    ]
  }

  private func cells(_ totals: SegmentTotals) -> [Page.Cell] {
    [
      Page.Cell("total", .mark), Page.Cell(""), .number(totals.rawByteCount), .number(totals.storedByteCount),
      ratio(totals.storedByteCount, totals.rawByteCount), Page.Cell(""),
      Page.Cell("and \(counted(totals.frameByteCount, "byte")) of header, index and trailer"),
    ]
  }

  private func ratio(_ stored: Int, _ raw: Int) -> Page.Cell {
    let permille = raw == 0 ? 1000 : Int((Double(stored) / Double(raw) * 1000).rounded())
    return Page.Cell("\(permille / 10).\(permille % 10) %", isNumber: true)
  }

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    let totals = SegmentTotals(file)
    try json.member("format", "arc")
    try json.member("version", file.versionText)
    try json.member("writer", file.writer)
    try json.member("bytes", file.byteCount)
    try json.member("metadata") {
      try json.object { for (key, value) in try file.metadataEntries() { try json.member(key, value) } }
    }
    try json.member("objects", file.rowCount - 1)
    try json.member("roots") {
      try json.array(isPretty: true) {
        for column in file.classes[0].columns {
          try json.object {
            try json.member("name", column.key)
            try json.member("type", column.typeText)
            try json.member("meaning", column.typeInWords)
          }
        }
      }
    }
    try json.member("classes") {
      try json.array(isPretty: true) {
        for entry in try file.objectClasses(counting) {
          try json.object {
            try json.member("name", entry.description.name)
            try json.member("objects", number: entry.rowCount)
          }
        }
      }
    }
    try json.member("segments") {
      try json.array(isPretty: true) { for segment in file.segments { try write(segment, to: json) } }
    }
    try json.member("rawBytes", totals.rawByteCount)
    try json.member("storedBytes", totals.storedByteCount)
  }

  private func write(_ segment: SegmentInfo, to json: JSONOutput) throws {
    try json.object {
      try json.member("kind", segment.kindText)
      try json.member("offset", segment.byteOffset)
      try json.member("rawBytes", segment.rawByteCount)
      try json.member("storedBytes", segment.storedByteCount)
      try json.member("codec", segment.codecText)
      try json.member("first", segment.firstIndex)
      try json.member("count", segment.count)
    }
  }
}

/// The sizes of all segments together.
private struct SegmentTotals {
  let rawByteCount: Int
  let storedByteCount: Int
  /// Bytes of the file that are in no payload.
  let frameByteCount: Int

  init(_ file: ArchiveFile) {
    rawByteCount = file.segments.reduce(0) { $0 + $1.rawByteCount }
    storedByteCount = file.segments.reduce(0) { $0 + $1.storedByteCount }
    frameByteCount = file.byteCount - storedByteCount
  }
}

extension SegmentInfo {
  var kindText: String { kind?.rawValue ?? (isChunkDirectory ? "CDIR" : "?") }

  fileprivate var codecText: String { isCompressed ? "zlib" : "none" }

  var contents: String {
    switch kind {
    case .classes: counted(count, "new class", "new classes")
    case .strings: counted(count, "string")
    case .rows: "rows \(grouped(firstIndex)) to \(grouped(firstIndex + count - 1))"
    case .weakColumns: "weak references of rows \(grouped(firstIndex)) to \(grouped(firstIndex + count - 1))"
    case .metadata: counted(count, "entry", "entries")
    case nil where isChunkDirectory: "directory of the chunks of \(counted(count, "segment"))"
    case .index, nil: "unknown"
    }
  }
}
