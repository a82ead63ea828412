import ArcArchive
import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump stats FILE`: prints the sizes of segments, classes and columns, and statistics on the values of
/// columns.
///
/// JSON: `{"bytes":…,"segments":[{"kind":"ROWS","count":1,"rawBytes":…,"storedBytes":…}],"strings":…,
/// "classes":[{"name":…,"objects":…,"bytes":…,"plainBytes":…,"columns":[{"name":…,"kind":…,
/// "values":…,"nils":…,"bytes":…,"plainBytes":…,"chunks":{"plain":1},"distinct":…,"isDistinctComplete":true,
/// "lengths":{"least":…,"greatest":…,"total":…}}]}]}`.
struct StatsCommand: ReportingCommand {
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

  func fill(_ report: inout Report, from file: ArchiveFile) throws {
    let catalog = ObjectCatalog(file)
    let selectedIndex = try selectedClassIndex(catalog)
    let statistics = try FileStatistics(catalog)
    report.members(["format": "arc", "bytes": file.byteCount])
    addSegments(of: file, to: &report)
    report.members(["strings": statistics.stringCount])
    if selectedIndex == nil {
      report.line()
      addClasses(statistics, to: &report)
    }
    let entries = statistics.classes.enumerated().filter {
      selectedIndex == nil || selectedIndex == $0.offset
    }
    report.list("classes", entries) { indexed, entry in
      let (index, counts) = indexed
      entry.members([
        "name": counts.name, "objects": counts.objectCount, "bytes": counts.storedByteCount,
        "plainBytes": counts.plainByteCount,
      ])
      entry.table("columns", counts.nodes, level: nil, Self.columns)
      guard counts.objectCount > 0, !counts.nodes.isEmpty else { return }
      if selectedIndex == nil { entry.line() }
      entry.line(Words(index == 0 ? "roots" : printableName(counts.name), .heading))
      entry.table(nil, counts.nodes.filter(\.isShown), level: 1, Self.columns)
    }
  }

  private func selectedClassIndex(_ catalog: ObjectCatalog) throws -> Int? {
    guard let name = `class` else { return nil }
    guard let index = catalog.classIndex(named: name) else {
      throw QueryError(
        .unknownClass, found: "no class '\(name)'",
        expected: "a class of the file: \(QueryError.choice(catalog.file.classes.dropFirst().map(\.name)))")
    }
    return index
  }

  private func addSegments(of file: ArchiveFile, to report: inout Report) {
    let kinds = SegmentKindTotal.all(of: file)
    let (raw, stored) = (
      kinds.reduce(0) { $0 + $1.rawByteCount }, kinds.reduce(0) { $0 + $1.storedByteCount }
    )
    report.table(
      "segments", kinds, level: `class` == nil ? 0 : nil,
      [
        Column("kind", "segments", .type) { $0.name }, Column("count", "number") { $0.count },
        Column("rawBytes", "raw") { $0.rawByteCount }, Column("storedBytes", "stored") { $0.storedByteCount },
        Column(nil, "saved") { Self.percent($0.rawByteCount - $0.storedByteCount, of: $0.rawByteCount) },
      ],
      total: [
        Words("total", .mark), kinds.reduce(0) { $0 + $1.count }, raw, stored,
        Self.percent(raw - stored, of: raw),
      ])
  }

  private func addClasses(_ statistics: FileStatistics, to report: inout Report) {
    let entries = statistics.classes.dropFirst().filter { $0.objectCount > 0 }
    report.table(
      nil, entries.sorted { $0.storedByteCount > $1.storedByteCount }, level: 0,
      [
        Column(nil, "classes", .type) { ReportValue.name($0.name) },
        Column(nil, "objects") { $0.objectCount },
        Column(nil, "bytes") { $0.storedByteCount },
        Column(nil, "an object") {
          ReportValue.figure(Self.tenths(Double($0.storedByteCount) / Double(max($0.objectCount, 1))))
        },
        Column(nil, "plain") { $0.plainByteCount },
      ])
  }

  private static var columns: [Column<NodeStatistics>] {
    [
      Column("name", "", .key) {
        ReportValue.words(Words(($0.isProperty ? "" : "  ") + $0.label), as: $0.label)
      },
      Column("kind", "kind") { "\($0.kind)" }, Column("values", "values") { $0.valueCount },
      Column("nils", "nil") { $0.nilCount == 0 ? ReportValue.figure("", as: 0) : $0.nilCount.reportValue },
      Column(nil, "distinct") {
        let isShown = $0.isCounted && $0.distinct.count > 0
        return ReportValue.figure(
          isShown ? grouped($0.distinct.count) + ($0.distinct.isIncomplete ? "+" : "") : "")
      },
      Column("bytes", "bytes") { $0.storedByteCount }, Column("plainBytes", "plain") { $0.plainByteCount },
      Column("chunks") {
        ReportValue.members($0.chunkCounts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      },
      Column("distinct") { ReportValue.ifPresent($0.isCounted ? $0.distinct.count : nil) },
      Column("isDistinctComplete") { ReportValue.ifPresent($0.isCounted ? !$0.distinct.isIncomplete : nil) },
      Column("lengths", "lengths") { ReportValue.ifPresent($0.lengths) },
      Column(nil, "encodings") {
        let encodings = $0.chunkCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
          .map { $0.value == 1 ? $0.key : "\($0.key) ×\($0.value)" }
        return encodings.isEmpty ? ReportValue.absent : Words(encodings.joined(separator: ", ")).reportValue
      },
    ]
  }

  private static func percent(_ part: Int, of whole: Int) -> ReportValue {
    .figure(whole == 0 ? "0.0 %" : tenths(Double(part) / Double(whole) * 100) + " %")
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}

extension NodeStatistics {
  /// Whether the text contains a row for the node. The node of a structure or URL has no bytes of its own. If
  /// such a node is nested in a property, it is shown only if some of its values are nil.
  fileprivate var isShown: Bool { ![.structure, .url].contains(kind) || nilCount > 0 || isProperty }
}

extension NodeStatistics.Lengths: Reportable {
  var reportValue: ReportValue {
    let range = "\(grouped(least))…\(grouped(greatest)), \(grouped(total)) in all"
    return .words(
      Words(least == greatest ? grouped(least) : range),
      as: ReportValue.record(["least": least, "greatest": greatest, "total": total]))
  }
}
