import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump holders FILE [OBJECT]`: prints the references to an object, a path to it from a root, and its
/// retained size.
///
/// JSON:
/// `{"id":2,"class":"Person","path":"root.friends[0]","length":2,"retainedObjects":1,"retainedBytes":40,
/// "dominator":1,"holders":[{"id":1,"class":"Person","path":"#1.friends[0]","kind":"strong"}]}`. If no root
/// retains the object, `length`, `retainedObjects`, `retainedBytes` and `dominator` are null. Without OBJECT:
/// `{"objects":[{"id":…,"class":…,"path":…,"retainedObjects":…,"retainedBytes":…}]}`, largest retained size
/// first.
struct HoldersCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "holders",
    abstract: "Print the references to an object and its retained size.",
    discussion: """
      OBJECT is a number or a path. For example:
        arcdump holders FILE 17
        arcdump holders FILE 'root.people[3]'

      holders prints the references to the object, a shortest path from a root to the object, and the \
      retained size of the object. The retained size is the size of the object and of all objects that the \
      roots reach only through the object. Without OBJECT, holders lists the objects with the largest \
      retained size.

      Sizes are the bytes of the values before packing and compression, without strings that the file \
      stores once for all objects. Weak and unowned references do not retain objects.
      """)

  @OptionGroup var options: InspectionOptions

  @Argument(help: "The number of the object, or a path to it.")
  var object: String?

  @Option(
    help: ArgumentHelp(
      "The maximum number of objects or references to print. (default: 20 objects; 1,000 references on a "
        + "terminal, otherwise all)"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if let object { try asValidation { () throws(QueryError) in _ = try QueryParser.path(object) } }
  }

  func fill(_ report: inout Report, from file: ArchiveFile) throws {
    report.members(["format": "arc"])
    let heap = try Heap(ObjectCatalog(file))
    guard let object else { return fill(&report, from: heap) }
    let held = try heap.holding(
      target(object, heap), atMost: limit ?? (report.reader == .terminal ? 1000 : .max))
    report.line(Words(printableName(held.className), .type) + Words(" \(held.id)", .mark))
    report.members(["id": held.id, "class": held.className])
    report.fields(level: 1, fields(of: held))
    let title = held.holderCount == 0 ? "no references" : counted(held.holderCount, "reference")
    report.line(Words(title, .heading), level: 1)
    report.table(
      "holders", held.holders, level: 2,
      [
        Column("id") { $0.id }, Column("class") { $0.fullClassName }, Column("path", "") { $0.path },
        Column("kind", "", .mark) { "\($0.strength)" },
        Column(nil, "", .type) { Words($0.id.rawValue == 0 ? "root" : $0.className) },
      ])
    if held.holders.count < held.holderCount {
      report.line(
        Words("… \(grouped(held.holderCount - held.holders.count)) more (--limit)", .mark), level: 2)
    }
    report.members(["holderCount": held.holderCount])
  }

  private func fields(of held: Heap.Held) -> [Field] {
    let retained = held.retained.map { retained in
      "\(counted(retained.objectCount, "object")), \(counted(retained.byteCount, "byte")), itself included"
    }
    let isLong = held.length.map { $0 > ObjectPaths.maximumObjectCount } ?? false
    return [
      Field(
        "path", "path",
        retained == nil
          ? ReportValue.words(Words("none: no root retains it"), as: held.path) : held.path.reportValue),
      Field("length", nil, held.length),
      Field(nil, isLong ? "" : nil, "\(grouped(held.length ?? 0)) references from the roots"),
      Field("retainedObjects", nil, held.retained?.objectCount),
      Field("retainedBytes", nil, held.retained?.byteCount),
      Field(nil, retained == nil ? nil : "retains", retained),
      Field(
        "dominator", retained == nil ? nil : "retained by",
        ReportValue.words(
          Words(held.dominator.map { "\($0.className) \($0.id) only" } ?? "the roots"), as: held.dominator?.id
        )),
    ]
  }

  private func fill(_ report: inout Report, from heap: Heap) {
    report.table(
      "objects", try heap.largest(limit ?? 20), level: 0,
      [
        Column("id") { $0.id }, Column("class") { $0.fullClassName }, Column("path") { $0.path },
        Column("retainedObjects", "objects") { $0.objectCount },
        Column("retainedBytes", "bytes") { $0.byteCount },
        Column(nil, "retained by", .type) { Words("\($0.className) \($0.id)") },
        Column(nil, "path") { $0.path },
      ])
    if heap.lostCount > 0 {
      report.line(Words("(no root retains \(counted(heap.lostCount, "object")))", .mark))
    }
  }

  private func target(_ text: String, _ heap: Heap) throws -> ObjectID {
    try QueryRunner(heap.catalog).object(at: QueryParser.path(text), text)
  }
}
