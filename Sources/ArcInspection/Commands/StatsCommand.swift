import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump stats FILE`: where the bytes are, and what the columns hold.
///
/// JSON: `{"bytes":…,"segments":[{"kind":"ROWS","count":1,"rawBytes":…,"storedBytes":…}],"strings":…,
/// "classes":[{"name":…,"objects":…,"bytes":…,"plainBytes":…,"columns":[{"name":…,"kind":…,
/// "values":…,"nils":…,"bytes":…,"plainBytes":…,"chunks":{"plain":1},"distinct":…,"isDistinctComplete":true,
/// "lengths":{"least":…,"greatest":…,"total":…}}]}]}`.
struct StatsCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Print the sizes of segments, classes and properties, and their encodings.",
    discussion: """
      stats also prints the number of nils and distinct values per property, and the lengths of collections \
      (in elements), strings and data (in bytes). For example:
        arcdump stats garden.arc --class Tree

      'bytes' is the size before zlib compression. 'plain' is the size that the values would have without \
      Arc's own encodings, such as runs of equal values. Strings that the file stores once for all objects \
      are in segments of kind STRS. stats counts about 4 million distinct values in total; '+' after a count \
      means that there may be more.
      """)

  @OptionGroup var options: InspectionOptions

  @Option(help: ArgumentHelp("The class whose properties to print. (default: all)", valueName: "class"))
  var `class`: String?

  func write(_ file: ArchiveFile, to page: Page) throws {
    let catalog = ObjectCatalog(file)
    let wanted = try wanted(catalog)
    let statistics = try FileStatistics(catalog)
    if wanted == nil {
      try writeSegments(of: file, to: page)
      try page.line()
      try writeClasses(statistics, to: page)
    }
    for (index, entry) in statistics.classes.enumerated() where wanted.map({ $0 == index }) ?? true {
      guard entry.objectCount > 0, !entry.nodes.isEmpty else { continue }
      if wanted == nil || index != wanted { try page.line() }
      try page.line(page.style(.heading, index == 0 ? "roots" : printableName(entry.name)))
      try writeColumns(of: entry, to: page)
    }
  }

  private func wanted(_ catalog: ObjectCatalog) throws -> Int? {
    guard let name = `class` else { return nil }
    guard let index = catalog.classIndex(named: name) else {
      throw QueryError(
        .unknownClass, found: "no class '\(name)'",
        expected: "a class of the file: \(QueryError.choice(catalog.file.classes.dropFirst().map(\.name)))")
    }
    return index
  }

  private func writeSegments(of file: ArchiveFile, to page: Page) throws {
    let titles = ["segments", "number", "raw", "stored", "saved"]
    var rows = [titles.enumerated().map { Page.Cell($1, .mark, isNumber: $0 > 0) }]
    func row(_ title: Page.Cell, _ count: Int, _ raw: Int, _ stored: Int) {
      rows.append([
        title, .number(count), .number(raw), .number(stored),
        Page.Cell(percent(raw - stored, of: raw), isNumber: true),
      ])
    }
    let kinds = SegmentKindTotal.all(of: file)
    for kind in kinds {
      row(Page.Cell(kind.name, .type), kind.count, kind.rawByteCount, kind.storedByteCount)
    }
    row(
      Page.Cell("total", .mark), kinds.reduce(0) { $0 + $1.count }, kinds.reduce(0) { $0 + $1.rawByteCount },
      kinds.reduce(0) { $0 + $1.storedByteCount })
    try page.table(rows, level: 0)
  }

  private func writeClasses(_ statistics: FileStatistics, to page: Page) throws {
    let titles = ["classes", "objects", "bytes", "an object", "plain"]
    var rows = [titles.enumerated().map { Page.Cell($1, .mark, isNumber: $0 > 0) }]
    let entries = statistics.classes.dropFirst().filter { $0.objectCount > 0 }
    for entry in entries.sorted(by: { $0.storedByteCount > $1.storedByteCount }) {
      let each = Double(entry.storedByteCount) / Double(max(entry.objectCount, 1))
      rows.append([
        Page.Cell(printableName(entry.name), .type), .number(entry.objectCount),
        .number(entry.storedByteCount),
        Page.Cell(tenths(each), isNumber: true), .number(entry.plainByteCount),
      ])
    }
    try page.table(rows, level: 0)
  }

  private func writeColumns(of entry: ClassStatistics, to page: Page) throws {
    let titles = ["", "kind", "values", "nil", "distinct", "bytes", "plain", "lengths", "encodings"]
    var rows = [titles.enumerated().map { Page.Cell($1, .mark, isNumber: (2...6).contains($0)) }]
    // A structure and a URL have no bytes of their own.
    for node in entry.nodes
    where ![.structure, .url].contains(node.kind) || node.nilCount > 0 || node.isProperty {
      let lengths = node.lengths.map { lengths in
        lengths.least == lengths.greatest
          ? grouped(lengths.least)
          : "\(grouped(lengths.least))…\(grouped(lengths.greatest)), \(grouped(lengths.total)) in all"
      }
      let encodings = node.chunkCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { $0.value == 1 ? $0.key : "\($0.key) ×\($0.value)" }
      let distinct =
        NodeStatistics.isCounted(node.kind) && node.distinct.count > 0
        ? grouped(node.distinct.count) + (node.distinct.isIncomplete ? "+" : "") : ""
      var row = [
        Page.Cell((node.isProperty ? "" : "  ") + node.label, .key), Page.Cell("\(node.kind)"),
        .number(node.valueCount), node.nilCount == 0 ? Page.Cell("") : .number(node.nilCount),
        Page.Cell(distinct, isNumber: true), .number(node.storedByteCount), .number(node.plainByteCount),
        Page.Cell(lengths ?? ""), Page.Cell(encodings.joined(separator: ", ")),
      ]
      // No spaces at the end of a line.
      while row.last?.text.isEmpty ?? false { row.removeLast() }
      rows.append(row)
    }
    try page.table(rows, level: 1)
  }

  private func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "0.0 %" : tenths(Double(part) / Double(whole) * 100) + " %"
  }

  private func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  // MARK: JSON

  func write(_ file: ArchiveFile, to json: JSONOutput) throws {
    let catalog = ObjectCatalog(file)
    let wanted = try wanted(catalog)
    let statistics = try FileStatistics(catalog)
    try json.member("format", "arc")
    try json.member("bytes", file.byteCount)
    try json.member("segments") {
      try json.array(isPretty: true) {
        for kind in SegmentKindTotal.all(of: file) {
          try json.object {
            try json.member("kind", kind.name)
            try json.member("count", kind.count)
            try json.member("rawBytes", kind.rawByteCount)
            try json.member("storedBytes", kind.storedByteCount)
          }
        }
      }
    }
    try json.member("strings", statistics.stringCount)
    try json.member("classes") {
      try json.array(isPretty: true) {
        for (index, entry) in statistics.classes.enumerated() where wanted.map({ $0 == index }) ?? true {
          try json.object {
            try json.member("name", entry.name)
            try json.member("objects", entry.objectCount)
            try json.member("bytes", entry.storedByteCount)
            try json.member("plainBytes", entry.plainByteCount)
            try json.member("columns") {
              try json.array(isPretty: true) { for node in entry.nodes { try write(node, to: json) } }
            }
          }
        }
      }
    }
  }

  private func write(_ node: NodeStatistics, to json: JSONOutput) throws {
    try json.checkLimit()
    try json.object {
      try json.member("name", node.label)
      try json.member("kind", "\(node.kind)")
      try json.member("values", node.valueCount)
      try json.member("nils", node.nilCount)
      try json.member("bytes", node.storedByteCount)
      try json.member("plainBytes", node.plainByteCount)
      try json.member("chunks") {
        try json.object {
          for (name, count) in node.chunkCounts.sorted(by: { $0.key < $1.key }) {
            try json.member(name, count)
          }
        }
      }
      if NodeStatistics.isCounted(node.kind) {
        try json.member("distinct", node.distinct.count)
        try json.member("isDistinctComplete", bool: !node.distinct.isIncomplete)
      }
      if let lengths = node.lengths {
        try json.member("lengths") {
          try json.object {
            try json.member("least", lengths.least)
            try json.member("greatest", lengths.greatest)
            try json.member("total", lengths.total)
          }
        }
      }
    }
  }
}

/// The segments of one kind together.
private struct SegmentKindTotal {
  let name: String
  var count = 0
  var rawByteCount = 0
  var storedByteCount = 0

  /// The kinds in the order in which they first occur.
  static func all(of file: ArchiveFile) -> [SegmentKindTotal] {
    var totals: [SegmentKindTotal] = []
    for segment in file.segments {
      let name = segment.kindText
      let place = totals.firstIndex { $0.name == name } ?? totals.count
      if place == totals.count { totals.append(SegmentKindTotal(name: name)) }
      totals[place].count += 1
      totals[place].rawByteCount += segment.rawByteCount
      totals[place].storedByteCount += segment.storedByteCount
    }
    return totals
  }
}
